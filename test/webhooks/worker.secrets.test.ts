import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { modes } from "../../src/domain/Caller.ts"
import { ControlSql, ModeSql } from "../../src/storage/sql/Sql.ts"
import { LiveSql, TestSql } from "../support/modeSql.ts"
import { WebhookSecrets } from "../../src/storage/webhooks/WebhookSecrets.ts"
import {
  deleteExpiredWebhookSecrets,
  reencryptWebhookSecrets
} from "../../src/storage/webhooks/reencryptSecrets.ts"
import { Endpoints } from "../../src/webhooks/Endpoints.ts"
import { secretMaintenance } from "../../src/webhooks/worker.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { caller } from "../support/assessCall.ts"
import { createEndpoint, secretCall } from "../support/endpointCall.ts"
import { secretsUnder } from "../support/secretsUnder.ts"

type Peppers = Parameters<typeof secretsUnder>

/** Like a process with these peppers. */
const under =
  (...peppers: Peppers) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provide(effect, Endpoints.layer.pipe(Layer.provideMerge(secretsUnder(...peppers))))

/** An endpoint with everything that is encrypted: two secrets, and two remembered answers. */
const rotatedEndpoint = Effect.fnUntraced(function* (owner: ReturnType<typeof caller>) {
  const { rotateSecret } = yield* Endpoints
  const first = yield* createEndpoint(owner, {}, "create")
  const second = JSON.parse((yield* rotateSecret(secretCall(owner, "rotate"), first.id)).body)
  return { id: first.id, secrets: [first.secret, second.secret] as ReadonlyArray<string> }
})

/** Every encrypted value of an endpoint, as this process can read it. */
const readable = Effect.fnUntraced(function* (owner: ReturnType<typeof caller>, endpointId: string) {
  const sql = (yield* ModeSql).for(owner.mode)
  const { open } = yield* WebhookSecrets
  const rows = yield* sql<{ readonly sealed: Uint8Array }>`
    SELECT secret AS sealed FROM webhook_endpoints WHERE endpoint_id = ${endpointId}
    UNION ALL SELECT previous_secret FROM webhook_endpoints
      WHERE endpoint_id = ${endpointId} AND previous_secret IS NOT NULL
    UNION ALL SELECT answer FROM webhook_answers WHERE endpoint_id = ${endpointId}
  `
  return yield* Effect.forEach(rows, ({ sealed }) =>
    Effect.match(open({ ...owner, endpointId }, sealed), {
      onFailure: ({ reason }) => reason,
      onSuccess: (text) => /whsec_[\w+/]{43}=/.exec(Redacted.value(text))?.[0]
    })
  )
})

const renewBoth = Effect.forEach(modes, reencryptWebhookSecrets)

layer(TestDatabase.layer, { excludeTestServices: true })("stored webhook secrets", (it) => {
  it.effect("are nowhere in the database as they are, nor in base64 or hex", () =>
    Effect.gen(function* () {
      const owners = [caller(), caller({ mode: "live" })]
      const secrets = yield* Effect.forEach(owners, rotatedEndpoint).pipe(under("pepper"))
      const clients = { control: yield* ControlSql, live: yield* LiveSql, test: yield* TestSql }
      const dumps = yield* Effect.forEach(Object.entries(clients), ([schema, sql]) =>
        Effect.flatMap(
          sql<{ readonly name: string }>`
            SELECT format('%I.%I', n.nspname, c.relname) AS name
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = ${schema} AND c.relkind = 'r'
          `,
          (tables) => Effect.forEach(tables, ({ name }) => sql.unsafe(`SELECT t::text AS row FROM ${name} t`))
        )
      )
      const dump = JSON.stringify(dumps)
      expect(dump).toContain("hooks.example")
      for (const text of secrets.flatMap((of) => of.secrets)) {
        const base64 = text.slice("whsec_".length)
        const bytes = Buffer.from(base64, "base64")
        const hidden = [
          base64,
          bytes.toString("hex"),
          bytes.toString("base64url"),
          Buffer.from(text).toString("hex")
        ]
        for (const one of hidden) expect(dump).not.toContain(one)
      }
    })
  )

  it.effect("are encrypted again under a new pepper, after which the old one can be given up", () =>
    Effect.gen(function* () {
      const owners = [caller(), caller(), caller({ mode: "live" })]
      const made = yield* Effect.forEach(owners, rotatedEndpoint).pipe(under("old"))
      const told = yield* renewBoth.pipe(under("new", "old"))
      // Four of each endpoint: two in test mode, one live. Those of other tests were encrypted under neither.
      expect(told.map(({ renewed }) => renewed)).toEqual(
        modes.map((mode) => 4 * owners.filter((owner) => owner.mode === mode).length)
      )
      expect((yield* renewBoth.pipe(under("new", "old"))).map(({ renewed }) => renewed)).toEqual([0, 0])
      for (const [place, { id, secrets }] of made.entries()) {
        const [first, second] = secrets
        const owner = owners[place] ?? caller()
        expect(yield* readable(owner, id).pipe(under("new"))).toEqual([second, first, first, second])
      }
    })
  )

  it.effect("are encrypted again once where several processes start at once", () =>
    Effect.gen(function* () {
      const owner = caller()
      const made = yield* Effect.forEach(Array.from({ length: 30 }), () => createEndpoint(owner)).pipe(
        under("a")
      )
      yield* Effect.forEach([1, 2, 3], () => renewBoth.pipe(under("b", "a")), { concurrency: 3 })
      for (const { id, secret } of made) expect((yield* readable(owner, id).pipe(under("b")))[0]).toBe(secret)
    })
  )

  it.effect("that are rotated while they are encrypted again stay as the rotation left them", () =>
    Effect.gen(function* () {
      const owner = caller()
      const { id, secret } = yield* createEndpoint(owner).pipe(under("before"))
      yield* Effect.gen(function* () {
        const { rotateSecret } = yield* Endpoints
        const secrets = yield* WebhookSecrets
        let rotated = ""
        const rotate = Effect.map(Effect.orDie(rotateSecret(secretCall(owner), id)), ({ body }) => {
          rotated = JSON.parse(body).secret
        })
        const open: typeof secrets.open = (context, sealed) =>
          Effect.tap(secrets.open(context, sealed), () => (rotated === "" ? rotate : Effect.void))
        yield* Effect.provideService(renewBoth, WebhookSecrets, { ...secrets, open })
        expect(rotated).toMatch(/^whsec_/)
        expect(yield* readable(owner, id)).toEqual([rotated, secret])
      }).pipe(under("after", "before"))
    })
  )

  it.effect(
    "whose pepper is lost are reported, hold nothing up, and a replay of them is refused honestly",
    () =>
      Effect.gen(function* () {
        const owner = caller()
        const lost = yield* rotatedEndpoint(owner).pipe(under("lost"))
        const kept = yield* createEndpoint(owner).pipe(under("kept"))
        const logged: Array<string> = []
        const told = Promise.withResolvers<void>()
        const logger = Logger.make(({ logLevel, message }) => {
          logged.push(`${logLevel} ${String(message)}`)
          if (/cannot be read, and nothing is sent/.test(String(message))) told.resolve()
        })
        yield* Effect.gen(function* () {
          const { get, rotateSecret } = yield* Endpoints
          yield* Effect.scoped(
            Effect.andThen(
              Layer.build(secretMaintenance),
              Effect.promise(() => told.promise)
            )
          )
          expect(yield* Effect.flip(rotateSecret(secretCall(owner, "rotate"), lost.id))).toMatchObject({
            code: "ASSESSMENT_UNAVAILABLE"
          })
          // Reading the endpoint needs no secret, and a new secret repairs it.
          expect(yield* get(owner, lost.id, "req")).toMatchObject({ id: lost.id })
          const mended = JSON.parse((yield* rotateSecret(secretCall(owner), lost.id)).body).secret
          expect((yield* readable(owner, lost.id)).slice(0, 2)).toEqual([mended, "unknown_pepper"])
          expect((yield* readable(owner, kept.id))[0]).toBe(kept.secret)
        }).pipe(under("new", "kept"), Effect.provide(Logger.layer([logger])))
        expect(logged.filter((line) => /^Error .*cannot be read/.test(line)).length).toBeGreaterThanOrEqual(2)
        expect(logged.join()).not.toMatch(/whsec_|hooks\.example/)
      })
  )

  it.effect("are forgotten when their time is over, and not before", () =>
    Effect.gen(function* () {
      const owner = caller()
      const { id, secrets } = yield* rotatedEndpoint(owner)
      const [first, second] = secrets
      const sql = (yield* ModeSql).for("test")
      yield* deleteExpiredWebhookSecrets("test")
      expect(yield* readable(owner, id)).toEqual([second, first, first, second])
      yield* sql`UPDATE webhook_endpoints SET previous_until = now() - interval '1 second' WHERE endpoint_id = ${id}`
      yield* sql`
        UPDATE webhook_answers SET answered_at = now() - interval '24 hours 1 second'
        WHERE endpoint_id = ${id} AND idempotency_key = 'create'
      `
      yield* deleteExpiredWebhookSecrets("test")
      const rows =
        yield* sql`SELECT previous_secret, previous_until FROM webhook_endpoints WHERE endpoint_id = ${id}`
      expect(rows).toEqual([{ previous_secret: null, previous_until: null }])
      const answers = yield* sql`SELECT idempotency_key FROM webhook_answers WHERE endpoint_id = ${id}`
      expect(answers).toEqual([{ idempotency_key: "rotate" }])
    }).pipe(under("pepper"))
  )
})
