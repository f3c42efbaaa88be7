import { describe, expect, it, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { isWellFormed } from "../../src/domain/ApiKey.ts"
import { ApiKeys, KeyHasher } from "../../src/storage/ApiKeys.ts"
import { Organizations } from "../../src/storage/Organizations.ts"
import { Secrets } from "../../src/storage/Secrets.ts"
import { ControlSql } from "../../src/storage/sql/Sql.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const peppered = (newest: string, ...older: ReadonlyArray<string>) =>
  KeyHasher.layer.pipe(
    Layer.provide(
      Layer.succeed(Secrets, {
        keyPeppers: [Redacted.make(newest), ...older.map((pepper) => Redacted.make(pepper))]
      })
    )
  )

const stores = Layer.mergeAll(ApiKeys.layer, Organizations.layer).pipe(
  Layer.provideMerge(peppered("new", "old")),
  Layer.provideMerge(TestDatabase.layer)
)

const forever = { scopes: ["assess", "read"], environments: null, expiresAt: null } as const

layer(stores)("ApiKeys", (it) => {
  it.effect("a key is found by its hash, with its organization, and is nowhere stored itself", () =>
    Effect.gen(function* () {
      const organization = yield* organizationNamed("acme")
      const keys = yield* ApiKeys
      const expiresAt = new Date("2030-01-02T03:04:05.678Z")
      const made = yield* keys.create(organization, {
        ...forever,
        mode: "test",
        name: "Ada",
        environments: ["staging", "sandbox"],
        expiresAt
      })
      expect(isWellFormed(made.key)).toBe(true)
      const [hash] = (yield* KeyHasher).hashes(made.key)
      expect(yield* keys.findByHash(hash)).toEqual(
        Option.some({
          caller: {
            organizationId: organization.id,
            organization: "acme",
            mode: "test",
            keyId: made.id,
            keyName: "Ada",
            scopes: ["assess", "read"],
            environments: ["staging", "sandbox"],
            policySet: "none"
          },
          expiresAt,
          revokedAt: null
        })
      )
      const stored = yield* (yield* ControlSql)`SELECT api_keys::text AS row FROM api_keys`
      expect(JSON.stringify(stored)).not.toContain(made.key.slice(9, 40))
    })
  )

  it.effect("a key made under an older pepper is found while both peppers are given", () =>
    Effect.gen(function* () {
      const organization = yield* organizationNamed("rotating")
      const made = yield* Effect.flatMap(ApiKeys, (keys) =>
        keys.create(organization, { ...forever, mode: "live" })
      ).pipe(Effect.provide(Layer.fresh(peppered("old"))))
      const [newest, older] = (yield* KeyHasher).hashes(made.key)
      const keys = yield* ApiKeys
      expect(Option.isNone(yield* keys.findByHash(newest))).toBe(true)
      expect(Option.isSome(yield* keys.findByHash(older ?? newest))).toBe(true)
    })
  )

  it.effect("a second revocation keeps the time of the first, and an unknown id fails", () =>
    Effect.gen(function* () {
      const organization = yield* organizationNamed("revoking")
      const keys = yield* ApiKeys
      const made = yield* keys.create(organization, { ...forever, mode: "live" })
      const revokedAt = yield* keys.revoke(made.id)
      expect(yield* keys.revoke(made.id)).toEqual(revokedAt)
      expect(yield* keys.list(organization)).toEqual([{ ...without(made, "key"), revokedAt }])
      for (const id of ["00000000-0000-4000-8000-000000000000", "no uuid"]) {
        expect((yield* Effect.flip(keys.revoke(id)))._tag).toBe("KeyNotFound")
      }
    })
  )

  it.effect("an organization lists only its own keys, oldest first", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const [one, other] = [yield* organizationNamed("one"), yield* organizationNamed("other")]
      const made = yield* Effect.forEach(["test", "live", "test"] as const, (mode) =>
        keys.create(one, { ...forever, mode })
      )
      yield* keys.create(other, { ...forever, mode: "live" })
      expect((yield* keys.list(one)).map(({ id }) => id)).toEqual(made.map(({ id }) => id))
    })
  )
})

const organizationNamed = (slug: string) =>
  Effect.flatMap(Organizations, (organizations) =>
    organizations.create({ slug, name: slug.toUpperCase(), policySet: "none" })
  )

const without = <A extends object, K extends keyof A>(value: A, key: K): Omit<A, K> => {
  const { [key]: _, ...rest } = value
  return rest
}

describe("a key's hashes", () => {
  it.effect("are its HMAC-SHA256 under each pepper, newest first", () =>
    Effect.gen(function* () {
      const hashes = (yield* KeyHasher).hashes("The quick brown fox jumps over the lazy dog")
      expect(hashes.map((hash) => Buffer.from(hash).toString("hex"))).toEqual([
        // The example of Wikipedia's article on HMAC.
        "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8",
        expect.stringMatching(/^(?!f7bc)[0-9a-f]{64}$/)
      ])
    }).pipe(Effect.provide(peppered("key", "old")))
  )
})
