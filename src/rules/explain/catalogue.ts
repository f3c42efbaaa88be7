/** The catalogue of releases and policy sets: each rule as its author described it, and which rules use each fact. */

import {
  type FactorRuleGroup,
  factorRuleGroups,
  factsUsedBy,
  type PolicyRuleGroup,
  policyRuleGroups,
  type ReadRelease,
  type RuleGroup,
  typologyRuleGroups
} from "../Rulebook.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { PolicyRuleFile, PolicySetFile } from "../files/policyFiles.ts"
import type { Root, SourceFile } from "../files/readTree.ts"
import { FactorFile, TypologyFile } from "../files/ruleFiles.ts"
import { choiceOperators, completenessFacts, isFactName } from "../language/Rule.ts"
import type { PreparedPolicySet } from "../policies/PreparedPolicySet.ts"
import { listPolicySets, listPolicyVersions, loadPolicyVersion } from "../policies/loadPolicySet.ts"
import { listReleases, openReleaseFiles, type Prepared } from "../release/loadRelease.ts"
import { describeCondition } from "./describeCondition.ts"
import { Record, Result, Schema } from "effect"
import { type Level, levels, severities, type Severity } from "../../domain/Opinion.ts"
import { canonicalForm } from "../../json/canonical.ts"
import { type FactKind, factKinds } from "../../scoring/Facts.ts"
import type { Read } from "../Finding.ts"
import type { PolicyRuleMatch } from "../../scoring/Model.ts"

/** Each group of rules with its file and its author's descriptions. */
const described = <Group extends RuleGroup, S extends Schema.ConstraintDecoder<unknown>>(
  groups: ReadonlyArray<Group>,
  sources: ReadonlyArray<SourceFile>,
  schema: S
) =>
  groups.flatMap((group) =>
    sources
      .filter(({ name }) => name === group.code)
      // Opening the release or the set already decoded the file, so decoding cannot fail here.
      .map((source) => ({ ...group, described: Result.getOrThrow(decodeFile(schema, source)), source }))
  )

export const catalogueFactors = ({ files, rules }: ReadRelease) =>
  described(factorRuleGroups({ files, rules }), files.factors, FactorFile)

export type CataloguedFactor = ReturnType<typeof catalogueFactors>[number]

export const catalogueTypologies = ({ files, rules }: ReadRelease) =>
  described(typologyRuleGroups({ files, rules }), files.typologies, TypologyFile)

export type CataloguedTypology = ReturnType<typeof catalogueTypologies>[number]

/** Only for a set without findings. */
export const cataloguePolicies = (set: PreparedPolicySet) =>
  described(policyRuleGroups(set), set.files.rules, PolicyRuleFile)

export type CataloguedPolicy = ReturnType<typeof cataloguePolicies>[number]

const FirstScores = Schema.Struct({ levels: Schema.Record(Schema.Literals(levels), Schema.Int) })

/** The lowest score of each level. Already validated when the release was read. */
export const firstScoresOf = ({ files }: Prepared): Readonly<Record<Level, number>> =>
  Schema.decodeUnknownSync(FirstScores)(files.ruleset.json).levels

/** The severities that a factor's rules can give, weakest first. */
export const severitiesOf = ({ rules }: FactorRuleGroup): ReadonlyArray<Severity> =>
  severities.filter((severity) => rules.some(({ match }) => match.severity === severity))

/** The hazards of a factor's rules in basis points, each once, ascending. */
export const hazardsOf = ({ rules }: FactorRuleGroup): ReadonlyArray<number> =>
  [...new Set(rules.map(({ match }) => match.hazardBp))].toSorted((a, b) => a - b)

const catalogueRules = (release: ReadRelease) => [
  ...catalogueFactors(release),
  ...catalogueTypologies(release)
]

export const catalogueCodes = (release: ReadRelease): ReadonlyArray<string> =>
  catalogueRules(release).map(({ code }) => code)

/** One rule file as `rules show` presents it; null if the release has no factor or typology of that name. */
export const ruleFileDetails = (
  root: Root,
  release: ReadRelease,
  suite: ReadonlyArray<ExpectingCases>,
  code: string
) => {
  const found = catalogueRules(release).find((file) => file.code === code)
  if (found === undefined) return null
  return { ...found, cases: casesSummary(suite, code), releases: releasesContaining(root, found.source) }
}

export type RuleFileDetails = NonNullable<ReturnType<typeof ruleFileDetails>>

/** The members of a case file that a summary needs. */
export interface ExpectingCases {
  readonly of: string
  readonly file: string
  readonly cases: ReadonlyArray<{ readonly expect: string } | { readonly kind: string }>
}

const expectationOf = (written: ExpectingCases["cases"][number]): string =>
  "expect" in written ? written.expect : written.kind

/** The cases of a rule file, and how many expect each outcome, in file order. Null if it has no cases. */
export const casesSummary = (suite: ReadonlyArray<ExpectingCases>, code: string) => {
  const own = suite.find(({ of }) => of === code)
  if (own === undefined) return null
  const expecting = Record.map(
    Object.fromEntries(Map.groupBy(own.cases, expectationOf)),
    ({ length }) => length
  )
  return { file: own.file, total: own.cases.length, expecting }
}

/**
 * The releases that contain the file, oldest first, and whether its content is the same. `rules check` reports releases that cannot be
 * opened.
 */
const releasesContaining = (root: Root, { json, name }: SourceFile) =>
  listReleases(root).flatMap((version) => {
    const read = openReleaseFiles(root, version)
    if (Result.isFailure(read)) return []
    const { factors, typologies } = read.success.files
    return [...factors, ...typologies]
      .filter((source) => source.name === name)
      .map((source) => ({ version, same: canonicalForm(source.json) === canonicalForm(json) }))
  })

/** Rules that raise a score may use the first two; `annotate` and `add_recommendation` may use all four. */
const numberOperators = ["greaterThanInclusive", "greaterThan", "lessThan", "lessThanInclusive"]

const operatorsOf = ({ kind }: FactKind): ReadonlyArray<string> =>
  kind === "count" || kind === "rank" ? numberOperators : choiceOperators

/** The facts that conditions can use, each with its operators and the codes of the rule files that use it. */
export const factCatalogue = (ruleGroups: ReadonlyArray<RuleGroup>) =>
  Object.keys(factKinds)
    .filter(isFactName)
    .map((fact) => ({
      fact,
      kind: factKinds[fact] as FactKind,
      operators: operatorsOf(factKinds[fact]),
      completenessOnly: completenessFacts.has(fact),
      usedBy: ruleGroups.filter((group) => factsUsedBy(group).includes(fact)).map(({ code }) => code)
    }))

export type CataloguedFact = ReturnType<typeof factCatalogue>[number]

/** The set's `policy.json`. */
export const describeSet = ({ files }: PreparedPolicySet): Read<typeof PolicySetFile.Type> =>
  decodeFile(PolicySetFile, files.policy)

/** Null if the set has no readable working folder. */
const readWorking = (root: Root, name: string) =>
  loadPolicyVersion(root, name, "draft").pipe(
    Result.flatMap((set) =>
      Result.map(describeSet(set), (described) => ({ ...described, rules: set.rules.length }))
    ),
    Result.getOrElse(() => null)
  )

/** Each set with its working folder and its frozen versions, oldest first. */
export const cataloguePolicySets = (root: Root) =>
  listPolicySets(root).map((name) => ({
    name,
    working: readWorking(root, name),
    frozen: listPolicyVersions(root, name)
  }))

export type CataloguedSet = ReturnType<typeof cataloguePolicySets>[number]

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
