/** SECURITY.md names existing tests and documents, and the numbers of src/limits.ts. */

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as Limits from "../src/limits.ts"

const root = join(import.meta.dirname, "..")
const text = readFileSync(join(root, "SECURITY.md"), "utf8")

/** The cells of the rows of the table below a heading, without its head. */
const rowsBelow = (heading: string): ReadonlyArray<ReadonlyArray<string>> => {
  const section = text.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? ""
  return section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim())
    )
}

const codesIn = (cell: string): ReadonlyArray<string> =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)

const isThere = (path: string) => existsSync(join(root, path))

describe("SECURITY.md", () => {
  it("names a test for each invariant, and each is there", () => {
    const invariants = rowsBelow("Invariants")
    expect(invariants.length).toBeGreaterThanOrEqual(15)
    const unheld = invariants.filter(([, tests = ""]) => {
      const files = codesIn(tests)
      return files.length === 0 || !files.every((file) => /^test\/.+\.test\.ts$/.test(file) && isThere(file))
    })
    expect(unheld).toEqual([])
  })

  it("has the numbers that the service has", () => {
    const limits = rowsBelow("Limits")
    expect(limits.length).toBeGreaterThanOrEqual(15)
    const known: Readonly<Record<string, unknown>> = Limits
    const real = limits.map(([limit, , name = ""]) => {
      const value = known[codesIn(name)[0] ?? ""]
      return [limit, typeof value === "number" ? value.toLocaleString("en-US") : "no such limit", name]
    })
    expect(limits).toEqual(real)
  })

  it("has for each known bypass an id of its own, a decision, a reason and a document that is there", () => {
    const bypasses = rowsBelow("Known bypasses")
    expect(bypasses.map(([id]) => id)).toEqual(bypasses.map((_, i) => `R${i + 1}`))
    const undecided = bypasses.filter(([, passes = "", decision = "", why = "", told = ""]) => {
      const [document = ""] = codesIn(told)
      const isTold = /^docs\/.+\.md$/.test(document) && isThere(document)
      return passes === "" || why === "" || !isTold || !["accepted", "raised", "yours"].includes(decision)
    })
    expect(undecided).toEqual([])
  })

  it("names no person and no address", () => {
    expect(text).not.toMatch(/[\w.]+@[\w.]+|https?:\/\//)
  })
})
