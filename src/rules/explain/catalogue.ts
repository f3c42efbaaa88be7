/** The catalogue of releases and policy sets: each rule as its author described it, and which rules use each fact. */

import { Result, Schema } from "effect"
import { type Level, levels, severities, type Severity } from "../../domain/Opinion.ts"
import { canonicalForm } from "../../json/canonical.ts"
import { type FactKind, factKinds, type FactName } from "../../scoring/Facts.ts"
import type { PolicyRuleMatch } from "../../scoring/Model.ts"
import type { Read } from "../Finding.ts"
import {
  type FactorRuleGroup,
  factorRuleGroups,
  type PolicyRuleGroup,
  policyRuleGroups,
  type ReadRelease,
  type RuleGroup,
  type TypologyRuleGroup,
  typologyRuleGroups
} from "../Rulebook.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { PolicyRuleFile, PolicySetFile } from "../files/policyFiles.ts"
import type { Root, SourceFile } from "../files/readTree.ts"
import { releaseFiles } from "../files/releaseDocument.ts"
import { FactorFile, TypologyFile } from "../files/ruleFiles.ts"
import { atomsOf, choiceOperators, completenessFacts, isFactName } from "../language/Rule.ts"
import type { PreparedPolicySet } from "../policies/PreparedPolicySet.ts"
import { listPolicySets, listPolicyVersions, loadPolicyVersion } from "../policies/loadPolicySet.ts"
import { openFrozen } from "../release/frozen.ts"
import { listReleases, type Prepared } from "../release/loadRelease.ts"
import { describeCondition } from "./describeCondition.ts"

export interface CataloguedFactor extends FactorRuleGroup {
  readonly described: typeof FactorFile.Type
  readonly source: SourceFile
}

export interface CataloguedTypology extends TypologyRuleGroup {
  readonly described: typeof TypologyFile.Type
  readonly source: SourceFile
}

export const catalogueFactors = (release: ReadRelease): ReadonlyArray<CataloguedFactor> =>
  factorRuleGroups(release).flatMap((ruleGroup) =>
    release.files.factors
      .filter(({ name }) => name === ruleGroup.code)
      .flatMap((source) =>
        // Decoding cannot fail here: opening the release decoded the file before.
        Result.match(decodeFile(FactorFile, source), {
          onFailure: () => [],
          onSuccess: (described) => [{ ...ruleGroup, described, source }]
        })
      )
  )

export const catalogueTypologies = (release: ReadRelease): ReadonlyArray<CataloguedTypology> =>
  typologyRuleGroups(release).flatMap((ruleGroup) =>
    release.files.typologies
      .filter(({ name }) => name === ruleGroup.code)
      .flatMap((source) =>
        Result.match(decodeFile(TypologyFile, source), {
          onFailure: () => [],
          onSuccess: (described) => [{ ...ruleGroup, described, source }]
        })
      )
  )

const FirstScores = Schema.Struct({ levels: Schema.Record(Schema.Literals(levels), Schema.Int) })

/** The first score of each level. Reading the release has checked it. */
export const firstScoresOf = ({ files }: Prepared): Readonly<Record<Level, number>> =>
  Schema.decodeUnknownSync(FirstScores)(files.ruleset.json).levels

/** The severities that a factor's rules can give, weakest first. */
export const severitiesOf = ({ rules }: FactorRuleGroup): ReadonlyArray<Severity> =>
  severities.filter((severity) => rules.some(({ match }) => match.severity === severity))

/** The hazards of a factor's rules in basis points, each once, ascending. */
export const hazardsOf = ({ rules }: FactorRuleGroup): ReadonlyArray<number> =>
  [...new Set(rules.map(({ match }) => match.hazardBp))].toSorted((a, b) => a - b)

interface KnownAboutFile {
  /** The working cases beside the file; null if it has none. */
  readonly cases: CasesSummary | null
  readonly releases: ReadonlyArray<ReleaseContaining>
}

/** One rule file as `rules show` presents it. */
export type RuleFileDetails = (CataloguedFactor | CataloguedTypology) & KnownAboutFile

export const catalogueCodes = (release: ReadRelease): ReadonlyArray<string> =>
  [...catalogueFactors(release), ...catalogueTypologies(release)].map(({ code }) => code)

/** Null if the release has no factor and no typology of that name. */
export const ruleFileDetails = (
  root: Root,
  release: ReadRelease,
  suite: ReadonlyArray<ExpectingCases>,
  code: string
): RuleFileDetails | null => {
  const found = [...catalogueFactors(release), ...catalogueTypologies(release)].find(
    (file) => file.code === code
  )
  if (found === undefined) return null
  return { ...found, cases: casesSummary(suite, code), releases: releasesContaining(root, found.source) }
}

/** The cases beside a rule file, counted by their expected outcome. */
interface CasesSummary {
  readonly file: string
  readonly total: number
  /** How many expect each outcome, in the order of the file. */
  readonly expecting: Readonly<Record<string, number>>
}

/** The members of a file of cases that a summary needs. */
export interface ExpectingCases {
  readonly of: string
  readonly file: string
  readonly cases: ReadonlyArray<{ readonly expect: string } | { readonly kind: string }>
}

const expectationOf = (written: ExpectingCases["cases"][number]): string =>
  "expect" in written ? written.expect : written.kind

/** Null if the file has no cases. */
export const casesSummary = (suite: ReadonlyArray<ExpectingCases>, code: string): CasesSummary | null => {
  const own = suite.find(({ of }) => of === code)
  if (own === undefined) return null
  const expecting: Record<string, number> = {}
  for (const written of own.cases) {
    const expected = expectationOf(written)
    expecting[expected] = (expecting[expected] ?? 0) + 1
  }
  return { file: own.file, total: own.cases.length, expecting }
}

/** A release that contains a rule file. */
interface ReleaseContaining {
  readonly version: string
  /** Whether the release has the file with the same content. */
  readonly same: boolean
}

/** Oldest first, without releases that cannot be opened: `rules check` reports those. */
const releasesContaining = (root: Root, { json, name }: SourceFile): ReadonlyArray<ReleaseContaining> =>
  listReleases(root).flatMap((version) => {
    const file = `rules/releases/${version}.json`
    const read = Result.flatMap(openFrozen(root, file), (document) => releaseFiles(file, version, document))
    if (Result.isFailure(read)) return []
    const { factors, typologies } = read.success.files
    return [...factors, ...typologies]
      .filter((source) => source.name === name)
      .map((source) => ({ version, same: canonicalForm(source.json) === canonicalForm(json) }))
  })

/** A fact that conditions can use, with its operators and the rule files that use it. */
export interface CataloguedFact {
  readonly fact: FactName
  readonly kind: FactKind
  readonly operators: ReadonlyArray<string>
  /** Only completeness factors may use it. */
  readonly completenessOnly: boolean
  /** Codes of the rule files that use it. */
  readonly usedBy: ReadonlyArray<string>
}

/** Operators that every rule may use. */
const upwardOperators = ["greaterThanInclusive", "greaterThan"] as const
/** Operators for rules that raise no score: policy rules with the effect annotate or add_recommendation. */
const downwardOperators = ["lessThan", "lessThanInclusive"] as const

const operatorsOf = ({ kind }: FactKind): ReadonlyArray<string> =>
  kind === "count" || kind === "rank" ? [...upwardOperators, ...downwardOperators] : choiceOperators

const usesFact = ({ rules }: RuleGroup, fact: FactName): boolean =>
  rules.some(({ condition }) => atomsOf(condition).some((atom) => atom.fact === fact))

export const factCatalogue = (ruleGroups: ReadonlyArray<RuleGroup>): ReadonlyArray<CataloguedFact> =>
  Object.keys(factKinds)
    .filter(isFactName)
    .map((fact) => ({
      fact,
      kind: factKinds[fact],
      operators: operatorsOf(factKinds[fact]),
      completenessOnly: completenessFacts.has(fact),
      usedBy: ruleGroups.filter((ruleGroup) => usesFact(ruleGroup, fact)).map(({ code }) => code)
    }))

/** A policy rule as its author described it. */
export interface CataloguedPolicy extends PolicyRuleGroup {
  readonly described: typeof PolicyRuleFile.Type
}

/** For a set without findings, so decoding cannot fail here: opening the set decoded every file before. */
export const cataloguePolicies = (set: PreparedPolicySet): ReadonlyArray<CataloguedPolicy> =>
  policyRuleGroups(set).flatMap((ruleGroup) =>
    set.files.rules
      .filter(({ name }) => name === ruleGroup.code)
      .flatMap((source) =>
        Result.match(decodeFile(PolicyRuleFile, source), {
          onFailure: () => [],
          onSuccess: (described) => [{ ...ruleGroup, described }]
        })
      )
  )

export interface CataloguedSet {
  readonly name: string
  /** Null if the set has no readable working folder. */
  readonly working: (typeof PolicySetFile.Type & { readonly rules: number }) | null
  /** Oldest first. */
  readonly frozen: ReadonlyArray<string>
}

/** The `policy.json` of the set. */
export const describeSet = ({ files }: PreparedPolicySet): Read<typeof PolicySetFile.Type> =>
  decodeFile(PolicySetFile, files.policy)

const readWorking = (root: Root, name: string): CataloguedSet["working"] =>
  loadPolicyVersion(root, name, "draft").pipe(
    Result.flatMap((set) =>
      Result.map(describeSet(set), (described) => ({ ...described, rules: set.rules.length }))
    ),
    Result.getOrElse(() => null)
  )

export const cataloguePolicySets = (root: Root): ReadonlyArray<CataloguedSet> =>
  listPolicySets(root).map((name) => ({
    name,
    working: readWorking(root, name),
    frozen: listPolicyVersions(root, name)
  }))

/** The effect of a policy rule in plain words. */
export const describeEffect = ({
  control,
  effect,
  factor,
  floor,
  note,
  recommendations
}: PolicyRuleMatch): string => {
  switch (effect) {
    case "raise_floor":
      return `the score is at least ${floor}`
    case "add_factor":
      return `a ${factor?.severity} factor says: ${factor?.message}`
    case "require_control":
      return `the control is at least ${control}`
    case "add_recommendation":
      return `${recommendations.join(", ")} is recommended`
    case "annotate":
      return `a note says: ${note}`
  }
}

export const describePolicyCondition = ({ rules: [rule] }: PolicyRuleGroup): string =>
  rule === undefined ? "never" : describeCondition(rule.condition)
