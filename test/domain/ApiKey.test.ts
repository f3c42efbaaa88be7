import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { formatKey, isWellFormed } from "../../src/domain/ApiKey.ts"
import { modes } from "../../src/domain/Caller.ts"

const random32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const anyKey = fc.tuple(fc.constantFrom(...modes), random32).map(([mode, random]) => formatKey(mode, random))

/** Computed by another program: Python's `zlib.crc32` and integer arithmetic. */
const vectors = [
  {
    mode: "test",
    random: new Uint8Array(32),
    key: "svc_test_00000000000000000000000000000000000000000001ysabI"
  },
  {
    mode: "live",
    random: new Uint8Array(32).fill(255),
    key: "svc_live_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp144yjiy"
  },
  {
    mode: "test",
    random: Uint8Array.from({ length: 32 }, (_, index) => index),
    key: "svc_test_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf1C1uIq"
  }
] as const

describe("an API key", () => {
  it.each(vectors)("of the $mode mode is spelled as the contract says: $key", ({ key, mode, random }) => {
    expect(formatKey(mode, random)).toBe(key)
    expect(isWellFormed(key)).toBe(true)
  })

  it("is well-formed and of constant length, and names its mode", () => {
    fc.assert(
      fc.property(fc.constantFrom(...modes), random32, (mode, random) => {
        const key = formatKey(mode, random)
        expect(key).toMatch(/^svc_(test|live)_[0-9A-Za-z]{49}$/)
        expect(key.startsWith(`svc_${mode}_`)).toBe(true)
        expect(isWellFormed(key)).toBe(true)
      })
    )
  })

  it("keeps every random bit: the characters are the number in Base62, big-endian", () => {
    const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    fc.assert(
      fc.property(random32, (random) => {
        const body = formatKey("live", random).slice("svc_live_".length, -6)
        const number = [...body].reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n)
        expect(number).toBe(BigInt(`0x${Buffer.from(random).toString("hex")}`))
      })
    )
  })

  it("with any one character changed, dropped or added is not well-formed", () => {
    const character = fc.constantFrom(..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_- ")
    fc.assert(
      fc.property(anyKey, fc.nat(57), character, (key, index, other) => {
        const position = index % key.length
        fc.pre(key[position] !== other)
        const [before, after] = [key.slice(0, position), key.slice(position + 1)]
        expect(isWellFormed(before + other + after)).toBe(false)
        expect(isWellFormed(before + after)).toBe(false)
        expect(isWellFormed(before + other + key.slice(position))).toBe(false)
      })
    )
  })

  it("with two neighbours swapped is not well-formed", () => {
    fc.assert(
      fc.property(anyKey, fc.nat(56), (key, position) => {
        const [one, two] = [key.charAt(position), key.charAt(position + 1)]
        fc.pre(one !== two)
        expect(isWellFormed(key.slice(0, position) + two + one + key.slice(position + 2))).toBe(false)
      })
    )
  })

  it("is not any other text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => !isWellFormed(text)))
  })
})
