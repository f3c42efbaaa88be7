/** Reads every working file of a folder on its own, so that what is wrong with one hides nothing of the others. */

import { Result } from "effect"
import { join, relative } from "node:path"
import { type Finding, findingsOf, type Read } from "../Finding.ts"
import type { RuleGroup } from "../Rulebook.ts"
import { CurrenciesFile } from "../files/CurrenciesFile.ts"
import { RulesetFile } from "../files/RulesetFile.ts"
import { CalibrationFile, FactorCasesFile, MatchCasesFile } from "../files/caseFiles.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { LexiconProviderFile, LexiconVerbsFile, LexiconWordsFile } from "../files/lexiconFiles.ts"
import { PolicySetFile, readPolicyRule, RecommendationsFile } from "../files/policyFiles.ts"
import { listJson, readSource, type Root, type SourceFile, unreadIn } from "../files/readTree.ts"
import { readFactor, readTypology } from "../files/ruleFiles.ts"
import { didYouMean } from "../nearestName.ts"

/** A file as far as it can be read. */
export interface ExaminedFile extends FileContent {
  readonly file: string
  /** Null where it is not JSON. */
  readonly source: SourceFile | null
  /** What reading it found. */
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

/** Files in code unit order, then what is none; frozen files are not among them. */
export const examine = (root: Root, folder: string): ReadonlyArray<ExaminedFile> => {
  const frozen = (file: string) => /^(?:rules|policies)\/releases\//.test(file)
  const at = join(root, folder)
  return [
    ...listJson(at)
      .map((path) => relative(root, path).replaceAll("\\", "/"))
      .filter((file) => !frozen(file))
      .map((file) => examineFile(root, file)),
    ...unreadIn(root, at)
      .filter(({ file }) => !frozen(file))
      .map((finding) => ({ file: finding.file, source: null, findings: [finding] }))
  ]
}

/**
 * What kinds of files stand under `rules/` and `policies/`: where, which schema names them, and how each is read.
 * What a case says, without its request.
 */
export interface CaseOutline {
  readonly name: string
  /** `none` where the rule must not match; null in the calibration. */
  readonly expect: string | null
}

/** What the lints look at in a file that reads; most kinds of files hold neither. */
interface FileContent {
  readonly ladder?: RuleGroup
  readonly cases?: ReadonlyArray<CaseOutline>
  /** Codes that may be recommended because the file says what they ask. */
  readonly recommendations?: ReadonlyArray<string>
}

interface FileKind {
  /** Below the root. */
  readonly place: RegExp
  /** Below `schemas/`. */
  readonly schema: string
  readonly read: (source: SourceFile) => Read<FileContent>
}

const noContent = (): FileContent => ({})

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
    place: /^rules\/lexicon\/verbs\.json$/,
    schema: "lexicon.schema.json",
    read: (source) => Result.map(decodeFile(LexiconVerbsFile, source), noContent)
  },
  {
    place: /^rules\/lexicon\/words\.json$/,
    schema: "lexicon.schema.json",
    read: (source) => Result.map(decodeFile(LexiconWordsFile, source), noContent)
  },
  {
    place: /^rules\/lexicon\/[^/]+\.json$/,
    schema: "lexicon.schema.json",
    read: (source) => Result.map(decodeFile(LexiconProviderFile, source), noContent)
  },
  {
    place: /^rules\/factors\/.+\.cases\.json$/,
    schema: "factor-cases.schema.json",
    read: (source) => decodeFile(FactorCasesFile, source)
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
        ladder: { kind: "factor", code: source.name, file: source.file, rules }
      }))
  },
  {
    place: /^rules\/typologies\/.+\.json$/,
    schema: "typology.schema.json",
    read: (source) =>
      Result.map(readTypology(source), (rules) => ({
        ladder: { kind: "typology", code: source.name, file: source.file, rules }
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
    place: /^policies\/[^/]+\/.+\.json$/,
    schema: "policy-rule.schema.json",
    read: (source) =>
      Result.map(readPolicyRule(source.folder, source), (rule) => ({
        ladder: { kind: "policy", code: source.name, file: source.file, rules: [rule] }
      }))
  }
]

/** Undefined where nothing reads a file of that place. */
export const fileKindOf = (file: string): FileKind | undefined => kinds.find(({ place }) => place.test(file))
