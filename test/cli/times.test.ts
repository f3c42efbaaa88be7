import { describe, expect, it } from "@effect/vitest"
import { parseDurationMs } from "../../src/cli/flags.ts"

describe("a duration", () => {
  it.each([
    ["2s", 2_000],
    ["15m", 900_000],
    ["12h", 43_200_000],
    ["30d", 2_592_000_000],
    ["36500d", 3_153_600_000_000]
  ])("%s is %d ms", (text, ms) => expect(parseDurationMs(text)).toBe(ms))

  it.each([
    "",
    "0s",
    "30",
    "d",
    "-1d",
    "1.5h",
    "1e3s",
    "30D",
    " 30d",
    "30d ",
    "1w",
    "1h30m",
    "36501d",
    "9999999999d",
    "01d"
  ])("%j is none", (text) => expect(parseDurationMs(text)).toBe(null))
})
