/** The reference evaluator: json-rules-engine itself, asked so that none of its traps can close. */

import { Engine, type TopLevelCondition } from "json-rules-engine"
import { byCodeUnit } from "../../json/json.ts"
import { factKinds, type FactName, type Facts } from "../../scoring/Facts.ts"
import type { FactorMatch, PolicyMatches, RuleMatches } from "../../scoring/Model.ts"
import {
  bySeverity,
  type Condition,
  factKind,
  isFactName,
  type PolicyRule,
  type Rule,
  type RuleSet
} from "./Rule.ts"

type Term = Extract<TopLevelCondition, { readonly all: unknown }>["all"][number]

const toTerm = (condition: Condition): Term => {
  if ("all" in condition) return { all: condition.all.map(toTerm) }
  if ("any" in condition) return { any: condition.any.map(toTerm) }
  return { ...condition }
}

const factsAskedBy = (condition: Condition): ReadonlyArray<FactName> => {
  if ("all" in condition) return condition.all.flatMap(factsAskedBy)
  if ("any" in condition) return condition.any.flatMap(factsAskedBy)
  return [condition.fact]
}

const isOfKind = (fact: string, value: unknown): boolean => {
  if (!isFactName(fact)) return false
  const { kind } = factKind(fact)
  if (kind === "flag") return typeof value === "boolean"
  return kind === "name" || kind === "text" ? typeof value === "string" : Number.isSafeInteger(value)
}

/** A missing fact is false to the engine and a numeric text is a number: neither may reach it. */
const assertTyped = (facts: Facts): void => {
  const values: Readonly<Record<string, unknown>> = facts
  for (const fact of Object.keys(factKinds)) {
    if (!isOfKind(fact, values[fact])) throw new TypeError(`fact \`${fact}\` is missing or of the wrong kind`)
  }
}

/** Which rules hold, by position, and which gave no answer. */
interface Answers {
  readonly held: ReadonlySet<number>
  readonly unanswered: ReadonlySet<number>
}

/**
 * Invariant: an engine serves one run. It keeps the run's state on itself, so overlapping runs would skip rules silently.
 * Rules are named by position: names, events and the order of results never decide anything.
 */
const run = async (rules: ReadonlyArray<Rule<unknown>>, facts: Facts): Promise<Answers> => {
  assertTyped(facts)
  const engine = new Engine()
  rules.forEach(({ condition }, i) => {
    // The engine wants a group at the root; a group of one means its term.
    engine.addRule({ name: String(i), conditions: { all: [toTerm(condition)] }, event: { type: "matched" } })
  })
  // The engine hashes each fact that it is given, asked for or not; one that is missing it would reject.
  const asked = new Set(rules.flatMap(({ condition }) => factsAskedBy(condition)))
  const given = Object.fromEntries([...asked].map((fact) => [fact, facts[fact]]))
  const { results, failureResults } = await engine.run(given)
  const held = new Set(results.map(({ name }) => Number(name)))
  const failed = new Set(failureResults.map(({ name }) => Number(name)))
  const silent = rules.flatMap((_, i) => (held.has(i) || failed.has(i) ? [] : [i]))
  return { held, unanswered: new Set(silent) }
}

const matchesOf = <Match>(rules: ReadonlyArray<Rule<Match>>, which: ReadonlySet<number>): Array<Match> =>
  rules.filter((_, i) => which.has(i)).map(({ match }) => match)

/** Of the matches of one factor the strongest; ascending by code. */
const strongestOfEach = (matches: ReadonlyArray<FactorMatch>): ReadonlyArray<FactorMatch> =>
  [...Map.groupBy(matches, ({ code }) => code).values()]
    .flatMap((same) => same.toSorted(bySeverity).slice(0, 1))
    .toSorted((a, b) => byCodeUnit(a.code, b.code))

/** Rejects where any rule gave no answer: part of a rule set is no rule set. */
export const referenceRules =
  ({ factors, typologies }: RuleSet) =>
  async (facts: Facts): Promise<RuleMatches> => {
    const rules: ReadonlyArray<Rule<unknown>> = [...factors, ...typologies]
    const { held, unanswered } = await run(rules, facts)
    if (unanswered.size > 0) throw new Error(`${unanswered.size} of ${rules.length} rules gave no answer`)
    const heldTypologies = typologies.filter((_, i) => held.has(factors.length + i))
    return {
      factors: strongestOfEach(matchesOf(factors, held)),
      typologies: heldTypologies.map(({ match }) => match).toSorted((a, b) => byCodeUnit(a.name, b.name))
    }
  }

/** A rule that gave no answer counts as matched: its worst reading. */
export const referencePolicies =
  (rules: ReadonlyArray<PolicyRule>) =>
  async (facts: Facts): Promise<PolicyMatches> => {
    const { held, unanswered } = await run(rules, facts)
    return {
      matched: matchesOf(rules, new Set([...held, ...unanswered])).toSorted((a, b) =>
        byCodeUnit(a.rule, b.rule)
      ),
      incomplete: unanswered.size > 0
    }
  }
