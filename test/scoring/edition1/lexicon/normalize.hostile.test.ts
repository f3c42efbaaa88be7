/** Names made to be slow or to break something. */

import { describe, expect, it } from "vitest"
import { actionTypeMax } from "../../../../src/limits.ts"
import { normalize } from "../../../../src/scoring/edition1/lexicon/normalize.ts"
import { lexicon } from "../../../support/lexicon.ts"

const full = (part: string): string => [...part.repeat(actionTypeMax)].slice(0, actionTypeMax).join("")

const hostile = [
  "a_",
  "aB",
  "delete_",
  "LogIn",
  "log_in_",
  "blog_post_",
  "mcp_",
  "github.",
  "create_refund_",
  "*",
  ".",
  "_",
  "\u0435",
  "\ufdfa",
  "\u{1d4b9}\u{1d452}",
  "a\u0301",
  "\u200b",
  "\ud800",
  "\udc00a",
  "\u{1f5d1}",
  "\u5220a",
  "\u0000"
]

/** The fastest of many, each short enough to be left alone by the other processes of the machine. */
const microseconds = (actionType: string): number => {
  const once = (): number => {
    const start = performance.now()
    normalize({ actionType, targetResource: actionType }, lexicon)
    return (performance.now() - start) * 1_000
  }
  return Math.min(...Array.from({ length: 150 }, once))
}

describe("a hostile name", () => {
  it.each(hostile)("of %j over and over is normalized, and fast", (part) => {
    const name = full(part)
    expect(normalize({ actionType: name }, lexicon).type).toMatch(/^[a-z0-9_]+\.[a-z0-9_]+$/)
    expect(microseconds(name)).toBeLessThan(5_000)
  })

  it.each(["aB", "delete_", "log_in_", "blog_post_", "create_refund_", "mcp_", "\u0435"])(
    "of %j takes time in proportion to its length, also far beyond the limit",
    (part) => {
      const short = microseconds(part.repeat(200))
      const long = microseconds(part.repeat(1_600))
      // Eight times as long; a quadratic step would make it sixty-four.
      expect(long).toBeLessThan(short * 32)
    }
  )

  it("keeps its class when its canonical type has to be shortened", () => {
    const long = normalize({ actionType: `${"AbCd".repeat(38)}Delete` }, lexicon)
    expect(long).toMatchObject({ class: "delete", extent: "single" })
    expect(long.type).toMatch(/^x[0-9a-f]{8}\.delete$/)
  })
})
