/** Retries follow the schedule of Standard Webhooks, and are never earlier. */

import fc from "fast-check"
import { expect, it } from "vitest"
import { webhookDelaysSeconds } from "../../src/limits.ts"
import { calculateRetryDelayMs } from "../../src/webhooks/deliver.ts"

const minutes = 60
const hours = 60 * minutes

/** As the contract lists them, the immediate attempt left out. */
const delays = [
  5,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  14 * hours,
  20 * hours,
  24 * hours
]

const attempt = fc.integer({ min: 1, max: delays.length })
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const retryAfterSeconds = fc.option(fc.integer({ min: 0, max: 10 ** 9 }), { nil: null })

it("there are ten attempts over 75.6 hours if the receiver asks for no wait", () => {
  const middle = (n: number) => calculateRetryDelayMs({ attempt: n, random: 0.5, retryAfterSeconds: null })
  expect(webhookDelaysSeconds).toEqual(delays)
  expect(delays.map((_, i) => middle(i + 1))).toEqual(delays.map((delay) => delay * 1_000))
  expect(middle(10)).toBe(null)
  expect((delays.reduce((sum, delay) => sum + delay, 0) / hours).toFixed(1)).toBe("75.6")
})

it("the jitter lengthens or shortens each wait by up to a tenth", () => {
  const share = (n: number, chance: number) =>
    (calculateRetryDelayMs({ attempt: n, random: chance, retryAfterSeconds: null }) ?? 0) /
    1_000 /
    (delays[n - 1] ?? 0)
  fc.assert(
    fc.property(attempt, random, (n, chance) => {
      expect(share(n, chance)).toBeGreaterThanOrEqual(0.9)
      expect(share(n, chance)).toBeLessThanOrEqual(1.1001)
    })
  )
  expect(share(3, 0)).toBe(0.9)
  expect(share(3, 0.999_999)).toBeGreaterThan(1.099)
})

it("a wait is as long as the receiver asks, at most a day, and never shorter than the schedule", () => {
  fc.assert(
    fc.property(attempt, random, retryAfterSeconds, (n, chance, asked) => {
      const own = calculateRetryDelayMs({ attempt: n, random: chance, retryAfterSeconds: null }) ?? 0
      const next = calculateRetryDelayMs({ attempt: n, random: chance, retryAfterSeconds: asked })
      expect(next).toBe(Math.max(own, Math.min(asked ?? 0, 24 * hours) * 1_000))
    })
  )
})

it("there is no attempt after the tenth, whatever the receiver asks for", () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 1_000 }), random, retryAfterSeconds, (n, chance, asked) => {
      expect(calculateRetryDelayMs({ attempt: n, random: chance, retryAfterSeconds: asked })).toBe(null)
    })
  )
})
