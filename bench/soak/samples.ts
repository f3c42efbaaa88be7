/** Samples of the process that stays, and of its callers, every second. */

import type { Steady } from "./replicas.ts"
import type { RunningLoad } from "./startLoad.ts"

export interface Sample {
  /** Milliseconds since 1970. */
  readonly atMs: number
  /** Since the beginning. */
  readonly seconds: number
  readonly heapMb: number
  readonly residentMb: number
  readonly descriptors: number
  readonly answered: number
  readonly partial: number
  readonly medianMs: number
  readonly p99Ms: number
}

const everyMs = 1_000

export const watch = (steady: Steady, load: RunningLoad, keep: (sample: Sample) => void) => {
  const startedAtMs = Date.now()
  const look = async () => {
    const atMs = Date.now()
    const seconds = (atMs - startedAtMs) / 1_000
    const heapMb = await steady.heapMb()
    const asked = load.last()
    keep({
      atMs,
      seconds,
      heapMb,
      residentMb: steady.residentMb(),
      descriptors: steady.descriptors(),
      answered: asked?.acknowledged.length ?? 0,
      partial: asked?.partial ?? 0,
      medianMs: asked?.medianMs ?? 0,
      p99Ms: asked?.p99Ms ?? 0
    })
  }
  let failure: unknown
  const watching = setInterval(() => {
    look().catch((error: unknown) => (failure = error))
  }, everyMs)
  return {
    stop: () => {
      clearInterval(watching)
      if (failure !== undefined) throw failure
    },
    [Symbol.asyncDispose]: async () => clearInterval(watching)
  }
}

/** A heap rises until it is collected: a rising rest shows a leak. */
export const least = (figures: ReadonlyArray<number>): number => Math.min(...figures)

/** Pools close connections at times: a rising median of open ones shows a leak. */
export const middle = (figures: ReadonlyArray<number>): number =>
  figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? 0

/**
 * How fast a figure grows, in units a minute: the slope of a straight line by least squares through one value for every twentieth of
 * the time. The first quarter, in which code is compiled and caches fill, is left out.
 */
export const slopePerMinute = (
  samples: ReadonlyArray<Sample>,
  figure: (sample: Sample) => number,
  of: (figures: ReadonlyArray<number>) => number
): number => {
  const settled = samples.slice(Math.floor(samples.length / 4))
  const size = Math.max(1, Math.floor(settled.length / 20))
  const points = Array.from({ length: Math.floor(settled.length / size) }, (_, i) => {
    const part = settled.slice(i * size, (i + 1) * size)
    return { x: (part[0]?.seconds ?? 0) / 60, y: of(part.map(figure)) }
  })
  const mean = (of: (point: { readonly x: number; readonly y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)]
  const spread = mean((point) => (point.x - x) ** 2)
  return spread === 0 ? 0 : mean((point) => (point.x - x) * (point.y - y)) / spread
}
