/** Compares the two evaluators on facts around every boundary of a rule set. They must agree. */

import { isDeepStrictEqual } from "node:util"
import { verifiedSetsMax } from "../../limits.ts"
import { factKinds, type FactName, type Facts } from "../../scoring/Facts.ts"
import type { PolicyMatches, RuleMatches } from "../../scoring/Model.ts"
import {
  type ConditionAtom,
  atomHolds,
  atomsOf,
  type Condition,
  factKind,
  type FactorRule,
  isComparison,
  type PolicyRule,
  type Rule,
  type RuleSet
} from "./Rule.ts"
import { referencePolicies, referenceRules } from "./reference.ts"

const sample = (vectors: ReadonlyArray<Facts>): ReadonlyArray<Facts> => {
  const every = Math.max(1, Math.floor(vectors.length / verifiedSetsMax))
  return vectors.filter((_, i) => i % every === 0).slice(0, verifiedSetsMax)
}

/** Facts around every boundary in the rules' conditions, without duplicate records. */
const boundariesOf = (rules: ReadonlyArray<Rule<unknown>>): ReadonlyArray<Facts> => {
  const vectors = rules.flatMap(({ condition }) => boundaryFacts(condition))
  return [...new Map(vectors.map((facts) => [JSON.stringify(facts), facts])).values()]
}

/** The names of factors and typologies on which the evaluators differ. */
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
  const factorsByCode: ReadonlyMap<string, ReadonlyArray<FactorRule>> = Map.groupBy(
    rules.factors,
    ({ match: { code } }) => code
  )
  for (const [code, factors] of factorsByCode) {
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

/** The ids of policy rules on which the evaluators differ. */
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

type Value = Facts[FactName]
type Chosen = Partial<Record<FactName, Value>>

/** Values for which the atom holds and values for which it fails. For a comparison, those at its boundary. */
const around = (atom: ConditionAtom): ReadonlyArray<Value> => {
  const kind = factKind(atom.fact)
  if (isComparison(atom)) {
    const max = kind.kind === "rank" ? kind.max : Number.MAX_SAFE_INTEGER
    return [atom.value - 1, atom.value, atom.value + 1].filter((value) => value >= 0 && value <= max)
  }
  if (kind.kind === "flag") return [false, true]
  const candidates = kind.kind === "name" ? kind.names : [...[atom.value].flat().map(String), "other.read"]
  const yes = candidates.filter((value) => atomHolds(atom, value))
  const no = candidates.filter((value) => !atomHolds(atom, value))
  return [...yes.slice(0, 1), ...yes.slice(1).slice(-1), ...no.slice(0, 1), ...no.slice(1).slice(-1)]
}

/** Ways to make a condition hold: one for each branch of its widest `any`. */
const witnesses = (condition: Condition): ReadonlyArray<Chosen> => {
  if ("any" in condition) return condition.any.flatMap(witnesses)
  if ("all" in condition) {
    const each = condition.all.map(witnesses)
    const firsts = each.map(([first]) => first ?? {})
    const widest = each.reduce((most, other) => (other.length > most.length ? other : most), [])
    const place = each.indexOf(widest)
    return widest.map((own): Chosen => Object.assign({}, ...firsts.with(place, own)))
  }
  const value = around(condition).find((value) => atomHolds(condition, value))
  return value === undefined ? [{}] : [{ [condition.fact]: value }]
}

const quietValue = (fact: FactName): Value => {
  const kind = factKind(fact)
  switch (kind.kind) {
    case "flag":
      return false
    case "name":
      return kind.names[0] ?? ""
    case "text":
      return "customer.read"
    default:
      return 0
  }
}

/** The facts of a harmless action: every flag false, every count 0. */
const quiet = Object.fromEntries(
  Object.keys(factKinds).map((fact) => [fact, quietValue(fact as FactName)])
) as Facts

/** Facts around every boundary of a condition: each threshold one below, at, and one above; each choice both ways. */
export const boundaryFacts = (condition: Condition): ReadonlyArray<Facts> => {
  const atoms = atomsOf(condition)
  return witnesses(condition).flatMap((witness) =>
    atoms.flatMap((atom) =>
      around(atom).map((value): Facts => Object.assign({ ...quiet }, witness, { [atom.fact]: value }))
    )
  )
}
