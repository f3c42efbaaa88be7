import { Result } from "effect"
import fc from "fast-check"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { parseRuleJson } from "../../../src/rules/files/readJson.ts"
import { seed, tries } from "../../support/depth.ts"

const read = (text: string) => parseRuleJson(Buffer.from(text))

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const sample = readFileSync(
  join(import.meta.dirname, "../check/clean/policies/house/exports-ask-legal.json"),
  "utf8"
)

/** The sample with a part replaced by a few JSON characters. */
const spoilt = fc
  .record({
    at: fc.nat(sample.length - 1),
    length: fc.nat(3),
    by: fc.string({
      unit: fc.constantFrom(..."{}[]:,\"'\\/*-+.01eEtrue \n\t\u0000é"),
      maxLength: 3
    })
  })
  .map(({ at, by, length }) => sample.slice(0, at) + by + sample.slice(at + length))

/** Keys in `{"a":…}` differ only by their names. */
const documents = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(1, "a:b", '"', "\\", "{", true, null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b:c", 'd"e', "f\\"), tie("value"))
  )
})).value

/** Fewer cases than the theorems of the score are tried on: mistakes in a reader of texts show early. */
const theorem = <A>(claim: string, cases: fc.Arbitrary<A>, holds: (one: A) => boolean) =>
  it(claim, () => fc.assert(fc.property(cases, holds), { numRuns: tries(3_000), seed }))

describe("a rule file", () => {
  theorem("is read as JSON.parse does, however it is laid out", documents, (json) =>
    [undefined, 2, "\t"].every((space) => {
      const result = read(JSON.stringify(json, null, space))
      return Result.isSuccess(result) && JSON.stringify(result.success) === JSON.stringify(json)
    })
  )

  theorem("that is not JSON has one problem, one sentence with a place in the text", spoilt, (text) => {
    const result = read(text)
    if (parses(text))
      return Result.isSuccess(result) || result.failure.every(({ rule }) => rule !== "not-json")
    if (Result.isSuccess(result)) return false
    const [{ message, offset } = { message: "", offset: -1 }, ...more] = result.failure
    const placed = offset !== undefined && offset >= 0 && offset <= text.length
    return more.length === 0 && placed && message !== "" && !/\n|^[A-Z]|\.$/.test(message)
  })

  it.each([
    [`{"a":1,"a":2}`, [7]],
    [`{"a":{"b":1,"c":2,"b":3},"a":[{"d":0,"d":0}]}`, [18, 25, 37]],
    [`{"a":"\\"a\\":","b":{"a":1}}`, []],
    [`{"é":1,"\\u00e9":2}`, [7]]
  ])("%s repeats its keys at %j", (text, offsets) => {
    const result = read(text)
    const found = Result.isFailure(result) ? result.failure.map(({ offset }) => offset) : []
    expect(found).toEqual(offsets)
  })

  it("that nests too deep is refused before any function recurses over it", () => {
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`
    expect(Result.isSuccess(read(nested(32)))).toBe(true)
    for (const text of [nested(33), nested(400_000), `{"a":"${nested(40)}","b":${nested(33)}`]) {
      const result = read(text)
      expect(Result.isFailure(result) ? result.failure.map(({ rule }) => rule) : []).toEqual([
        "unreadable-file"
      ])
    }
    expect(Result.isSuccess(read(`{"a":"${nested(40)}"}`))).toBe(true)
  })
})
