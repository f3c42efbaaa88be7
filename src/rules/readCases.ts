/** Reads the cases beside the rules, and the calibration. */

import { join } from "node:path"
import { Result } from "effect"
import { decodeFile } from "./decodeFile.ts"
import { CalibrationFile } from "./files/CalibrationFile.ts"
import { FactorCasesFile, MatchCasesFile } from "./files/CasesFile.ts"
import { type Read, readEvery } from "./Read.ts"
import { readCaseFiles, readSource, type Root } from "./readTree.ts"

/** The cases of one factor, typology or policy rule. */
export interface Cases<File> {
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
export const readMatchCases = (
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
