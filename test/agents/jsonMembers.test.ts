import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { membersOf, objectOf } from "../../src/agents/jsonMembers.ts"
import { theorem } from "../support/theorem.ts"

const object = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue(), { maxKeys: 6 })
const written = fc
  .tuple(object, fc.constantFrom(undefined, 2, "\t"))
  .map(([value, indent]) => JSON.stringify(value, null, indent))

describe("the members of an object", () => {
  theorem("are the texts of its values, in order", written, (text) => {
    const read = [...membersOf(text)].map(([key, member]) => [key, JSON.parse(member)])
    return JSON.stringify(read) === JSON.stringify(Object.entries(JSON.parse(text)))
  })

  theorem("make the same object again", written, (text) => {
    return JSON.stringify(JSON.parse(objectOf(membersOf(text)))) === JSON.stringify(JSON.parse(text))
  })

  it("keep every digit, escape and space within a value", () => {
    const text = String.raw`{ "a" : 1.0000000000000000001 , "\u0062":"\\\"}", "c":[ 1, {"a": "]"} ]}`
    expect([...membersOf(text)]).toEqual([
      ["a", "1.0000000000000000001"],
      ["b", String.raw`"\\\"}"`],
      ["c", '[ 1, {"a": "]"} ]']
    ])
    expect(membersOf("{}").size).toBe(0)
  })
})
