import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { type SecretContext, WebhookSecrets } from "../../../src/storage/webhooks/WebhookSecrets.ts"
import { secretsUnder } from "../../support/secretsUnder.ts"

const context: SecretContext = {
  organizationId: "11111111-1111-4111-8111-111111111111",
  mode: "test",
  endpointId: "01a1f84b-0d30-7000-9c1e-2f6d8a4b7c55"
}

const bytes = Buffer.from("00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", "hex")
const secret = Redacted.make(`whsec_${bytes.toString("base64")}`)

const sealedUnder = (...peppers: readonly [string, ...ReadonlyArray<string>]) =>
  Effect.map(WebhookSecrets, ({ seal }) => seal(context, secret)).pipe(
    Effect.provide(secretsUnder(...peppers))
  )

const openedUnder = (
  sealed: Uint8Array,
  of: SecretContext,
  ...peppers: readonly [string, ...ReadonlyArray<string>]
) =>
  Effect.flatMap(WebhookSecrets, ({ open }) => open(of, sealed)).pipe(
    Effect.provide(secretsUnder(...peppers)),
    Effect.map(Redacted.value),
    Effect.catchTag("SecretUnreadable", ({ reason }) => Effect.succeed(reason))
  )

describe("an encrypted webhook secret", () => {
  it.effect("opens under the pepper that sealed it, wherever that is in the list, and under no other", () =>
    Effect.gen(function* () {
      const sealed = yield* sealedUnder("one")
      expect(yield* openedUnder(sealed, context, "one")).toBe(Redacted.value(secret))
      expect(yield* openedUnder(sealed, context, "three", "two", "one")).toBe(Redacted.value(secret))
      expect(yield* openedUnder(sealed, context, "two", "three")).toBe("unknown_pepper")
    })
  )

  it.effect("is another one every time, and shows neither the secret nor the pepper", () =>
    Effect.gen(function* () {
      const all = yield* Effect.all(Array.from({ length: 50 }, () => sealedUnder("a pepper of some length")))
      expect(new Set(all.map((sealed) => Buffer.from(sealed).toString("hex"))).size).toBe(50)
      for (const sealed of all) {
        const text = Buffer.from(sealed).toString("latin1")
        for (const hidden of [bytes.toString("latin1"), bytes.toString("base64"), "whsec_", "a pepper"])
          expect(text).not.toContain(hidden)
      }
    })
  )

  it.effect("opens for no one else: another organization, mode or endpoint", () =>
    Effect.gen(function* () {
      const sealed = yield* sealedUnder("one")
      const others: ReadonlyArray<Partial<SecretContext>> = [
        { organizationId: "22222222-2222-4222-8222-222222222222" },
        { mode: "live" },
        { endpointId: "01a1f84b-0d30-7000-9c1e-2f6d8a4b7c56" }
      ]
      for (const other of others)
        expect(yield* openedUnder(sealed, { ...context, ...other }, "one")).toBe("damaged")
    })
  )

  it.effect("does not open with any one bit turned, cut off or with more behind it", () =>
    Effect.gen(function* () {
      const sealed = Buffer.from(yield* sealedUnder("one"))
      const damaged = [
        ...Array.from(sealed.keys(), (at) => {
          const copy = Buffer.from(sealed)
          copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
          return copy
        }),
        ...[0, 1, 7, 8, 20, 35, sealed.length - 1].map((length) => sealed.subarray(0, length)),
        Buffer.concat([sealed, Buffer.alloc(1)])
      ]
      for (const one of damaged)
        expect(["damaged", "unknown_pepper"]).toContain(yield* openedUnder(one, context, "one"))
    })
  )
})
