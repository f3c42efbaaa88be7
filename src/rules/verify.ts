/** Runs a rule set through both evaluators around each of its boundaries; they must say the same. */

import { isDeepStrictEqual } from "node:util"
import { verifiedSetsMax } from "../Limits.ts"
import type { Facts } from "../scoring/Facts.ts"
import type { PolicyMatches, RuleMatches } from "../scoring/Model.ts"
import { referencePolicies, referenceRules } from "./reference.ts"
import type { FactorRule, PolicyRule, Rule, RuleSet } from "./Rule.ts"
import { boundaryFacts } from "./verify/boundaryFacts.ts"

const sample = (vectors: ReadonlyArray<Facts>): ReadonlyArray<Facts> => {
  const every = Math.max(1, Math.floor(vectors.length / verifiedSetsMax))
  return vectors.filter((_, i) => i % every === 0).slice(0, verifiedSetsMax)
}

/** Facts around every boundary of some conditions, each record once. */
const boundariesOf = (rules: ReadonlyArray<Rule<unknown>>): ReadonlyArray<Facts> => {
  const vectors = rules.flatMap(({ condition }) => boundaryFacts(condition))
  return [...new Map(vectors.map((facts) => [JSON.stringify(facts), facts])).values()]
}

/** Names of the factors and typologies on which the evaluators differ. */
export const verifyRules = async (
  rules: RuleSet,
  match: (facts: Facts) => RuleMatches
): Promise<ReadonlyArray<string>> => {
  const differing = new Set<string>()
  const all: Array<Facts> = []
  const compare = async (part: RuleSet, code: string, facts: Facts) => {
    const compiled = match(facts)
    const expected = await referenceRules(part)(facts)
    const actual = {
      factors: compiled.factors.filter((factor) => factor.code === code),
      typologies: compiled.typologies.filter((typology) => typology.name === code)
    }
    if (!isDeepStrictEqual(actual, expected)) differing.add(code)
  }
  const ladders: ReadonlyMap<string, ReadonlyArray<FactorRule>> = Map.groupBy(
    rules.factors,
    ({ match: { code } }) => code
  )
  for (const [code, factors] of ladders) {
    const vectors = boundariesOf(factors)
    for (const facts of vectors) await compare({ factors, typologies: [] }, code, facts)
    all.push(...vectors)
  }
  for (const typology of rules.typologies) {
    const vectors = boundariesOf([typology])
    const part = { factors: [], typologies: [typology] }
    for (const facts of vectors) await compare(part, typology.match.name, facts)
    all.push(...vectors)
  }
  for (const facts of sample(all)) {
    if (!isDeepStrictEqual(match(facts), await referenceRules(rules)(facts))) differing.add("the whole set")
  }
  return [...differing]
}

/** Ids of the policy rules on which the evaluators differ. */
export const verifyPolicies = async (
  rules: ReadonlyArray<PolicyRule>,
  match: (facts: Facts) => PolicyMatches
): Promise<ReadonlyArray<string>> => {
  const differing = new Set<string>()
  for (const rule of rules) {
    for (const facts of boundariesOf([rule])) {
      const actual = match(facts).matched.filter((matched) => matched.rule === rule.match.rule)
      const expected = await referencePolicies([rule])(facts)
      if (!isDeepStrictEqual(actual, expected.matched)) differing.add(rule.match.rule)
    }
  }
  return [...differing]
}
