/** Reads each working file of a folder separately, so that a broken file does not hide findings about others. */

import { Result, type Schema } from "effect"
import { join, relative } from "node:path"
import { type Finding, findingsOf, type Read } from "../Finding.ts"
import type { RuleGroup } from "../Rulebook.ts"
import { CurrenciesFile } from "../files/CurrenciesFile.ts"
import { RulesetFile } from "../files/RulesetFile.ts"
import {
  CalibrationFile,
  CallCasesFile,
  CatalogueCasesFile,
  FactorCasesFile,
  MatchCasesFile
} from "../files/caseFiles.ts"
import { OrganizationCatalogueFile, type WrittenEntry } from "../files/catalogueFile.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { PolicyRuleFile, PolicySetFile, readPolicyRule, RecommendationsFile } from "../files/policyFiles.ts"
import { listJson, readSource, type Root, type SourceFile, unreadIn } from "../files/readTree.ts"
import { FactorFile, readFactor, readTypology, TypologyFile } from "../files/ruleFiles.ts"
import { ImpactsFile, ObjectsFile, SignalsFile, VerbsFile, WordListsFile } from "../files/wordFiles.ts"
import { ProviderFile } from "../files/providerFiles.ts"
import { AlternativesFile } from "../lexicon/alternativeFile.ts"
import {
  CommandsFile,
  CommandToolsFile,
  PathsFile,
  QueryLanguageFile,
  SqlFile
} from "../lexicon/commandFiles.ts"
import { InterpreterFile } from "../lexicon/interpreterFiles.ts"
import { ArgumentsFile, ParametersFile } from "../lexicon/parameterFiles.ts"
import { ApiFile, ProgramFile, ProgramsFile, VariablesFile } from "../lexicon/programFiles.ts"
import { didYouMean } from "../nearestName.ts"
import {
  callsOfInterpreter,
  deedsOfLanguage,
  type FirstFitList,
  formsOfProgram,
  formsOfUnlisted,
  namesOfPrograms
} from "./firstFitLints.ts"

/** A file with as much of its content as could be read. */
export interface ExaminedFile extends FileContent {
  readonly file: string
  /** Null if the file is not JSON, or if an earlier check found it clean. */
  readonly source: SourceFile | null
  /** The findings of reading the file. */
  readonly findings: ReadonlyArray<Finding>
}

const misplacedFile = (file: string): Finding => {
  const { hint, suggested } = didYouMean(file, [
    "rules/ruleset.json",
    "rules/currencies.json",
    "rules/calibration.json"
  ])
  const message = `nothing reads a file with this name in this place${hint}`
  return { rule: "misplaced-file", file, path: [], message, ...suggested }
}

const examineFile = (root: Root, file: string): ExaminedFile => {
  const kind = fileKindOf(file)
  if (kind === undefined) return { file, source: null, findings: [misplacedFile(file)] }
  const source = readSource(root, join(root, file))
  if (Result.isFailure(source)) return { file, source: null, findings: source.failure }
  const content = kind.read(source.success)
  return {
    file,
    source: source.success,
    findings: findingsOf(content),
    ...(Result.isSuccess(content) ? content.success : {})
  }
}

/**
 * Files in code unit order, then entries that are not files. Frozen files are left out. `isClean`: an earlier check found the file clean.
 */
export const examine = (
  root: Root,
  folder: string,
  isClean: (file: string) => boolean = () => false
): ReadonlyArray<ExaminedFile> => {
  const frozen = (file: string) => /^(?:rules|policies)\/releases\//.test(file)
  const at = join(root, folder)
  return [
    ...listJson(at)
      .map((path) => relative(root, path).replaceAll("\\", "/"))
      .filter((file) => !frozen(file))
      .map((file) => (isClean(file) ? { file, source: null, findings: [] } : examineFile(root, file))),
    ...unreadIn(root, at)
      .filter(({ file }) => !frozen(file))
      .map((finding) => ({ file: finding.file, source: null, findings: [finding] }))
  ]
}

/** A case without its request. */
export interface CaseOutline {
  readonly name: string
  /** `none` if the rule must not match. Null in the calibration. */
  readonly expect: string | null
}

/** The parts of a readable file that lints check. Most kinds of files have no such parts. */
interface FileContent {
  readonly ruleGroup?: RuleGroup
  readonly cases?: ReadonlyArray<CaseOutline>
  /** The entries of a catalogue. */
  readonly entries?: ReadonlyArray<WrittenEntry>
  /** The entries that the cases of a catalogue name. */
  readonly entriesInCases?: ReadonlySet<string>
  /** The codes that rules may recommend because this file explains them. */
  readonly recommendations?: ReadonlyArray<string>
  readonly lexicon?: LexiconPart
}

/** One part of a lexicon, depending on the kind of the file. */
export interface LexiconPart {
  readonly verbs?: typeof VerbsFile.Type
  readonly objects?: typeof ObjectsFile.Type
  readonly impacts?: typeof ImpactsFile.Type
  readonly words?: typeof WordListsFile.Type
  readonly signals?: typeof SignalsFile.Type
  readonly provider?: typeof ProviderFile.Type
  /** Lists in which the first entry that fits wins. */
  readonly firstFits?: ReadonlyArray<FirstFitList>
}

const partOf =
  <Name extends keyof LexiconPart>(name: Name) =>
  (part: LexiconPart[Name]): FileContent => ({ lexicon: { [name]: part } })

const firstFits = partOf("firstFits")

export interface FileKind {
  /** Matches the path below the root. */
  readonly place: RegExp
  /** A file name below `schemas/`. */
  readonly schema: string
  /** The schema of the content. */
  readonly of: Schema.ConstraintDecoder<unknown>
  readonly read: (source: SourceFile) => Read<FileContent>
}

const kind = <S extends Schema.ConstraintDecoder<unknown>>(
  place: RegExp,
  name: string,
  of: S,
  content: (file: S["Type"]) => FileContent = () => ({})
): FileKind => ({
  place,
  schema: `${name}.schema.json`,
  of,
  read: (source) => Result.map(decodeFile(of, source), content)
})

const ruleKind = (
  place: RegExp,
  name: string,
  of: FileKind["of"],
  readGroup: (source: SourceFile) => Read<RuleGroup>
): FileKind => ({
  ...kind(place, name, of),
  read: (source) => Result.map(readGroup(source), (ruleGroup) => ({ ruleGroup }))
})

const namedBy = ({ file, name }: SourceFile) => ({ code: name, file })

const unexpected = (names: ReadonlyArray<string>): FileContent => ({
  cases: names.map((name) => ({ name, expect: null }))
})

/** The first entry with a matching path wins. */
export const fileKinds: ReadonlyArray<FileKind> = [
  kind(/^rules\/ruleset\.json$/, "ruleset", RulesetFile),
  kind(/^rules\/currencies\.json$/, "currencies", CurrenciesFile),
  kind(/^rules\/calibration\.json$/, "calibration", CalibrationFile, ({ cases }) =>
    unexpected(cases.map(({ name }) => name))
  ),
  kind(/^rules\/recommendations\.json$/, "recommendations", RecommendationsFile, (file) => ({
    recommendations: Object.keys(file.recommendations)
  })),
  kind(/^rules\/lexicon\/.+\.cases\.json$/, "call-cases", CallCasesFile, ({ cases }) =>
    unexpected(cases.map(([name]) => name))
  ),
  kind(/^rules\/lexicon\/programs\/[^/]+\.json$/, "program", ProgramFile, (program) =>
    firstFits(formsOfProgram([], program))
  ),
  kind(/^rules\/lexicon\/(?:cmdlets|devices)\.json$/, "programs", ProgramsFile, ({ programs }) =>
    firstFits([
      namesOfPrograms(programs),
      ...programs.flatMap((program, i) => formsOfProgram(["programs", i], program))
    ])
  ),
  kind(/^rules\/lexicon\/statements\/[^/]+\.json$/, "query-language", QueryLanguageFile, (language) =>
    firstFits(deedsOfLanguage(language))
  ),
  kind(/^rules\/lexicon\/alternatives\.json$/, "alternatives", AlternativesFile),
  kind(/^rules\/lexicon\/interpreters\/[^/]+\.json$/, "interpreter", InterpreterFile, (interpreter) =>
    firstFits(callsOfInterpreter(interpreter))
  ),
  kind(/^rules\/lexicon\/apis\/[^/]+\.json$/, "api", ApiFile),
  kind(/^rules\/lexicon\/arguments\.json$/, "arguments", ArgumentsFile),
  kind(/^rules\/lexicon\/parameters\/[^/]+\.json$/, "parameters", ParametersFile),
  kind(/^rules\/lexicon\/tools\.json$/, "command-tools", CommandToolsFile),
  kind(/^rules\/lexicon\/sql\.json$/, "sql", SqlFile),
  kind(/^rules\/lexicon\/paths\.json$/, "paths", PathsFile),
  kind(/^rules\/lexicon\/variables\.json$/, "variables", VariablesFile),
  kind(/^rules\/lexicon\/commands\.json$/, "commands", CommandsFile, (commands) =>
    firstFits(formsOfUnlisted(commands))
  ),
  kind(/^rules\/lexicon\/words\/verbs\.json$/, "words", VerbsFile, partOf("verbs")),
  kind(/^rules\/lexicon\/words\/objects\.json$/, "words", ObjectsFile, partOf("objects")),
  kind(/^rules\/lexicon\/words\/impacts\.json$/, "words", ImpactsFile, partOf("impacts")),
  kind(/^rules\/lexicon\/words\/words\.json$/, "words", WordListsFile, partOf("words")),
  kind(/^rules\/lexicon\/words\/signals\.json$/, "words", SignalsFile, partOf("signals")),
  kind(/^rules\/lexicon\/providers\/[^/]+\.json$/, "provider", ProviderFile, partOf("provider")),
  kind(/^rules\/factors\/.+\.cases\.json$/, "factor-cases", FactorCasesFile, (file) => file),
  kind(/^policies\/[^/]+\/catalogue\.cases\.json$/, "catalogue-cases", CatalogueCasesFile, ({ cases }) => ({
    ...unexpected(cases.map(({ name }) => name)),
    entriesInCases: new Set(cases.flatMap(({ expect }) => expect.entries))
  })),
  kind(
    /^(?:rules\/typologies|policies\/[^/]+)\/.+\.cases\.json$/,
    "match-cases",
    MatchCasesFile,
    (file) => file
  ),
  ruleKind(/^rules\/factors\/.+\.json$/, "factor", FactorFile, (source) =>
    Result.map(readFactor(source), (rules) => ({ kind: "factor", ...namedBy(source), rules }))
  ),
  ruleKind(/^rules\/typologies\/.+\.json$/, "typology", TypologyFile, (source) =>
    Result.map(readTypology(source), (rules) => ({ kind: "typology", ...namedBy(source), rules }))
  ),
  kind(/^policies\/[^/]+\/policy\.json$/, "policy-set", PolicySetFile, ({ recommendations = {} }) => ({
    recommendations: Object.keys(recommendations)
  })),
  kind(/^policies\/[^/]+\/catalogue\.json$/, "catalogue", OrganizationCatalogueFile, ({ entries }) => ({
    entries
  })),
  ruleKind(/^policies\/[^/]+\/.+\.json$/, "policy-rule", PolicyRuleFile, (source) =>
    Result.map(readPolicyRule(source.folder, source), (rule) => ({
      kind: "policy",
      ...namedBy(source),
      rules: [rule]
    }))
  )
]

/** Undefined if the service reads no file at this path. */
export const fileKindOf = (file: string): FileKind | undefined =>
  fileKinds.find(({ place }) => place.test(file))
