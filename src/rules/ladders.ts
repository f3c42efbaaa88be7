/** The rules of one file together: a factor's ladder of severities, the one rule of a typology or of a policy. */

import type { FactorMatch, TypologyMatch } from "../scoring/Model.ts"
import type { PreparedPolicySet } from "./policies/PreparedPolicySet.ts"
import type { Prepared } from "./prepareModel.ts"
import type { FactorRule, PolicyRule, Rule, TypologyRule } from "./Rule.ts"
import type { SourceFile } from "./SourceFile.ts"

interface LadderOf<Kind extends string, R extends Rule<unknown>> {
  readonly kind: Kind
  /** A factor's code, a typology's name, a policy rule's id. */
  readonly code: string
  readonly file: string
  /** In the order of the file, so that a rule's position is its place in the document. */
  readonly rules: ReadonlyArray<R>
}

export type FactorLadder = LadderOf<"factor", FactorRule>
export type TypologyLadder = LadderOf<"typology", TypologyRule>
export type PolicyLadder = LadderOf<"policy", PolicyRule>
export type Ladder = FactorLadder | TypologyLadder | PolicyLadder

const fileOf = (sources: ReadonlyArray<SourceFile>, name: string): string =>
  sources.find((source) => source.name === name)?.file ?? name

export const factorLadders = ({ files, rules }: Prepared): ReadonlyArray<FactorLadder> =>
  [...Map.groupBy(rules.factors, ({ match }: Rule<FactorMatch>) => match.code)].map(([code, own]) => ({
    kind: "factor",
    code,
    file: fileOf(files.factors, code),
    rules: own
  }))

export const typologyLadders = ({ files, rules }: Prepared): ReadonlyArray<TypologyLadder> =>
  rules.typologies.map((rule: Rule<TypologyMatch>) => ({
    kind: "typology",
    code: rule.match.name,
    file: fileOf(files.typologies, rule.match.name),
    rules: [rule]
  }))

export const policyLadders = ({ files, rules }: PreparedPolicySet): ReadonlyArray<PolicyLadder> =>
  rules.map((rule) => ({
    kind: "policy",
    code: rule.match.rule,
    file: fileOf(files.rules, rule.match.rule),
    rules: [rule]
  }))

export const ruleLadders = (release: Prepared): ReadonlyArray<FactorLadder | TypologyLadder> => [
  ...factorLadders(release),
  ...typologyLadders(release)
]
