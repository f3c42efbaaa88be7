/** How many random cases are tried, and from which seed: `PROPERTY_RUNS`, `ORACLE_RUNS` and `PROPERTY_SEED` set them. */

import fc from "fast-check"

const fromEnvironment = (name: string, otherwise: number): number => {
  const text = process.env[name]
  return text === undefined || text === "" ? otherwise : Number(text)
}

export const seed = fromEnvironment("PROPERTY_SEED", Date.now() % 0x7fff_ffff)
export const propertyRuns = fromEnvironment("PROPERTY_RUNS", 20_000)
export const oracleRuns = fromEnvironment("ORACLE_RUNS", 100_000)

/** Generous: a bound on a machine that is busy with other things, not a target. */
export const timeoutMs = (runs: number): number => 60_000 + 10 * runs

// Nothing else: files share a process, and how often a case is tried may not depend on which was loaded first.
fc.configureGlobal({ seed })
