import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { KeyHasher } from "../../src/storage/ApiKeys.ts"
import { Secrets } from "../../src/storage/Secrets.ts"

const peppers = Layer.succeed(Secrets, { keyPeppers: [Redacted.make("key"), Redacted.make("old")] })

describe("a key's hashes", () => {
  it.effect("are its HMAC-SHA256 by each pepper, newest first", () =>
    Effect.gen(function* () {
      const hashes = (yield* KeyHasher).hashes("The quick brown fox jumps over the lazy dog")
      expect(hashes.map((hash) => Buffer.from(hash).toString("hex"))).toEqual([
        // The example of Wikipedia's article on HMAC.
        "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8",
        expect.stringMatching(/^(?!f7bc)[0-9a-f]{64}$/)
      ])
    }).pipe(Effect.provide(KeyHasher.layer.pipe(Layer.provide(peppers))))
  )
})
