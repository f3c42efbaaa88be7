/** The pepper is created once. A lost, truncated or different one stops the start instead of invalidating every key. */

import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AppConfig } from "../../src/config.ts"
import { Database } from "../../src/storage/Database.ts"
import { ApiKeys, KeyHasher } from "../../src/storage/ApiKeys.ts"
import { Organizations } from "../../src/storage/Organizations.ts"
import { Secrets } from "../../src/storage/Secrets.ts"
import { secretsLayer } from "../../src/storage/openSecrets.ts"
import { ControlSql } from "../../src/storage/sql/Sql.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "action-risk-secrets-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const peppersWith = (kind: "embedded" | "external", env: Record<string, string>) =>
  Effect.map(Secrets, ({ keyPeppers }) => keyPeppers.map(Redacted.value)).pipe(
    Effect.provide(
      Layer.fresh(secretsLayer).pipe(
        Layer.provide([
          Layer.succeed(Database, { kind, url: Redacted.make("unused"), logins: {} }),
          AppConfig.layerFrom(env)
        ])
      )
    )
  )

/** A key in use, under any pepper: only its existence matters here. */
const makeKey = Effect.gen(function* () {
  const organization = yield* Organizations.use(({ create, list }) =>
    Effect.flatMap(list, ([known]) =>
      known === undefined ? create({ slug: "acme", name: "Acme", policySet: "none" }) : Effect.succeed(known)
    )
  )
  const wanted = { mode: "live", scopes: ["assess"], environments: null, expiresAt: null } as const
  return yield* ApiKeys.use(({ create }) => create(organization, wanted))
}).pipe(
  Effect.provide(KeyHasher.layer),
  Effect.provideService(Secrets, { keyPeppers: [Redacted.make("any")] })
)

const revokeAll = Effect.flatMap(ControlSql, (sql) => sql`UPDATE api_keys SET revoked_at = now()`)

const long = { new: "the new pepper of this", old: "the old pepper of this" }

/** Each test begins with a database without keys in use, which accepts any pepper. */
const fresh = Effect.andThen(revokeAll, folder)

const stores = Layer.mergeAll(ApiKeys.layer, Organizations.layer).pipe(Layer.provideMerge(TestDatabase.layer))

layer(stores)("the key pepper", (it) => {
  it.effect(
    "is made once in DATA_DIR, for its owner's eyes alone, and is the same for all who start at once",
    () =>
      Effect.gen(function* () {
        const DATA_DIR = yield* fresh
        const starts = Array.from({ length: 5 }, () => peppersWith("embedded", { DATA_DIR }))
        const found = yield* Effect.all(starts, { concurrency: "unbounded" })
        expect(new Set(found.flat()).size).toBe(1)
        expect(found[0]?.[0]?.length).toBe(43)
        expect(statSync(join(DATA_DIR, "key-pepper")).mode & 0o777).toBe(0o600)
        expect(yield* peppersWith("embedded", { DATA_DIR })).toEqual(found[0])
      })
  )

  it.effect("that the operator gives is used, newest first, and none is made", () =>
    Effect.gen(function* () {
      const DATA_DIR = yield* fresh
      expect(yield* peppersWith("embedded", { DATA_DIR, KEY_PEPPER: `${long.new}, ${long.old}` })).toEqual([
        long.new,
        long.old
      ])
      expect(yield* peppersWith("external", { DATA_DIR, KEY_PEPPER: long.new })).toEqual([long.new])
      expect(() => statSync(join(DATA_DIR, "key-pepper"))).toThrow("ENOENT")
    })
  )

  it.effect("is never made for an external database: replicas would not share it", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(peppersWith("external", { DATA_DIR: yield* fresh }))
      expect(message).toMatch(/^KEY_PEPPER is unset/)
    })
  )

  it.effect("that was emptied is refused and not made again: every key would be unknown", () =>
    Effect.gen(function* () {
      const DATA_DIR = yield* fresh
      writeFileSync(join(DATA_DIR, "key-pepper"), "\n")
      const { message } = yield* Effect.flip(peppersWith("embedded", { DATA_DIR }))
      expect(message).toContain("restore it")
    })
  )

  it.effect("that is missing is not made again while keys are in use", () =>
    Effect.gen(function* () {
      const DATA_DIR = yield* fresh
      yield* makeKey
      const { message } = yield* Effect.flip(peppersWith("embedded", { DATA_DIR }))
      expect(message).toMatch(/key-pepper is missing, and 1 key in use was made under its pepper: restore it/)
      expect(() => statSync(join(DATA_DIR, "key-pepper"))).toThrow("ENOENT")
      yield* revokeAll
      expect(yield* peppersWith("embedded", { DATA_DIR })).toHaveLength(1)
    })
  )

  it.effect("that was cut is refused while keys are in use, at whatever length", () =>
    Effect.gen(function* () {
      const DATA_DIR = yield* fresh
      const path = join(DATA_DIR, "key-pepper")
      yield* peppersWith("embedded", { DATA_DIR })
      const whole = readFileSync(path)
      yield* makeKey
      for (const [bytes, said] of [
        [42, /does not contain the pepper that 1 key in use was made under: restore it/],
        [16, /does not contain the pepper/],
        [15, /contains less than 16 bytes: restore it/],
        [0, /contains less than 16 bytes: restore it/]
      ] as const) {
        truncateSync(path, bytes)
        expect(yield* Effect.flip(peppersWith("embedded", { DATA_DIR }))).toMatchObject({
          message: expect.stringMatching(said)
        })
        writeFileSync(path, whole)
      }
      expect(yield* peppersWith("embedded", { DATA_DIR })).toHaveLength(1)
    })
  )

  it.effect("is replaced through a rotation alone: old, then old and new, then new", () =>
    Effect.gen(function* () {
      const DATA_DIR = yield* fresh
      const start = (...given: ReadonlyArray<string>) =>
        Effect.match(peppersWith("external", { DATA_DIR, KEY_PEPPER: given.join(",") }), {
          onFailure: () => "refused",
          onSuccess: () => "started"
        })
      expect(yield* start(long.old)).toBe("started")
      expect(yield* start(long.new), "nothing depends on the old one").toBe("started")
      expect(yield* start(long.old)).toBe("started")
      yield* makeKey
      expect(yield* start(long.new)).toBe("refused")
      expect(yield* start(long.old, long.new)).toBe("started")
      expect(yield* start(long.new, long.old)).toBe("started")
      expect(yield* start(long.new)).toBe("started")
      expect(yield* start("yet another pepper")).toBe("refused")
      yield* revokeAll
      expect(yield* start("yet another pepper")).toBe("started")
      yield* makeKey
      expect(yield* start(long.new), "it was forgotten with its keys").toBe("refused")
    })
  )

  it.effect("is accepted once on a database that remembers none, and known from then on", () =>
    Effect.gen(function* () {
      const DATA_DIR = yield* fresh
      yield* Effect.flatMap(ControlSql, (sql) => sql`DELETE FROM pepper_checks`)
      yield* makeKey
      expect(yield* peppersWith("external", { DATA_DIR, KEY_PEPPER: long.old })).toEqual([long.old])
      yield* Effect.flip(peppersWith("external", { DATA_DIR, KEY_PEPPER: long.new }))
    })
  )

  it.effect("has at least 16 bytes", () =>
    Effect.gen(function* () {
      const DATA_DIR = yield* fresh
      const { message } = yield* Effect.flip(
        peppersWith("external", { DATA_DIR, KEY_PEPPER: "15 bytes long.." })
      )
      expect(message).toMatch(
        /^KEY_PEPPER is not in the accepted form; give a secret text of at least 16 bytes/
      )
    })
  )
})
