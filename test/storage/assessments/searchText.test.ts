import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isSearchable, searchPattern, searchText } from "../../../src/storage/assessments/listAssessments.ts"

/** Matches like LIKE with a pattern whose only wildcards are the outer two. */
const matches = (text: string, pattern: string): boolean =>
  text.includes(pattern.slice(1, -1).replaceAll(/\\(.)/gsu, "$1"))

const finds = (query: string, ...fields: ReadonlyArray<string | undefined>): boolean =>
  isSearchable(query) && matches(searchText(fields), searchPattern(query))

const text = fc.string({
  unit: fc.oneof(
    fc.string({ minLength: 1, maxLength: 1 }),
    fc.constantFrom("Σ", "ς", "İ", "ß", "%", "_", "\\")
  )
})

describe("searchText", () => {
  it("every part of a field is found, in either case", () => {
    fc.assert(
      fc.property(text, text, text, (before, part, after) => {
        fc.pre(!part.includes("\u001F"))
        expect(finds(part, "other", before + part + after)).toBe(true)
        expect(finds(part.toUpperCase(), before + part + after)).toBe(true)
      })
    )
  })

  it("nothing spans two fields", () => {
    expect(finds("rb", "customer", "billing")).toBe(false)
    expect(finds("r\u001Fb", "customer", "billing")).toBe(false)
    expect(finds("\u001F", "customer", "billing")).toBe(false)
  })

  it("a field left out leaves no trace", () => {
    expect(finds("undefined", "customer", undefined)).toBe(false)
  })

  it("a final sigma is found by any sigma", () => {
    expect(finds("ας", "ΣΑΣΑ")).toBe(true)
    expect(finds("ΑΣ", "σας")).toBe(true)
  })

  it("wildcards of LIKE stand for themselves", () => {
    expect(searchPattern("50%_\\")).toBe("%50\\%\\_\\\\%")
  })
})
