/** How a soak test measures growth: it detects a leak despite pools that change size, and reports none if only the pools change. */

import { expect, it } from "vitest"
import { least, middle, type Sample, slopePerMinute } from "../../bench/soak/samples.ts"

/** An hour, a sample each second. */
const hourOf = (descriptorsAt: (second: number) => number): ReadonlyArray<Sample> =>
  Array.from({ length: 3_600 }, (_, seconds) => ({
    atMs: seconds * 1_000,
    seconds,
    heapMb: 100 + (seconds % 20),
    residentMb: 200,
    descriptors: descriptorsAt(seconds),
    answered: 1,
    partial: 0,
    medianMs: 1,
    p99Ms: 1
  }))

const descriptorsMax = 0.05
const growthOf = (samples: ReadonlyArray<Sample>): number =>
  slopePerMinute(samples, ({ descriptors }) => descriptors, middle)

/** A pool whose number of connections drops for a few seconds now and then. */
const pool = (second: number): number => (second % 211 < 4 ? 63 + (second % 37) : 101 + (second % 3))

it("detects a leak of one descriptor in ten minutes among pools that close connections", () => {
  expect(growthOf(hourOf((second) => pool(second) + Math.floor(second / 600)))).toBeGreaterThan(
    descriptorsMax
  )
})

it("detects none if only pools open and close connections", () => {
  expect(Math.abs(growthOf(hourOf(pool)))).toBeLessThan(descriptorsMax)
})

it("detects a heap that keeps more after each collection", () => {
  const leaking = hourOf(pool).map((sample) => ({ ...sample, heapMb: sample.heapMb + sample.seconds / 30 }))
  expect(slopePerMinute(leaking, ({ heapMb }) => heapMb, least)).toBeCloseTo(2, 1)
})
