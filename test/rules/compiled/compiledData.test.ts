import fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import { describe, expect, it } from "vitest"
import { encodeData } from "../../../src/rules/compiled/encodeData.ts"
import { openData } from "../../../src/rules/compiled/openData.ts"
import { propertyRuns, tries } from "../../support/depth.ts"

const key = fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), fc.constantFrom("size", "get", "0", "-1"))

const anyData = fc.letrec<{ data: unknown }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(undefined, null, true, false, "", 0, -7, 0.25, Number.MAX_SAFE_INTEGER, /a|\/b/gi, 12n),
    fc.string({ unit: "grapheme" }),
    fc.array(tie("data"), { maxLength: 5 }),
    fc.dictionary(key, tie("data"), { maxKeys: 5, noNullPrototype: true }),
    fc.array(tie("data"), { maxLength: 5 }).map((values) => new Set(values)),
    fc.array(fc.tuple(key, tie("data")), { maxLength: 5 }).map((entries) => new Map(entries))
  )
})).data

/** Tables as maps, so that they can be compared. */
const plain = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || value instanceof RegExp) return value
  if (value instanceof Set) return new Set([...value].map(plain))
  if (Array.isArray(value)) return value.map(plain)
  if (Symbol.iterator in value)
    return new Map([...(value as Iterable<[unknown, unknown]>)].map(([one, other]) => [one, plain(other)]))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

const reopened = (data: unknown): unknown => openData(encodeData(data))

describe("compiled data", () => {
  it("is read as it was written, whatever it is", () => {
    fc.assert(
      fc.property(anyData, (data) => {
        expect(isDeepStrictEqual(plain(reopened({ data })), { data })).toBe(true)
      }),
      { numRuns: propertyRuns }
    )
  })

  const table = (size: number) =>
    new Map(Array.from({ length: size }, (_, at) => [`key ${at * at} é${at % 3 === 0 ? "→" : ""}`, { at }]))

  it("keeps the keys of a large map in their order, and finds each of them and no other", () => {
    const map = table(5_000)
    const opened = reopened({ map }) as { readonly map: ReadonlyMap<string, unknown> }
    expect(opened.map).not.toBeInstanceOf(Map)
    expect([...opened.map]).toEqual([...map])
    expect([...opened.map.keys()]).toEqual([...map.keys()])
    expect([...opened.map.values()]).toEqual([...map.values()])
    expect(opened.map.size).toBe(map.size)
    for (const [name, value] of map)
      expect([opened.map.has(name), opened.map.get(name)]).toEqual([true, value])
    for (const name of ["", "key", "key 2 é", "key 1", "KEY 1 é"])
      expect([opened.map.has(name), opened.map.get(name)]).toEqual([false, undefined])
  })

  it("keeps an object that two places share one object, also in values of tables", () => {
    const shared = { word: "one" }
    const map = new Map([...table(100)].map(([name]) => [name, { shared }]))
    const opened = reopened({ map, shared }) as {
      readonly map: ReadonlyMap<string, { readonly shared: unknown }>
      readonly shared: unknown
    }
    for (const value of opened.map.values()) expect(value.shared).toBe(opened.shared)
  })

  it("gives the same whatever is asked first", () => {
    const map = new Map([...table(200)].map(([name, value]) => [name, [value, { name }, new Set([name])]]))
    const bytes = encodeData({ map })
    fc.assert(
      fc.property(fc.shuffledSubarray([...map.keys()]), (names) => {
        const opened = openData(bytes) as { readonly map: ReadonlyMap<string, unknown> }
        for (const name of names) expect(opened.map.get(name)).toEqual(map.get(name))
        expect([...opened.map]).toEqual([...map])
      }),
      { numRuns: tries(300) }
    )
  })

  it.each([
    ["a function", { isKnown: () => true }],
    ["an object of a class", { at: new Date(0) }],
    ["a number that JSON cannot say", { at: Number.NaN }],
    ["a zero below zero", { at: -0 }]
  ])("refuses %s, which would be read as something else", (_, data) => {
    expect(() => encodeData(data)).toThrow(/compiled data is plain/)
  })

  it("is not opened where any byte is another one, or the file is cut", () => {
    const bytes = encodeData({ map: table(300), words: new Set(["a", "b"]) })
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ change
        expect(openData(changed)).toBeUndefined()
      }),
      { numRuns: propertyRuns }
    )
    for (const length of [0, 3, 8, 100, bytes.length - 1])
      expect(openData(Buffer.from(bytes.subarray(0, length)))).toBeUndefined()
    expect(openData(Buffer.concat([bytes, Buffer.alloc(4)]))).toBeUndefined()
  })
})
