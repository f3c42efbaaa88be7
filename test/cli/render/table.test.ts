import { describe, expect, it } from "vitest"
import { bar, plainTerminal, table, type Terminal, wrap } from "../../../src/cli/Terminal.ts"

const coloured: Terminal = { width: 80, color: (style, text) => `<${style}>${text}</>` }

describe("a table", () => {
  it("aligns its columns by the longest cell", () => {
    expect(
      table(plainTerminal(80), [
        ["a", "one"],
        ["longer", "two"]
      ])
    ).toEqual(["  a       one", "  longer  two"])
  })

  it("wraps its last column under itself", () => {
    const row = ["code", "the quick brown fox jumps over the lazy dog"]
    expect(table(plainTerminal(32), [row])).toEqual([
      "  code  the quick brown fox",
      "        jumps over the lazy dog"
    ])
  })

  it("never writes past the sheet when words fit", () => {
    const row = ["MODERATE", "SOME_CODE", "words ".repeat(60).trim()]
    for (const width of [60, 80, 120]) {
      for (const line of table(plainTerminal(width), [row])) expect(line.length).toBeLessThanOrEqual(width)
    }
  })

  it("leaves colour out of its measures", () => {
    const rows = [
      [{ text: "high", style: "red" as const }, "x"],
      ["critical", "y"]
    ]
    expect(table(coloured, rows)).toEqual([
      "  <red>high</>      <plain>x</>",
      "  <plain>critical</>  <plain>y</>"
    ])
  })

  it("sets figures to the right where told so", () => {
    const rows = [
      [{ text: "5", align: "right" as const }, "x"],
      [{ text: "100", align: "right" as const }, "y"]
    ]
    expect(table(plainTerminal(80), rows)).toEqual(["    5  x", "  100  y"])
  })

  it("of nothing is nothing", () => {
    expect(table(plainTerminal(80), [])).toEqual([])
  })
})

describe("wrapped text", () => {
  it("keeps a word that is longer than the line whole", () => {
    expect(wrap("see https://example.com/a/very/long/path now", 10)).toEqual([
      "see",
      "https://example.com/a/very/long/path",
      "now"
    ])
  })
})

describe("a bar", () => {
  it("is empty at 0, full at 100, and shows every score above 0", () => {
    expect([0, 1, 50, 100].map((score) => bar(score).replaceAll("░", "").length)).toEqual([0, 1, 10, 20])
  })
})
