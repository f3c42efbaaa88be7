/** Cases: the expectations in case files and in the calibration, prepared so that they can be tried on any rulebook. */

import { Result, type Schema } from "effect"
import { join } from "node:path"
import type { ActionRiskLevel, Severity } from "../../domain/Opinion.ts"
import type { Json } from "../../json/json.ts"
import { type Read, readEvery } from "../Finding.ts"
import { asHookStates, type PlacelessCall } from "../corpus/callGroups.ts"
import {
  CalibrationFile,
  CallCasesFile,
  CatalogueCasesFile,
  FactorCasesFile,
  MatchCasesFile
} from "../files/caseFiles.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { readCaseFiles, readSource, type Root, type SourceFile } from "../files/readTree.ts"
import type { Situation } from "./Situation.ts"

/** A part of the evaluation that the case makes fail. */
export type Fault = NonNullable<WrittenCase["fault"]>

interface CaseLocation {
  /** The code of a factor, the name of a typology, the id of a policy rule, or `calibration`. */
  readonly of: string
  readonly name: string
  readonly file: string
  /** The path of the expectation in the file. */
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
  /** The lowest and the highest score that is allowed. */
  readonly scores: readonly [number, number]
}

/** A case for the catalogue of a policy set. */
interface CatalogueCase extends CaseWithSituation {
  readonly kind: "catalogue"
  /** Ascending. */
  readonly entries: ReadonlyArray<string>
  /** Null if any level is allowed. */
  readonly level: ActionRiskLevel | null
}

/** `higher` must score strictly higher than `lower`. */
interface OrderingCase extends CaseLocation {
  readonly kind: "ordering"
  readonly higher: Situation
  readonly lower: Situation
}

/** A call in a case file of the lexicon, tried in development and in production. */
interface CallCase extends CaseLocation {
  readonly kind: "call"
  readonly situations: readonly [development: Situation, production: Situation]
  readonly levels: readonly [development: ActionRiskLevel, production: ActionRiskLevel]
}

export type Case = FactorCase | MatchCase | CatalogueCase | LevelCase | OrderingCase | CallCase

/** The situations with which a case is tried. */
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

/** All cases of one file, in file order. */
export interface CaseFile {
  /** The code of a factor, the name of a typology, or the id of a policy rule. */
  readonly of: string
  readonly file: string
  readonly cases: ReadonlyArray<Case>
}

/** All case files of the rules including the calibration, or all case files of one policy set. */
type Suite = ReadonlyArray<CaseFile>

export const calibration = "calibration"

const calibrationFile = "rules/calibration.json"
const anyScore = [0, 100] as const

/** The members that cases of every kind have. */
type WrittenCase = Omit<(typeof MatchCasesFile.Type)["cases"][number], "expect">

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

/** Reads the case files of a folder, each case with its path. `ofFile`: the name of the rule; null skips the file. */
const readSuite = <Written>(
  root: Root,
  folder: string,
  schema: Schema.ConstraintDecoder<unknown> & {
    readonly Type: { readonly cases: ReadonlyArray<Written> }
  },
  toCase: (written: Written, of: string, file: string, i: number) => Case,
  ofFile: (source: SourceFile) => string | null = nameOfRule
): Read<Suite> =>
  Result.flatMap(readCaseFiles(root, join(root, folder)), (sources) =>
    readEvery(
      sources.flatMap((source): ReadonlyArray<Read<CaseFile>> => {
        const [of, { file }] = [ofFile(source), source]
        if (of === null) return []
        return [
          Result.map(decodeFile(schema, source), ({ cases }) => ({
            of,
            file,
            cases: cases.map((written, i) => toCase(written, of, file, i))
          }))
        ]
      })
    )
  )

const nameOfRule = ({ name }: SourceFile): string => name.replace(/\.cases$/, "")

export const readFactors = (root: Root): Read<Suite> =>
  readSuite(root, "rules/factors", FactorCasesFile, (written, ...place) => ({
    kind: "factor",
    expect: written.expect,
    ...commonFields(written, ...place)
  }))

const readMatches = (root: Root, folder: string, kind: "typology" | "policy"): Read<Suite> =>
  readSuite(
    root,
    folder,
    MatchCasesFile,
    (written, ...place) => ({ kind, expect: written.expect, ...commonFields(written, ...place) }),
    (source) => {
      const of = nameOfRule(source)
      return kind === "policy" && of === catalogueCases ? null : of
    }
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

/** The call that a lexicon case describes: a command, a query, or a tool with its arguments. */
const callOf = (part: string, text: string): PlacelessCall => {
  const [folder = "", name = ""] = part.split("/")
  if (folder === "parameters") return toolCall(text)
  return folder === "statements" ? { actionType: `${name}.query`, targetResource: text } : asHookStates(text)
}

const partOf = (file: string): string => file.slice("rules/lexicon/".length, -".cases.json".length)

const readCalls = (root: Root): Read<Suite> =>
  readSuite(
    root,
    "rules/lexicon",
    CallCasesFile,
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
    },
    ({ file }) => partOf(file)
  )

const together = (reads: ReadonlyArray<Read<Suite>>): Read<Suite> =>
  Result.map(readEvery(reads), (suites) => suites.flat())

/** The cases of factors, then those of typologies, the calibration, and those of lexicon files. */
export const readRuleSuite = (root: Root): Read<Suite> =>
  together([
    readFactors(root),
    readMatches(root, "rules/typologies", "typology"),
    readLevels(root),
    readCalls(root)
  ])

/** `catalogue.cases.json` has the cases of `catalogue.json`. */
export const catalogueCases = "catalogue"

const readOfCatalogue = (root: Root, folder: string): Read<Suite> =>
  readSuite(
    root,
    folder,
    CatalogueCasesFile,
    (written, ...place) => ({
      kind: "catalogue",
      ...commonFields(written, ...place),
      entries: written.expect.entries.toSorted(),
      level: written.expect.level ?? null
    }),
    (source) => (nameOfRule(source) === catalogueCases ? catalogueCases : null)
  )

/** The cases of the rules of a set, then those of its catalogue. */
export const readPolicySuite = (root: Root, set: string): Read<Suite> => {
  const folder = `policies/${set}`
  return together([readMatches(root, folder, "policy"), readOfCatalogue(root, folder)])
}

export const readCalibration = (root: Root): Read<typeof CalibrationFile.Type> =>
  Result.flatMap(readSource(root, join(root, "rules", "calibration.json")), (source) =>
    decodeFile(CalibrationFile, source)
  )
