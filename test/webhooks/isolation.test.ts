import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { type Caller, modes } from "../../src/domain/Caller.ts"
import { actionRiskLevels } from "../../src/domain/Opinion.ts"
import { webhookEventTypes } from "../../src/domain/WebhookEvent.ts"
import { Deliveries } from "../../src/webhooks/Deliveries.ts"
import { Endpoints } from "../../src/webhooks/Endpoints.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { caller } from "../support/assessCall.ts"
import { scaled, seed } from "../support/depth.ts"
import { secretCall, wantedEndpoint } from "../support/endpointCall.ts"
import { secretsUnder } from "../support/secretsUnder.ts"

const stack = Layer.mergeAll(Endpoints.layer, Deliveries.layer).pipe(
  Layer.provide(secretsUnder("pepper")),
  Layer.provideMerge(TestDatabase.layer)
)

const places = [0, 1, 2, 3].flatMap((place) => modes.map((mode) => ({ place, mode })))

/** The same few URLs and keys for everyone, so that whatever leaks is noticed. */
const steps = fc.array(
  fc.record({
    owner: fc.nat(places.length - 1),
    does: fc.constantFrom("create", "create", "change", "rotate", "remove", "test", "redeliver"),
    which: fc.nat(3),
    key: fc.option(fc.nat(2), { freq: 2 }),
    wanted: fc.record({
      url: fc.constantFrom("https://a.example/", "https://b.example/"),
      min_level: fc.constantFrom(...actionRiskLevels),
      events: fc.subarray([...webhookEventTypes], { minLength: 1 }),
      enabled: fc.boolean()
    })
  }),
  { minLength: 60, maxLength: 90 }
)

type Step = (typeof steps extends fc.Arbitrary<ReadonlyArray<infer A>> ? A : never) & object

/** The part that two runs have in common: everything but ids, times and secrets. */
const comparable = (of: unknown): unknown =>
  JSON.parse(
    JSON.stringify(of, (name, value: unknown) =>
      /(?:^id|_id|_at|^secret|next_cursor)$/.test(name) ? undefined : value
    )
  )

/** Its own endpoints and deliveries, newest first, as it can name them. */
const heldBy = Effect.fnUntraced(function* (owner: Caller) {
  const { data: endpoints } = yield* (yield* Endpoints).list(owner, { limit: 100, cursor: null }, "req")
  const { list } = yield* Deliveries
  const deliveries = yield* Effect.forEach(endpoints, ({ id }) =>
    Effect.map(list(owner, id, { limit: 100, cursor: null, status: null }, "req"), ({ data }) => data)
  )
  return { endpoints, deliveries: deliveries.flat() }
})

const take = Effect.fnUntraced(function* (owner: Caller, { does, key, wanted, which }: Step) {
  const { change, create, remove, rotateSecret } = yield* Endpoints
  const { redeliver, test } = yield* Deliveries
  const held = yield* heldBy(owner)
  const endpoint = held.endpoints[which]?.id ?? "none"
  const delivery = held.deliveries[which]?.id ?? "none"
  const call = secretCall(owner, key === null ? null : `key ${key}`)
  const secretAnswer = ({ body, replayed }: { readonly body: string; readonly replayed: boolean }) => ({
    ...JSON.parse(body),
    replayed
  })
  const doing: Record<Step["does"], Effect.Effect<unknown, { readonly code: string }>> = {
    create: Effect.map(create(call, wantedEndpoint(wanted)), secretAnswer),
    change: change(owner, endpoint, wanted, "req"),
    rotate: Effect.map(rotateSecret(call, endpoint), secretAnswer),
    remove: Effect.as(remove(owner, endpoint), "removed"),
    test: test(owner, endpoint, "req"),
    redeliver: redeliver(owner, delivery, "req")
  }
  return yield* Effect.match(doing[does], { onFailure: ({ code }) => code, onSuccess: (value) => value })
})

const viewOf = Effect.fnUntraced(function* (owner: Caller, mine: ReadonlyArray<Step>) {
  const told = yield* Effect.forEach(mine, (step) => take(owner, step))
  const held = yield* heldBy(owner)
  return { owner, held, seen: comparable({ told, held }) }
})

layer(stack, { excludeTestServices: true })("organizations and modes", (it) => {
  it.effect(
    `have endpoints and deliveries as if they were alone, and reach no one else's; seed ${seed}`,
    () =>
      Effect.gen(function* () {
        const newOwners = () => {
          const ids = [0, 1, 2, 3].map(() => caller().organizationId)
          return places.map(({ mode, place }) => caller({ organizationId: ids[place] ?? "", mode }))
        }
        for (const plan of fc.sample(steps, { numRuns: scaled(2, 60), seed })) {
          const views = (concurrency: number) =>
            Effect.forEach(
              newOwners(),
              (owner, place) =>
                viewOf(
                  owner,
                  plan.filter((step) => step.owner === place)
                ),
              { concurrency }
            )
          const crowd = yield* views(places.length)
          const alone = yield* views(1)
          expect(crowd.map(({ seen }) => seen)).toEqual(alone.map(({ seen }) => seen))
          const { change, get, remove, rotateSecret } = yield* Endpoints
          const { list, redeliver, test } = yield* Deliveries
          for (const [place, { owner }] of crowd.entries()) {
            const other = crowd[(place + 1) % crowd.length]?.held
            const attempts: ReadonlyArray<Effect.Effect<unknown, { readonly code: string }>> = [
              ...(other?.endpoints ?? []).flatMap(({ id }) => [
                get(owner, id, "req"),
                change(owner, id, { enabled: false }, "req"),
                rotateSecret(secretCall(owner), id),
                remove(owner, id),
                test(owner, id, "req"),
                list(owner, id, { limit: 1, cursor: null, status: null }, "req")
              ]),
              ...(other?.deliveries ?? []).map(({ id }) => redeliver(owner, id, "req"))
            ]
            for (const attempt of attempts)
              expect(yield* Effect.flip(attempt)).toMatchObject({ code: "NOT_FOUND" })
          }
          for (const { held, owner } of crowd) expect(yield* heldBy(owner)).toEqual(held)
        }
      })
  )
})
