/** Cases: the expectations of case files and of the calibration, ready to be tried against any rulebook. */

import { Result, type Schema } from "effect"
import { join } from "node:path"
import type { ActionRiskLevel, Severity } from "../../domain/Opinion.ts"
import type { Json } from "../../json/json.ts"
import { findingsOf, type Read, readEvery } from "../Finding.ts"
import { asHookStates, type PlacelessCall } from "../corpus/callGroups.ts"
import {
  CalibrationFile,
  CallCasesFile,
  CatalogueCasesFile,
  FactorCasesFile,
  MatchCasesFile
} from "../files/caseFiles.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { readCaseFiles, readSource, type Root } from "../files/readTree.ts"
import type { Situation } from "./Situation.ts"

/** A part of the evaluation that fails in this case. */
export type Fault = "history" | "policy" | "catalogue"

interface CaseLocation {
  /** A factor's code, a typology's name, a policy rule's id, or `calibration`. */
  readonly of: string
  readonly name: string
  readonly file: string
  /** The place of the expectation in the file. */
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
  /** The lowest and the highest allowed score. */
  readonly scores: readonly [number, number]
}

/** Of the catalogue of a policy set. */
interface CatalogueCase extends CaseWithSituation {
  readonly kind: "catalogue"
  /** Ascending. */
  readonly entries: ReadonlyArray<string>
  /** Null if any level will do. */
  readonly level: ActionRiskLevel | null
}

/** `higher` must score strictly higher than `lower`. */
interface OrderingCase extends CaseLocation {
  readonly kind: "ordering"
  readonly higher: Situation
  readonly lower: Situation
}

/** A call in a file of cases of the lexicon, in development and in production. */
interface CallCase extends CaseLocation {
  readonly kind: "call"
  readonly situations: readonly [development: Situation, production: Situation]
  readonly levels: readonly [development: ActionRiskLevel, production: ActionRiskLevel]
}

export type Case = FactorCase | MatchCase | CatalogueCase | LevelCase | OrderingCase | CallCase

/** The situations that a case is tried with. */
export const situationsOf = (one: Case): ReadonlyArray<Situation> => {
  switch (one.kind) {
    case "ordering":
      return [one.higher, one.lower]
    case "call":
      return one.situations
    default:
      return [one.situation]
  }
}

/** All cases of one file, in its order. */
export interface CaseFile {
  readonly of: string
  readonly file: string
  readonly cases: ReadonlyArray<Case>
}

/** All case files of the rules, with the calibration, or all case files of one policy set. */
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

/** The fields that cases of every kind have. */
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

/** The cases of files as the suite has them. */
const toSuite = <Written>(
  read: Read<ReadonlyArray<WrittenCases<ReadonlyArray<Written>>>>,
  toCase: (written: Written, of: string, file: string, i: number) => Case
): Read<Suite> =>
  Result.map(read, (files) =>
    files.map(({ cases, file, of }) => ({
      of,
      file,
      cases: cases.map((written, i) => toCase(written, of, file, i))
    }))
  )

const readFactors = (root: Root): Read<Suite> =>
  toSuite(readFactorCases(root), (written, ...place) => ({
    kind: "factor",
    expect: written.expect,
    ...commonFields(written, ...place)
  }))

const readMatches = (root: Root, folder: string, kind: "typology" | "policy"): Read<Suite> =>
  toSuite(
    readCasesIn(root, folder, MatchCasesFile, (of) => kind !== "policy" || of !== catalogueCases),
    (written, ...place) => ({ kind, expect: written.expect, ...commonFields(written, ...place) })
  )

const readLevels = (root: Root): Read<Suite> =>
  Result.map(readCalibration(root), ({ cases, orderings }) => {
    const location = { of: calibration, file: calibrationFile }
    const levels = cases.map((written, i) => ({
      ...commonFields(written, calibration, calibrationFile, i),
      kind: "level" as const,
      levels: [written.expect.level].flat(),
      scores: written.expect.score ?? anyScore
    }))
    const orderingCases = orderings.map(({ higher, lower, why }, i) => ({
      ...location,
      kind: "ordering" as const,
      name: why,
      path: ["orderings", i, "higher"],
      higher,
      lower
    }))
    return [{ ...location, cases: [...levels, ...orderingCases] }]
  })

/** `delete_records {"dry_run": true}` */
const toolCall = (text: string): PlacelessCall => {
  const [name = ""] = text.split(" ", 1)
  const given = Result.getOrElse(
    Result.try(() => JSON.parse(text.slice(name.length)) as Json),
    () => null
  )
  return { actionType: name, metadata: { tool_call: { name, arguments: given } } }
}

/** The call that a case of this part of the lexicon means: a command, a text in a query language, or a tool with its arguments. */
const callOf = (part: string, text: string): PlacelessCall => {
  const [folder = "", name = ""] = part.split("/")
  if (folder === "parameters") return toolCall(text)
  return folder === "statements" ? { actionType: `${name}.query`, targetResource: text } : asHookStates(text)
}

const partOf = (file: string): string => file.slice("rules/lexicon/".length, -".cases.json".length)

const readCalls = (root: Root): Read<Suite> =>
  toSuite(
    Result.map(readCasesIn(root, "rules/lexicon", CallCasesFile), (files) =>
      files.map((one) => ({ ...one, of: partOf(one.file) }))
    ),
    ([name, ...levels], of, file, i) => {
      const call = callOf(of, name)
      return {
        kind: "call",
        of,
        name,
        file,
        path: ["cases", i, 1],
        situations: [
          { request: { ...call, environment: "development" } },
          { request: { ...call, environment: "production" } }
        ],
        levels
      }
    }
  )

/** The cases of factors, then those of typologies, the calibration, and those of files of the lexicon. */
export const readRuleSuite = (root: Root): Read<Suite> => {
  const reads = [
    readFactors(root),
    readMatches(root, "rules/typologies", "typology"),
    readLevels(root),
    readCalls(root)
  ]
  return Result.all(reads).pipe(
    Result.map((suites) => suites.flat()),
    Result.mapError(() => reads.flatMap(findingsOf))
  )
}

/** The cases of a catalogue are beside it, in `catalogue.cases.json`. */
export const catalogueCases = "catalogue"

const readOfCatalogue = (root: Root, folder: string): Read<Suite> =>
  toSuite(
    readCasesIn(root, folder, CatalogueCasesFile, (of) => of === catalogueCases),
    (written, ...place) => ({
      kind: "catalogue",
      ...commonFields(written, ...place),
      entries: written.expect.entries.toSorted(),
      level: written.expect.level ?? null
    })
  )

/** The files beside the rules of a set, then the one beside its catalogue. */
export const readPolicySuite = (root: Root, set: string): Read<Suite> => {
  const folder = `policies/${set}`
  const reads = [readMatches(root, folder, "policy"), readOfCatalogue(root, folder)]
  return Result.all(reads).pipe(
    Result.map((suites) => suites.flat()),
    Result.mapError(() => reads.flatMap(findingsOf))
  )
}

/** The cases of one factor, typology or policy rule, as the file has them. */
interface WrittenCases<Cases> {
  /** The factor's code, the typology's name or the policy rule's id. */
  readonly of: string
  readonly file: string
  readonly cases: Cases
}

const readCasesIn = <Cases>(
  root: Root,
  folder: string,
  schema: Schema.ConstraintDecoder<unknown> & { readonly Type: { readonly cases: Cases } },
  isWanted: (of: string) => boolean = () => true
): Read<ReadonlyArray<WrittenCases<Cases>>> =>
  Result.flatMap(readCaseFiles(root, join(root, folder)), (sources) =>
    readEvery(
      sources
        .map((source) => ({ source, of: source.name.replace(/\.cases$/, "") }))
        .filter(({ of }) => isWanted(of))
        .map(({ of, source }) =>
          Result.map(decodeFile(schema, source), ({ cases }) => ({ of, file: source.file, cases }))
        )
    )
  )

export const readFactorCases = (root: Root) => readCasesIn(root, "rules/factors", FactorCasesFile)

export const readCalibration = (root: Root): Read<typeof CalibrationFile.Type> =>
  Result.flatMap(readSource(root, join(root, "rules", "calibration.json")), (source) =>
    decodeFile(CalibrationFile, source)
  )
