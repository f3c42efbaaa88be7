import { PassThrough } from "node:stream"
import { WriteStream } from "node:tty"
import { afterEach, describe, expect, it, vi } from "vitest"
import { bar, currentTerminal, plainTerminal, table, type Terminal, wrap } from "../../src/cli/Terminal.ts"

const colored: Terminal = { width: 80, color: (style, text) => `<${style}>${text}</>` }

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

  it("never writes past the width when words fit", () => {
    const row = ["MODERATE", "SOME_CODE", "words ".repeat(60).trim()]
    for (const width of [60, 80, 120]) {
      for (const line of table(plainTerminal(width), [row])) expect(line.length).toBeLessThanOrEqual(width)
    }
  })

  it("ignores colors when it measures", () => {
    const rows = [
      [{ text: "high", style: "red" as const }, "x"],
      ["critical", "y"]
    ]
    expect(table(colored, rows)).toEqual([
      "  <red>high</>      <plain>x</>",
      "  <plain>critical</>  <plain>y</>"
    ])
  })

  it("aligns cells to the right on request", () => {
    const rows = [
      [{ text: "5", align: "right" as const }, "x"],
      [{ text: "100", align: "right" as const }, "y"]
    ]
    expect(table(plainTerminal(80), rows)).toEqual(["    5  x", "  100  y"])
  })

  it("without rows has no lines", () => {
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

/** Standard output of a terminal with that many columns. */
const screen = (columns: number): NodeJS.WriteStream =>
  Object.assign(new PassThrough() as unknown as WriteStream & { fd: 1 }, {
    isTTY: true,
    columns,
    getColorDepth: WriteStream.prototype.getColorDepth
  })

afterEach(() => vi.unstubAllEnvs())

describe("a terminal", () => {
  it("is as wide as it says, up to 120 columns", () => {
    expect([80, 120, 300].map((columns) => currentTerminal(screen(columns)).width)).toEqual([80, 120, 120])
  })

  it("is colored", () => {
    // Node also takes colors from the name of the terminal and from the build servers that it knows.
    for (const name of ["NO_COLOR", "FORCE_COLOR", "CI", "NODE_DISABLE_COLORS"]) vi.stubEnv(name, undefined)
    vi.stubEnv("TERM", "xterm-256color")
    expect(currentTerminal(screen(80)).color("red", "high")).not.toBe("high")
  })

  it("is not colored where NO_COLOR is set", () => {
    vi.stubEnv("NO_COLOR", "1")
    vi.stubEnv("FORCE_COLOR", undefined)
    expect(currentTerminal(screen(80)).color("red", "high")).toBe("high")
  })
})

describe("a plain terminal", () => {
  it("is never colored", () => {
    vi.stubEnv("FORCE_COLOR", "1")
    expect(plainTerminal(80).color("alarm", "critical")).toBe("critical")
  })
})
