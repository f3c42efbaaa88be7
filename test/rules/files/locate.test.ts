import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { locateFindings, locator } from "../../../src/rules/files/locate.ts"

const root = mkdtempSync(join(tmpdir(), "action-risk-locate-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const file = "f.json"
const place = (text: string, path: ReadonlyArray<PropertyKey>, at?: "key") => {
  writeFileSync(join(root, file), text)
  const { column, line } = locator(root)({ file, path, ...(at === undefined ? {} : { at }) })
  return `${line}:${column}`
}

describe("a finding", () => {
  it.each([
    [`{"a":{"b":[1, 2]}}`, ["a", "b", 1], undefined, "1:15"],
    [`{"a":{"b":[1, 2]}}`, ["a", "b"], "key", "1:7"],
    [`{\n  "a": {\n    "b": 1\n  }\n}`, ["a", "b"], undefined, "3:10"],
    [`{\r\n\t"a":\t1\r\n}`, ["a"], undefined, "2:7"],
    [`{"é𝔸": 1, "b": 2}`, ["b"], undefined, "1:17"],
    [`{"a":{"b":1}}`, ["a", "missing"], undefined, "1:6"],
    [`{"a":1}`, ["a", "b", 3, "c"], "key", "1:2"],
    [`{"a":1}`, [], undefined, "1:1"],
    [`{"a": `, ["a"], undefined, "1:1"],
    [``, ["a"], undefined, "1:1"]
  ] as const)("in %j about %j (%s) is at %s", (text, path, at, expected) => {
    expect(place(text, path, at)).toBe(expected)
  })

  it("about an unreadable file is on its first line", () => {
    expect(locator(root)({ file: "none.json", path: ["a"] })).toEqual({ line: 1, column: 1 })
    expect(locator(root)({ file: "rules/releases/1.0.0.json (X)", path: ["a"] })).toEqual({
      line: 1,
      column: 1
    })
  })

  it("has one line of message, the severity of its lint, and a place among the others by file, line and column", () => {
    writeFileSync(join(root, file), `{"a":1,\n"b":2}`)
    const found = locateFindings(root, [
      { rule: "uncovered", file, path: ["b"], message: "two\nlines" },
      { rule: "unknown-key", file, path: ["a"], at: "key", message: "m", suggestion: "s" },
      { rule: "unknown-key", file: "e.json", path: [], message: "m" }
    ])
    expect(found).toEqual([
      { rule: "unknown-key", severity: "error", file: "e.json", line: 1, column: 1, message: "m" },
      { rule: "unknown-key", severity: "error", file, line: 1, column: 2, message: "m", suggestion: "s" },
      { rule: "uncovered", severity: "warning", file, line: 2, column: 5, message: "two lines" }
    ])
  })
})
