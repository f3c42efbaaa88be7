import { PassThrough } from "node:stream"
import { WriteStream } from "node:tty"
import { afterEach, describe, expect, it, vi } from "vitest"
import { currentTerminal, plainTerminal } from "../../../src/cli/Terminal.ts"

/** Standard output as a terminal of that many columns would have it. */
const screen = (columns: number): NodeJS.WriteStream =>
  Object.assign(new PassThrough() as unknown as WriteStream & { fd: 1 }, {
    isTTY: true,
    columns,
    getColorDepth: WriteStream.prototype.getColorDepth
  })

afterEach(() => vi.unstubAllEnvs())

describe("a terminal", () => {
  it("is as wide as it says, up to where lines get tiring", () => {
    expect([80, 120, 300].map((columns) => currentTerminal(screen(columns)).width)).toEqual([80, 120, 120])
  })

  it("is coloured", () => {
    // Node also reads colours off the terminal's name, and off the build servers that it knows.
    for (const name of ["NO_COLOR", "FORCE_COLOR", "CI", "NODE_DISABLE_COLORS"]) vi.stubEnv(name, undefined)
    vi.stubEnv("TERM", "xterm-256color")
    expect(currentTerminal(screen(80)).color("red", "high")).not.toBe("high")
  })

  it("is not coloured where NO_COLOR is set", () => {
    vi.stubEnv("NO_COLOR", "1")
    vi.stubEnv("FORCE_COLOR", undefined)
    expect(currentTerminal(screen(80)).color("red", "high")).toBe("high")
  })
})

describe("paper", () => {
  it("is never coloured", () => {
    vi.stubEnv("FORCE_COLOR", "1")
    expect(plainTerminal(80).color("alarm", "critical")).toBe("critical")
  })
})
