/**
 * How far random tests and tests of faults go.
 *
 * `npm test` uses one seed and small counts, so that it is fast and repeatable. `npm run test:deep` sets `TEST_DEPTH=deep`: large
 * counts and a fresh seed, which is printed. `npm run faults` sets `FAULTS=long`: the figures of the design.
 * `PROPERTY_SEED`, `PROPERTY_RUNS` and `ORACLE_RUNS` set single figures.
 */

import fc from "fast-check"

const fromEnvironment = (name: string, otherwise: number): number => {
  const text = process.env[name]
  return text === undefined || text === "" ? otherwise : Number(text)
}

export const deep = process.env["TEST_DEPTH"] === "deep"

export const long = process.env["FAULTS"] === "long"

/** How often a fault test repeats: a few times, or as often as the design requires. */
export const scaled = (quick: number, thorough: number): number => (long ? thorough : quick)

/** The seed of `npm test`, chosen arbitrarily. */
const everydaySeed = 20_261_122

export const seed = fromEnvironment("PROPERTY_SEED", deep ? Date.now() % 0x7fff_ffff : everydaySeed)
export const propertyRuns = fromEnvironment("PROPERTY_RUNS", deep ? 30_000 : 1_500)
/** The oracle searches for bounds by trying values, which is slow. */
export const oracleRuns = fromEnvironment("ORACLE_RUNS", deep ? 100_000 : 500)

const everydayShare = 10
const everydayTriesMin = 100

/** The number of random cases of one test: `thorough` in depth, a tenth of it every day. */
export const tries = (thorough: number): number =>
  deep ? thorough : Math.min(thorough, Math.max(everydayTriesMin, Math.ceil(thorough / everydayShare)))

/** Generous: a bound on a machine that is busy with other things, not a target. */
export const timeoutMs = (runs: number): number => 300_000 + 50 * runs

// Nothing else: files share a process, and how often a case is tried may not depend on which file was loaded first.
fc.configureGlobal({ seed })
