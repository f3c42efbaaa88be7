/** A rulebook: one rule release and one policy set, opened by name, with their rules grouped by file. */

import { Result } from "effect"
import type { Read } from "./Finding.ts"
import type { Root, SourceFile } from "./files/readTree.ts"
import {
  atomsOf,
  bySeverity,
  conditionHolds,
  type FactorRule,
  type PolicyRule,
  type Rule,
  type TypologyRule
} from "./language/Rule.ts"
import type { PreparedPolicySet } from "./policies/PreparedPolicySet.ts"
import { loadPolicySet, loadPolicyVersion } from "./policies/loadPolicySet.ts"
import { listReleases, loadDraft, loadRelease, type Prepared } from "./release/loadRelease.ts"
import type { FactName, Facts } from "../scoring/Facts.ts"
import type { PolicyMatches, PolicySet, RiskModel, RuleMatches } from "../scoring/Model.ts"
import { byCodeUnit } from "../json/json.ts"

export interface Rulebook {
  /** The name under which it was opened: `1.0.0`, `draft`, `starter@1.0.0`. */
  readonly label: string
  readonly release: Prepared
  readonly policies: PreparedPolicySet
}

/** The two sides of a comparison. */
export interface RulebookPair {
  readonly from: Rulebook
  readonly to: Rulebook
}

const loadNamed = (root: Root, version: string): Read<Prepared> =>
  version === "draft" ? loadDraft(root) : loadRelease(root, version)

/** Opens a release, or the working files for `draft`, with the policy set `none`, which has no rules. */
export const openRulebook = (root: Root, version: string): Read<Rulebook> =>
  Result.map(loadNamed(root, version), (release) => ({
    label: version,
    release,
    policies: loadPolicySet(root, "none")
  }))

/** Opens a policy set with the newest rule release, or with the working rules if there is no release yet. */
export const openPolicyRulebook = (
  root: Root,
  set: string,
  version: string,
  openRules = (rules: string) => openRulebook(root, rules)
): Read<Rulebook> =>
  Result.gen(function* () {
    const { release } = yield* openRules(listReleases(root).at(-1) ?? "draft")
    const policies = yield* loadPolicyVersion(root, set, version)
    return { label: `${set}@${version}`, release, policies }
  })

/** The rules of one file: those of a factor (one per severity), or the single rule of a typology or a policy. */
interface RuleGroupOf<Kind extends string, R extends Rule<unknown>> {
  readonly kind: Kind
  /** The code of a factor, the name of a typology, or the id of a policy rule. */
  readonly code: string
  readonly file: string
  /** In file order: a rule's index here is its index in the file's `rules`. */
  readonly rules: ReadonlyArray<R>
}

export type FactorRuleGroup = RuleGroupOf<"factor", FactorRule>
export type TypologyRuleGroup = RuleGroupOf<"typology", TypologyRule>
export type PolicyRuleGroup = RuleGroupOf<"policy", PolicyRule>
export type RuleGroup = FactorRuleGroup | TypologyRuleGroup | PolicyRuleGroup

/** A release whose rules have been read, without preparing it for scoring. */
export interface ReadRelease extends Pick<Prepared, "rules"> {
  readonly files: Pick<Prepared["files"], "factors" | "typologies">
}

const fileOf = (sources: ReadonlyArray<SourceFile>, name: string): string =>
  sources.find((source) => source.name === name)?.file ?? name

export const factorRuleGroups = ({ files, rules }: ReadRelease): ReadonlyArray<FactorRuleGroup> =>
  [...Map.groupBy(rules.factors, ({ match }) => match.code)].map(([code, own]) => ({
    kind: "factor",
    code,
    file: fileOf(files.factors, code),
    rules: own
  }))

export const typologyRuleGroups = ({ files, rules }: ReadRelease): ReadonlyArray<TypologyRuleGroup> =>
  rules.typologies.map((rule) => ({
    kind: "typology",
    code: rule.match.name,
    file: fileOf(files.typologies, rule.match.name),
    rules: [rule]
  }))

export const policyRuleGroups = ({ files, rules }: PreparedPolicySet): ReadonlyArray<PolicyRuleGroup> =>
  rules.map((rule) => ({
    kind: "policy",
    code: rule.match.rule,
    file: fileOf(files.rules, rule.match.rule),
    rules: [rule]
  }))

export const releaseRuleGroups = (
  release: ReadRelease
): ReadonlyArray<FactorRuleGroup | TypologyRuleGroup> => [
  ...factorRuleGroups(release),
  ...typologyRuleGroups(release)
]

/** The facts that the rules of a file use, without duplicates, in file order. */
export const factsUsedBy = ({ rules }: RuleGroup): ReadonlyArray<FactName> => [
  ...new Set(rules.flatMap(({ condition }) => atomsOf(condition).map(({ fact }) => fact)))
]

export interface Scoring {
  readonly model: RiskModel
  readonly policySet: PolicySet
}

const matchesOf = <Match>(rules: ReadonlyArray<Rule<Match>>, facts: Facts): ReadonlyArray<Match> =>
  rules.filter(({ condition }) => conditionHolds(condition, facts)).map(({ match }) => match)

/** Merges this file's matches into those of all other files, in the order of the opinion. */
const merge = <Match>(
  others: ReadonlyArray<Match>,
  own: ReadonlyArray<Match>,
  nameOf: (match: Match) => string,
  name: string
): ReadonlyArray<Match> =>
  [...others.filter((match) => nameOf(match) !== name), ...own].toSorted((a, b) =>
    byCodeUnit(nameOf(a), nameOf(b))
  )

/** Scores as if one rule file were replaced. The other files are not compiled again. */
export const scoringWithGroup = ({ model, policySet }: Scoring, group: RuleGroup): Scoring => {
  const rulesWith = (change: (matches: RuleMatches, facts: Facts) => Partial<RuleMatches>): Scoring => {
    const match = (facts: Facts): RuleMatches => {
      const matches = model.match(facts)
      return { ...matches, ...change(matches, facts) }
    }
    return { policySet, model: { ...model, match } }
  }
  switch (group.kind) {
    case "factor":
      return rulesWith(({ factors }, facts) => {
        const own = matchesOf(group.rules, facts).toSorted(bySeverity).slice(0, 1)
        return { factors: merge(factors, own, ({ code }) => code, group.code) }
      })
    case "typology":
      return rulesWith(({ typologies }, facts) => ({
        typologies: merge(typologies, matchesOf(group.rules, facts), ({ name }) => name, group.code)
      }))
    case "policy": {
      const match = (facts: Facts): PolicyMatches => {
        const { incomplete, matched } = policySet.match(facts)
        return {
          matched: merge(matched, matchesOf(group.rules, facts), ({ rule }) => rule, group.code),
          incomplete
        }
      }
      return { model, policySet: { ...policySet, match } }
    }
  }
}
