import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AppConfig } from "../../src/config.ts"
import { Database } from "../../src/storage/Database.ts"
import { Secrets } from "../../src/storage/Secrets.ts"
import { secretsLayer } from "../../src/storage/openSecrets.ts"

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

describe("the key pepper", () => {
  it.effect(
    "is made once in DATA_DIR, for its owner's eyes alone, and is the same for all who start at once",
    () =>
      Effect.gen(function* () {
        const DATA_DIR = yield* folder
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
      const DATA_DIR = yield* folder
      expect(yield* peppersWith("embedded", { DATA_DIR, KEY_PEPPER: "new, old" })).toEqual(["new", "old"])
      expect(yield* peppersWith("external", { DATA_DIR, KEY_PEPPER: "new" })).toEqual(["new"])
      expect(() => statSync(join(DATA_DIR, "key-pepper"))).toThrow("ENOENT")
    })
  )

  it.effect("is never made for an external database: replicas would not share it", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(peppersWith("external", { DATA_DIR: yield* folder }))
      expect(message).toMatch(/^KEY_PEPPER is unset/)
    })
  )

  it.effect("that was emptied is refused and not made anew: every key would be unknown", () =>
    Effect.gen(function* () {
      const DATA_DIR = yield* folder
      writeFileSync(join(DATA_DIR, "key-pepper"), "\n")
      const { message } = yield* Effect.flip(peppersWith("embedded", { DATA_DIR }))
      expect(message).toContain("restore it")
    })
  )
})
