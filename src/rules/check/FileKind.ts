/** What kinds of files stand under `rules/` and `policies/`: where, which schema names them, and how each is read. */

import { Result } from "effect"
import { decodeFile } from "../decodeFile.ts"
import { CalibrationFile } from "../files/CalibrationFile.ts"
import { FactorCasesFile, MatchCasesFile } from "../files/CasesFile.ts"
import { CurrenciesFile } from "../files/CurrenciesFile.ts"
import { ProviderFile, VerbsFile, WordsFile } from "../files/LexiconFiles.ts"
import { PolicySetFile } from "../files/PolicySetFile.ts"
import { RecommendationsFile } from "../files/RecommendationsFile.ts"
import { RulesetFile } from "../files/RulesetFile.ts"
import type { Ladder } from "../ladders.ts"
import { readPolicyRule } from "../policies/readPolicyRule.ts"
import { type Read } from "../Read.ts"
import { readFactor } from "../readRules/readFactor.ts"
import { readTypology } from "../readRules/readTypology.ts"
import type { SourceFile } from "../SourceFile.ts"

/** What a case says, without its request. */
export interface CaseOutline {
  readonly name: string
  /** `none` where the rule must not match; null in the calibration. */
  readonly expect: string | null
}

/** What the lints look at in a file that reads; most kinds of files hold neither. */
export interface Content {
  readonly ladder?: Ladder
  readonly cases?: ReadonlyArray<CaseOutline>
  /** Codes that may be recommended because the file says what they ask. */
  readonly recommendations?: ReadonlyArray<string>
}

export interface FileKind {
  /** Below the root. */
  readonly place: RegExp
  /** Below `schemas/`. */
  readonly schema: string
  readonly read: (source: SourceFile) => Read<Content>
}

const nothing = (): Content => ({})

const kinds: ReadonlyArray<FileKind> = [
  {
    place: /^rules\/ruleset\.json$/,
    schema: "ruleset.schema.json",
    read: (source) => Result.map(decodeFile(RulesetFile, source), nothing)
  },
  {
    place: /^rules\/currencies\.json$/,
    schema: "currencies.schema.json",
    read: (source) => Result.map(decodeFile(CurrenciesFile, source), nothing)
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
    read: (source) => Result.map(decodeFile(VerbsFile, source), nothing)
  },
  {
    place: /^rules\/lexicon\/words\.json$/,
    schema: "lexicon.schema.json",
    read: (source) => Result.map(decodeFile(WordsFile, source), nothing)
  },
  {
    place: /^rules\/lexicon\/[^/]+\.json$/,
    schema: "lexicon.schema.json",
    read: (source) => Result.map(decodeFile(ProviderFile, source), nothing)
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
export const kindOf = (file: string): FileKind | undefined => kinds.find(({ place }) => place.test(file))
