/** Every case of a folder, and where each stands: beside the rules with the calibration, or beside a set's policy rules. */

import { Result } from "effect"
import { type Read, findingsOf } from "../Read.ts"
import { readCalibration, readFactorCases, readMatchCases } from "../readCases.ts"
import type { Root } from "../readTree.ts"
import type { Situation } from "../cases.ts"
import type { CaseFile, Fault } from "./Case.ts"

type Suite = ReadonlyArray<CaseFile>

export const calibration = "calibration"

const calibrationFile = "rules/calibration.json"
const anyScore = [0, 100] as const

interface Written {
  readonly name: string
  readonly request: Situation["request"]
  readonly history?: Situation["history"]
  readonly fault?: Fault
}

/** What every case beside a rule has, in whichever file it stands. */
const asked = ({ fault, history, name, request }: Written, of: string, file: string, i: number) => ({
  of,
  name,
  file,
  path: ["cases", i, "expect"],
  situation: history === undefined ? { request } : { request, history },
  ...(fault === undefined ? {} : { fault })
})

const readFactors = (root: Root): Read<Suite> =>
  Result.map(readFactorCases(root), (files) =>
    files.map(({ cases, file, of }) => ({
      of,
      file,
      cases: cases.map((one, i) => ({ kind: "factor", expect: one.expect, ...asked(one, of, file, i) }))
    }))
  )

const readMatches = (root: Root, folder: string, kind: "typology" | "policy"): Read<Suite> =>
  Result.map(readMatchCases(root, folder), (files) =>
    files.map(({ cases, file, of }) => ({
      of,
      file,
      cases: cases.map((one, i) => ({ kind, expect: one.expect, ...asked(one, of, file, i) }))
    }))
  )

const readLevels = (root: Root): Read<Suite> =>
  Result.map(readCalibration(root), ({ cases, orderings }) => {
    const placed = { of: calibration, file: calibrationFile }
    const levels = cases.map((one, i) => ({
      ...asked(one, calibration, calibrationFile, i),
      kind: "level" as const,
      levels: [one.expect.level].flat(),
      scores: one.expect.score ?? anyScore
    }))
    const order = orderings.map(({ higher, lower, why }, i) => ({
      ...placed,
      kind: "ordering" as const,
      name: why,
      path: ["orderings", i, "higher"],
      higher,
      lower
    }))
    return [{ ...placed, cases: [...levels, ...order] }]
  })

/** Files beside factors, then beside typologies, then the calibration. */
export const readRuleSuite = (root: Root): Read<Suite> => {
  const reads = [readFactors(root), readMatches(root, "rules/typologies", "typology"), readLevels(root)]
  return Result.all(reads).pipe(
    Result.map((suites) => suites.flat()),
    Result.mapError(() => reads.flatMap(findingsOf))
  )
}

export const readPolicySuite = (root: Root, set: string): Read<Suite> =>
  readMatches(root, `policies/${set}`, "policy")
