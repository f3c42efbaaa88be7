/** How a receiver asks for a later retry. */

import { describe, expect, it } from "vitest"
import { webhookRetryAfterSecondsMax } from "../../../src/limits.ts"
import { parseRetryAfter } from "../../../src/webhooks/egress/post.ts"

const nowMs = Date.UTC(2026, 2, 1, 12, 0, 0, 250)

describe("retryAfterSeconds", () => {
  it.each([
    ["120", 120],
    [" 7 ", 7],
    ["0", 0],
    ["007", 7],
    ["Sun, 01 Mar 2026 12:01:00 GMT", 60],
    ["Sun, 01 Mar 2026 11:00:00 GMT", 0],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0]
  ])("understands %j", (header, seconds) => {
    expect(parseRetryAfter(header, nowMs)).toBe(seconds)
  })

  it.each(["86401", "99999999999999999999999999", "9".repeat(9_000), "Fri, 31 Dec 9999 23:59:59 GMT"])(
    "limits an absurd time to the maximum: %.40s",
    (header) => {
      expect(parseRetryAfter(header, nowMs)).toBe(webhookRetryAfterSecondsMax)
    }
  )

  it.each([
    undefined,
    "",
    "-1",
    "+5",
    "1.5",
    "1e3",
    "0x10",
    "12 s",
    "5, 10",
    "soon",
    "Infinity",
    "NaN",
    "2026-03-01T12:01:00Z",
    "Sun, 99 Mar 2026 12:01:00 GMT",
    "Sun, 01 Mar 2026 12:01:00 CET",
    "Sun, 01 Foo 2026 12:01:00 GMT"
  ])("understands nothing in %j", (header) => {
    expect(parseRetryAfter(header, nowMs)).toBeNull()
  })
})
