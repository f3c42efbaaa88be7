/** Reads each working file of a folder separately, so that a broken file hides no finding about the others. */

import { Result } from "effect"
import { join, relative } from "node:path"
import { type Finding, findingsOf, type Read } from "../Finding.ts"
import type { RuleGroup } from "../Rulebook.ts"
import { CurrenciesFile } from "../files/CurrenciesFile.ts"
import { RulesetFile } from "../files/RulesetFile.ts"
import { CalibrationFile, CatalogueCasesFile, FactorCasesFile, MatchCasesFile } from "../files/caseFiles.ts"
import { readOrganizationCatalogue, type WrittenEntry } from "../files/catalogueFile.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { PolicySetFile, readPolicyRule, RecommendationsFile } from "../files/policyFiles.ts"
import { listJson, readSource, type Root, type SourceFile, unreadIn } from "../files/readTree.ts"
import { readFactor, readTypology } from "../files/ruleFiles.ts"
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
import { type ProgramData, ProgramFile, ProgramsFile, VariablesFile } from "../lexicon/programFiles.ts"
import { didYouMean } from "../nearestName.ts"

/** A file with as much of its content as is readable. */
export interface ExaminedFile extends FileContent {
  readonly file: string
  /** Null if the file is not JSON, or nothing is to be found in it. */
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
  const message = `nothing reads a file of this place and name${hint}`
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

/** Files in code unit order, then entries that are no files; frozen files are left out. `isClean`: nothing is to be found in the file. */
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
  /** `none` if the rule must not match; null in the calibration. */
  readonly expect: string | null
}

/** The parts of a readable file that lints check; most kinds of files have none of them. */
interface FileContent {
  readonly ruleGroup?: RuleGroup
  readonly cases?: ReadonlyArray<CaseOutline>
  /** Of a catalogue. */
  readonly entries?: ReadonlyArray<WrittenEntry>
  /** The entries that the cases of a catalogue name. */
  readonly entriesInCases?: ReadonlySet<string>
  /** Codes that rules may recommend, because the file explains them. */
  readonly recommendations?: ReadonlyArray<string>
  readonly lexicon?: LexiconPart
}

/** One of the parts of a lexicon, by the kind of its file. */
export interface LexiconPart {
  readonly verbs?: typeof VerbsFile.Type
  readonly objects?: (typeof ObjectsFile.Type)["objects"]
  readonly impacts?: typeof ImpactsFile.Type
  readonly words?: typeof WordListsFile.Type
  readonly signals?: (typeof SignalsFile.Type)["signals"]
  readonly provider?: typeof ProviderFile.Type
  /** Each with its place in the file. */
  readonly programs?: ReadonlyArray<readonly [path: ReadonlyArray<PropertyKey>, program: ProgramData]>
}

interface FileKind {
  /** Matches paths below the root. */
  readonly place: RegExp
  /** A file name below `schemas/`. */
  readonly schema: string
  readonly read: (source: SourceFile) => Read<FileContent>
}

const noContent = (): FileContent => ({})

/** The first entry with a matching place decides. */
const kinds: ReadonlyArray<FileKind> = [
  {
    place: /^rules\/ruleset\.json$/,
    schema: "ruleset.schema.json",
    read: (source) => Result.map(decodeFile(RulesetFile, source), noContent)
  },
  {
    place: /^rules\/currencies\.json$/,
    schema: "currencies.schema.json",
    read: (source) => Result.map(decodeFile(CurrenciesFile, source), noContent)
  },
  {
    place: /^rules\/calibration\.json$/,
    schema: "calibration.schema.json",
    read: (source) =>
      Result.map(decodeFile(CalibrationFile, source), ({ cases }) => ({
        cases: cases.map(({ name }) => ({ name, expect: null }))
      }))
  },
  {
    place: /^rules\/recommendations\.json$/,
    schema: "recommendations.schema.json",
    read: (source) =>
      Result.map(decodeFile(RecommendationsFile, source), ({ recommendations }) => ({
        recommendations: Object.keys(recommendations)
      }))
  },
  {
    place: /^rules\/lexicon\/programs\/[^/]+\.json$/,
    schema: "program.schema.json",
    read: (source) =>
      Result.map(decodeFile(ProgramFile, source), (program) => ({ lexicon: { programs: [[[], program]] } }))
  },
  {
    place: /^rules\/lexicon\/(?:cmdlets|devices)\.json$/,
    schema: "programs.schema.json",
    read: (source) =>
      Result.map(decodeFile(ProgramsFile, source), ({ programs }) => ({
        lexicon: { programs: programs.map((program, i) => [["programs", i], program]) }
      }))
  },
  {
    place: /^rules\/lexicon\/statements\/[^/]+\.json$/,
    schema: "query-language.schema.json",
    read: (source) => Result.map(decodeFile(QueryLanguageFile, source), noContent)
  },
  {
    place: /^rules\/lexicon\/alternatives\.json$/,
    schema: "alternatives.schema.json",
    read: (source) => Result.map(decodeFile(AlternativesFile, source), noContent)
  },
  {
    place: /^rules\/lexicon\/interpreters\/[^/]+\.json$/,
    schema: "interpreter.schema.json",
    read: (source) => Result.map(decodeFile(InterpreterFile, source), noContent)
  },
  {
    place: /^rules\/lexicon\/arguments\.json$/,
    schema: "arguments.schema.json",
    read: (source) => Result.map(decodeFile(ArgumentsFile, source), noContent)
  },
  {
    place: /^rules\/lexicon\/parameters\/[^/]+\.json$/,
    schema: "parameters.schema.json",
    read: (source) => Result.map(decodeFile(ParametersFile, source), noContent)
  },
  {
    place: /^rules\/lexicon\/tools\.json$/,
    schema: "command-tools.schema.json",
    read: (source) => Result.map(decodeFile(CommandToolsFile, source), noContent)
  },
  {
    place: /^rules\/lexicon\/sql\.json$/,
    schema: "sql.schema.json",
    read: (source) => Result.map(decodeFile(SqlFile, source), noContent)
  },
  {
    place: /^rules\/lexicon\/paths\.json$/,
    schema: "paths.schema.json",
    read: (source) => Result.map(decodeFile(PathsFile, source), noContent)
  },
  {
    place: /^rules\/lexicon\/variables\.json$/,
    schema: "variables.schema.json",
    read: (source) => Result.map(decodeFile(VariablesFile, source), noContent)
  },
  {
    place: /^rules\/lexicon\/commands\.json$/,
    schema: "commands.schema.json",
    read: (source) => Result.map(decodeFile(CommandsFile, source), noContent)
  },
  {
    place: /^rules\/lexicon\/words\/verbs\.json$/,
    schema: "words.schema.json",
    read: (source) => Result.map(decodeFile(VerbsFile, source), (verbs) => ({ lexicon: { verbs } }))
  },
  {
    place: /^rules\/lexicon\/words\/objects\.json$/,
    schema: "words.schema.json",
    read: (source) => Result.map(decodeFile(ObjectsFile, source), ({ objects }) => ({ lexicon: { objects } }))
  },
  {
    place: /^rules\/lexicon\/words\/impacts\.json$/,
    schema: "words.schema.json",
    read: (source) => Result.map(decodeFile(ImpactsFile, source), (impacts) => ({ lexicon: { impacts } }))
  },
  {
    place: /^rules\/lexicon\/words\/words\.json$/,
    schema: "words.schema.json",
    read: (source) => Result.map(decodeFile(WordListsFile, source), (words) => ({ lexicon: { words } }))
  },
  {
    place: /^rules\/lexicon\/words\/signals\.json$/,
    schema: "words.schema.json",
    read: (source) => Result.map(decodeFile(SignalsFile, source), ({ signals }) => ({ lexicon: { signals } }))
  },
  {
    place: /^rules\/lexicon\/providers\/[^/]+\.json$/,
    schema: "provider.schema.json",
    read: (source) => Result.map(decodeFile(ProviderFile, source), (provider) => ({ lexicon: { provider } }))
  },
  {
    place: /^rules\/factors\/.+\.cases\.json$/,
    schema: "factor-cases.schema.json",
    read: (source) => decodeFile(FactorCasesFile, source)
  },
  {
    place: /^policies\/[^/]+\/catalogue\.cases\.json$/,
    schema: "catalogue-cases.schema.json",
    read: (source) =>
      Result.map(decodeFile(CatalogueCasesFile, source), ({ cases }) => ({
        cases: cases.map(({ name }) => ({ name, expect: null })),
        entriesInCases: new Set(cases.flatMap(({ expect }) => expect.entries))
      }))
  },
  {
    place: /^(?:rules\/typologies|policies\/[^/]+)\/.+\.cases\.json$/,
    schema: "match-cases.schema.json",
    read: (source) => decodeFile(MatchCasesFile, source)
  },
  {
    place: /^rules\/factors\/.+\.json$/,
    schema: "factor.schema.json",
    read: (source) =>
      Result.map(readFactor(source), (rules) => ({
        ruleGroup: { kind: "factor", code: source.name, file: source.file, rules }
      }))
  },
  {
    place: /^rules\/typologies\/.+\.json$/,
    schema: "typology.schema.json",
    read: (source) =>
      Result.map(readTypology(source), (rules) => ({
        ruleGroup: { kind: "typology", code: source.name, file: source.file, rules }
      }))
  },
  {
    place: /^policies\/[^/]+\/policy\.json$/,
    schema: "policy-set.schema.json",
    read: (source) =>
      Result.map(decodeFile(PolicySetFile, source), ({ recommendations = {} }) => ({
        recommendations: Object.keys(recommendations)
      }))
  },
  {
    place: /^policies\/[^/]+\/catalogue\.json$/,
    schema: "catalogue.schema.json",
    read: (source) => Result.map(readOrganizationCatalogue(source), (entries) => ({ entries }))
  },
  {
    place: /^policies\/[^/]+\/.+\.json$/,
    schema: "policy-rule.schema.json",
    read: (source) =>
      Result.map(readPolicyRule(source.folder, source), (rule) => ({
        ruleGroup: { kind: "policy", code: source.name, file: source.file, rules: [rule] }
      }))
  }
]

/** Undefined if the service reads no file at that path. */
export const fileKindOf = (file: string): FileKind | undefined => kinds.find(({ place }) => place.test(file))
