/** One expectation of a case file, ready to be tried against any rulebook. */

import { Result } from "effect"
import { join } from "node:path"
import type { ActionRiskLevel, Severity } from "../../domain/Opinion.ts"
import { findingsOf, type Read, readEvery } from "../Finding.ts"
import { CalibrationFile, FactorCasesFile, MatchCasesFile } from "../files/caseFiles.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { readCaseFiles, readSource, type Root } from "../files/readTree.ts"
import type { Situation } from "./Situation.ts"

/** A part of the evaluation that the case supposes to have failed. */
export type Fault = "history" | "policy"

interface CaseLocation {
  /** A factor's code, a typology's name, a policy rule's id, or `calibration`. */
  readonly of: string
  readonly name: string
  readonly file: string
  /** Where in the file the expectation stands. */
  readonly path: ReadonlyArray<PropertyKey>
}

interface CaseWithSituation extends CaseLocation {
  readonly situation: Situation
  readonly fault?: Fault
}

interface FactorCase extends CaseWithSituation {
  readonly kind: "factor"
  readonly expect: Severity | "none"
}

interface MatchCase extends CaseWithSituation {
  readonly kind: "typology" | "policy"
  readonly expect: "matched" | "none"
}

interface LevelCase extends CaseWithSituation {
  readonly kind: "level"
  readonly levels: ReadonlyArray<ActionRiskLevel>
  /** Least and greatest. */
  readonly scores: readonly [number, number]
}

/** The first must score strictly higher. */
interface OrderingCase extends CaseLocation {
  readonly kind: "ordering"
  readonly higher: Situation
  readonly lower: Situation
}

export type Case = FactorCase | MatchCase | LevelCase | OrderingCase

/** All cases of one file, in its order. */
export interface CaseFile {
  readonly of: string
  readonly file: string
  readonly cases: ReadonlyArray<Case>
}

/** Every case of a folder, and where each stands: beside the rules with the calibration, or beside a set's policy rules. */
type Suite = ReadonlyArray<CaseFile>

export const calibration = "calibration"

const calibrationFile = "rules/calibration.json"
const anyScore = [0, 100] as const

interface WrittenCase {
  readonly name: string
  readonly request: Situation["request"]
  readonly history?: Situation["history"]
  readonly fault?: Fault
}

/** What every case beside a rule has, in whichever file it stands. */
const commonFields = (
  { fault, history, name, request }: WrittenCase,
  of: string,
  file: string,
  i: number
) => ({
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
      cases: cases.map((one, i) => ({
        kind: "factor",
        expect: one.expect,
        ...commonFields(one, of, file, i)
      }))
    }))
  )

const readMatches = (root: Root, folder: string, kind: "typology" | "policy"): Read<Suite> =>
  Result.map(readMatchCases(root, folder), (files) =>
    files.map(({ cases, file, of }) => ({
      of,
      file,
      cases: cases.map((one, i) => ({ kind, expect: one.expect, ...commonFields(one, of, file, i) }))
    }))
  )

const readLevels = (root: Root): Read<Suite> =>
  Result.map(readCalibration(root), ({ cases, orderings }) => {
    const placed = { of: calibration, file: calibrationFile }
    const levels = cases.map((one, i) => ({
      ...commonFields(one, calibration, calibrationFile, i),
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

/**
 * Reads the cases beside the rules, and the calibration.
 * The cases of one factor, typology or policy rule.
 */
interface Cases<File> {
  /** Its code, name or id. */
  readonly of: string
  readonly file: string
  readonly cases: File
}

const caseName = (name: string): string => name.replace(/\.cases$/, "")

export const readFactorCases = (
  root: Root
): Read<ReadonlyArray<Cases<(typeof FactorCasesFile.Type)["cases"]>>> =>
  Result.flatMap(readCaseFiles(root, join(root, "rules", "factors")), (sources) =>
    readEvery(
      sources.map((source) =>
        Result.map(decodeFile(FactorCasesFile, source), ({ cases }) => ({
          of: caseName(source.name),
          file: source.file,
          cases
        }))
      )
    )
  )

/** Of the typologies, or of a policy set. */
const readMatchCases = (
  root: Root,
  folder: string
): Read<ReadonlyArray<Cases<(typeof MatchCasesFile.Type)["cases"]>>> =>
  Result.flatMap(readCaseFiles(root, join(root, folder)), (sources) =>
    readEvery(
      sources.map((source) =>
        Result.map(decodeFile(MatchCasesFile, source), ({ cases }) => ({
          of: caseName(source.name),
          file: source.file,
          cases
        }))
      )
    )
  )

export const readCalibration = (root: Root): Read<typeof CalibrationFile.Type> =>
  Result.flatMap(readSource(root, join(root, "rules", "calibration.json")), (source) =>
    decodeFile(CalibrationFile, source)
  )
