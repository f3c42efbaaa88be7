/** The reference evaluator: json-rules-engine itself, called in a way that avoids its known traps. */

import type { TopLevelCondition } from "json-rules-engine"
import { byCodeUnit } from "../../json/json.ts"
import { factKinds, type Facts } from "../../scoring/Facts.ts"
import type { FactorMatch, PolicyMatches, RuleMatches } from "../../scoring/Model.ts"
import {
  atomsOf,
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

const isOfKind = (fact: string, value: unknown): boolean => {
  if (!isFactName(fact)) return false
  const { kind } = factKind(fact)
  if (kind === "flag") return typeof value === "boolean"
  return kind === "name" || kind === "text" ? typeof value === "string" : Number.isSafeInteger(value)
}

/** The engine treats a missing fact as false and a numeric text as a number, so neither may reach it. */
const assertTyped = (facts: Facts): void => {
  const values: Readonly<Record<string, unknown>> = facts
  for (const fact of Object.keys(factKinds)) {
    if (!isOfKind(fact, values[fact])) throw new TypeError(`fact \`${fact}\` is missing or of the wrong kind`)
  }
}

/** Loaded on demand: at most starts, the evaluators are already known to agree. */
const loadEngine = () => import("json-rules-engine")
let loading: ReturnType<typeof loadEngine> | undefined

/** The rules that hold and the rules that gave no answer, by index. */
interface Answers {
  readonly held: ReadonlySet<number>
  readonly unanswered: ReadonlySet<number>
}

/**
 * Invariant: an engine serves a single run. It stores the run's state, so overlapping runs would silently skip rules. Rules are identified
 * by index, so that neither names, events nor the order of results matter.
 */
const run = async (rules: ReadonlyArray<Rule<unknown>>, facts: Facts): Promise<Answers> => {
  assertTyped(facts)
  const { Engine } = await (loading ??= loadEngine())
  const engine = new Engine()
  rules.forEach(({ condition }, i) => {
    // The engine requires a group at the root. A group with one term means the same as the term.
    engine.addRule({ name: String(i), conditions: { all: [toTerm(condition)] }, event: { type: "matched" } })
  })
  // The engine hashes every fact that it gets, used or not, and rejects a condition whose fact is missing.
  const used = new Set(rules.flatMap(({ condition }) => atomsOf(condition).map(({ fact }) => fact)))
  const given = Object.fromEntries([...used].map((fact) => [fact, facts[fact]]))
  const { results, failureResults } = await engine.run(given)
  const held = new Set(results.map(({ name }) => Number(name)))
  const failed = new Set(failureResults.map(({ name }) => Number(name)))
  const silent = rules.flatMap((_, i) => (held.has(i) || failed.has(i) ? [] : [i]))
  return { held, unanswered: new Set(silent) }
}

const matchesOf = <Match>(rules: ReadonlyArray<Rule<Match>>, which: ReadonlySet<number>): Array<Match> =>
  rules.filter((_, i) => which.has(i)).map(({ match }) => match)

/** The strongest match of each factor, ascending by code. */
const strongestOfEach = (matches: ReadonlyArray<FactorMatch>): ReadonlyArray<FactorMatch> =>
  [...Map.groupBy(matches, ({ code }) => code).values()]
    .flatMap((same) => same.toSorted(bySeverity).slice(0, 1))
    .toSorted((a, b) => byCodeUnit(a.code, b.code))

/** Rejects if any rule gave no answer, because a partial result is not a result. */
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

/** A rule that gave no answer counts as matched, which is the worst case. */
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
