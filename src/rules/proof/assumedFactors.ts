/** Factors that rest on an assumption: whether a rule change can make one no longer count towards the control of an opinion. */

/**
 * A factor rests on an assumption if it is milder, or not raised, with every missing field at its mildest plausible value. In some
 * opinions of a low level it then does not count at all (telling/toldFactors.ts), not even as severe as it is with those values. So a
 * control can weaken although no rule says less: where a factor becomes more severe only by an assumption. The search over facts
 * lets every factor count, which is exact if nothing is missing. For the rest, `restingFactors` names each changed factor that, for
 * acts for which it may not count, does not say exactly what it said:
 *
 * 1. It says less, and no group that goes by nothing assumed covers that. Without such facts a factor that counted before, because it
 *    was as severe with the mildest values, is still as severe with them.
 * 2. It says more, what it tests can rest on an assumption, and with the mildest values it can still say what it said. A severity that
 *    puts the score at a moderate level or above does no harm: there every factor counts.
 *
 * Otherwise the factor says the same for the reference and no less for the mildest values, so that it counts wherever it did. The terms
 * below may hold for more facts than the question asks for, and never for fewer.
 */

import type { FactName } from "../../scoring/Facts.ts"
import type { Numbers } from "../../scoring/Numbers.ts"
import { extents, impacts } from "../../scoring/reading/Act.ts"
import { isUpwardClosed } from "../analysis/Box.ts"
import { all, any, atLeast, atMost, is, type Literal, not, type Term } from "../analysis/Term.ts"
import { harmlessActs, possibleFactsOfOneDeed } from "../analysis/possibleFacts.ts"
import { findFacts } from "../analysis/satisfiability.ts"
import {
  type EvaluationComparison,
  type GroupPair,
  hasSameTerm,
  isNoMoreSilent,
  pairGroups,
  tiersReaching
} from "./EvaluationComparison.ts"
import { confirmationRank, type Silence } from "../ScoreAndControl.ts"
import { type Side, someLiteral, type Tier, type TierGroup } from "./Side.ts"

type Differs = Partial<Record<FactName, Term>>

/** For each fact that a missing field can change: where its reference and its mildest value can differ. */
const differsByFact = (numbers: Numbers): Differs => {
  const usual = extents.map((name) => numbers.extents[name])
  const recordsMin = Math.max(...Object.values(numbers.classes).map((own) => own.references.recordsMin))
  const counted = (fact: FactName, missing: FactName, most: number): Term =>
    // For a harmless act, each count is assumed independently. For others, a count can be in proportion to a stated one.
    all(is(missing, true), any(not(harmlessActs(numbers)), atMost(fact, most)))
  const noneStated = (missing: FactName): Term => all(is("counts_inconsistent", true), is(missing, true))
  const entities = any(
    counted("entities_affected", "entities_missing", Math.max(...usual.map((one) => one.entities))),
    noneStated("records_missing")
  )
  const records = any(
    counted("records_affected", "records_missing", Math.max(recordsMin, ...usual.map((one) => one.records))),
    noneStated("entities_missing")
  )
  const usd = is("financial_value_missing", true)
  const destination = is("destination_missing", true)
  const anything = any(entities, usd, destination)
  return {
    entities_affected: entities,
    records_affected: records,
    financial_value_usd_cents: usd,
    data_classification_rank: is("data_classification_missing", true),
    reversibility_rank: is("reversibility_missing", true),
    privilege_change: all(),
    production_impact: all(),
    production_impact_inconsistent: all(),
    counts_inconsistent: any(entities, records),
    destination_novel: destination,
    destination_unestablished: destination,
    destination_lookalike: destination,
    destination_step_up: anything,
    entity_volume_multiplier_x100: entities,
    financial_value_multiplier_x100: usd,
    cumulative_entities_step: anything,
    cumulative_value_step: anything
  }
}

/** Facts that can be higher with the mildest values than at the reference. */
const withoutOrder: ReadonlySet<FactName> = new Set<FactName>([
  "counts_inconsistent",
  "cumulative_entities_step",
  "cumulative_value_step"
])

/** At its mildest, a missing destination shows no sign of risk. */
const ofDestination: ReadonlySet<FactName> = new Set<FactName>([
  "destination_novel",
  "destination_unestablished",
  "destination_lookalike",
  "destination_step_up"
])

type Plausible = Numbers["plausible"]["cautious"]

/**
 * The smallest reference of a missing field whose mildest value is at least `least`. Undefined: nothing better than `least` itself is
 * known.
 */
const leastReference = (fact: FactName, least: number, { steps, times }: Plausible): number | undefined => {
  switch (fact) {
    case "entities_affected":
    case "records_affected":
    // A missing amount is assumed in US dollars, so no rate rounds it up.
    case "financial_value_usd_cents":
      return least * times
    case "data_classification_rank":
      return least + steps
    default:
      return undefined
  }
}

/** The facts at their references for which a literal can hold with the mildest values. */
const literalAtMildest = (literal: Literal, differs: Differs, numbers: Numbers): Term => {
  const { fact, yes } = literal
  const differing = differs[fact]
  if (differing === undefined) return literal
  if (withoutOrder.has(fact) || !isUpwardClosed(fact, yes)) return all()
  if (ofDestination.has(fact)) return all(is("destination_missing", false), literal)
  const { cautious, harmless } = numbers.plausible
  // A count of zero is assumed to be one if the other count is positive.
  if (!("min" in yes) || yes.min < 2) return literal
  const [ofHarmless, ofOthers] = [harmless, cautious].map((by) => leastReference(fact, yes.min, by))
  if (ofHarmless === undefined || ofOthers === undefined) return literal
  const from = (least: number) => atLeast(fact, Math.min(Number.MAX_SAFE_INTEGER, least))
  const isHarmless = harmlessActs(numbers)
  return any(
    all(not(differing), literal),
    all(isHarmless, from(ofHarmless)),
    all(not(isHarmless), from(ofOthers))
  )
}

const atMildest = (term: Term, differs: Differs, numbers: Numbers): Term => {
  if ("fact" in term) return literalAtMildest(term, differs, numbers)
  const inner = (parts: ReadonlyArray<Term>) => parts.map((part) => atMildest(part, differs, numbers))
  return "all" in term ? all(...inner(term.all)) : any(...inner(term.any))
}

/** The acts for which a factor that rests on an assumption may not count. */
const silentActs = (silence: Silence, numbers: Numbers): Term => {
  const ordinary = any(harmlessActs(numbers), atMost("impact_rank", impacts.indexOf("low")))
  const isProduction = any(is("environment", "production"), is("acts_anywhere", true))
  const terms: Readonly<Record<Silence, Term>> = {
    none: any(),
    ordinary,
    quiet: any(ordinary, not(all(atLeast("impact_rank", impacts.indexOf("high")), isProduction))),
    all: all()
  }
  return terms[silence]
}

const termsOf = ({ tiers }: TierGroup, wanted: (control: number) => boolean): ReadonlyArray<Term> =>
  tiers.filter(({ control }) => wanted(control)).map(({ term }) => term)

/** True if the group asks for exactly this control. */
const exactly = (group: TierGroup, rank: number): Term =>
  all(
    any(...termsOf(group, (control) => control === rank)),
    ...termsOf(group, (control) => control > rank).map(not)
  )

/** The controls for which the group can ask. */
const ranksOf = ({ tiers }: TierGroup): ReadonlyArray<number> => [
  ...new Set(tiers.map(({ control }) => control).filter((control) => control > 0))
]

/** The flags that hold with the mildest values too, because every tier that reaches the rank requires them there. */
const keptFlags = ({ tiers }: TierGroup, rank: number): ReadonlyArray<FactName> => {
  const flagsOf = (term: Term) =>
    ("all" in term ? term.all : [term]).flatMap((part) =>
      "fact" in part && "of" in part.yes && part.yes.of.every((value) => value === true) ? [part.fact] : []
    )
  return tiers
    .filter(({ control }) => control >= rank)
    .map(({ term }) => flagsOf(term))
    .reduce((kept, flags) => kept.filter((fact) => flags.includes(fact)))
}

/**
 * The facts for which a factor has exactly this rank, possibly with the mildest values too, while one of `stronger` may hold only at the
 * reference.
 */
const strongerByAssumption = (
  group: TierGroup,
  rank: number,
  stronger: ReadonlyArray<Tier>,
  numbers: Numbers
): Term => {
  if (stronger.length === 0) return any()
  const differs = differsByFact(numbers)
  const kept = keptFlags(group, rank)
  const differing = Object.entries(differs).filter(
    ([name]) =>
      !kept.some((fact) => fact === name) &&
      stronger.some(({ term }) => someLiteral(term, ({ fact }) => fact === name))
  )
  const reaching = any(...termsOf(group, (control) => control >= rank))
  return all(
    exactly(group, rank),
    atMildest(reaching, differs, numbers),
    any(...differing.map(([, where]) => where))
  )
}

/** The codes of changed factors that may no longer count where they did. */
export const restingFactors = (comparison: EvaluationComparison): ReadonlyArray<string> => {
  const { numbers } = comparison.to
  const { added, differing, same } = pairGroups(comparison)
  const differs = differsByFact(numbers)
  const firm = [...same.map(({ to }) => to), ...added].filter(
    ({ tiers }) => !tiers.some(({ term }) => someLiteral(term, ({ fact }) => fact in differs))
  )
  return differing.filter((pair) => mayStopCounting(pair, firm, comparison)).map(({ from }) => from.code)
}

const mayStopCounting = (
  { from, to }: GroupPair,
  firm: ReadonlyArray<TierGroup>,
  { to: { numbers }, where }: EvaluationComparison
): boolean => {
  // A staged factor that does not count leaves the confirmation in place, at every level.
  if ([from, to].some((group) => group?.staged === true && group.silence === "all")) return true
  const own = to !== undefined && isNoMoreSilent(from, to) ? to : undefined
  const strongFrom = from.silence === "all" ? Infinity : numbers.levels.moderate
  const says = ranksOf(from).map((rank) => {
    const less = all(
      exactly(from, rank),
      ...(own === undefined ? [] : termsOf(own, (control) => control >= rank).map(not)),
      ...firm.flatMap((group) => tiersReaching(group, "control", rank)).map(({ term }) => not(term))
    )
    if (own === undefined) return less
    const stronger = own.tiers.filter((tier) => tier.control > rank && !holdsAsOften(tier, from, rank, own))
    const [safe, harmful] = [
      stronger.filter(({ floor }) => floor >= strongFrom),
      stronger.filter(({ floor }) => floor < strongFrom)
    ]
    const more = all(
      strongerByAssumption(from, rank, harmful, numbers),
      any(...harmful.map(({ term }) => term)),
      ...safe.map(({ term }) => not(term))
    )
    return any(less, more)
  })
  // Controls are only claimed for calls that do one thing.
  const possible = all(where, possibleFactsOfOneDeed(numbers))
  return findFacts(all(any(...says), silentActs(from.silence, numbers), possible)) !== "none"
}

/** Whether the group asks for at least as much as the tier wherever the previous one did, so that it only became more severe. */
const holdsAsOften = ({ control }: Tier, from: TierGroup, rank: number, own: TierGroup): boolean => {
  const asSevere = own.tiers.filter((tier) => tier.control >= control)
  return from.tiers.every((tier) => tier.control < rank || hasSameTerm(tier, asSevere))
}

/** Whether rising facts can weaken a control: they activate a staged factor, or make one more severe only by an assumption. */
export const canWeakenByRising = ({ groups, numbers }: Side, rising: ReadonlySet<FactName>): boolean =>
  groups.some((group) => {
    const strongFrom = group.silence === "all" ? Infinity : numbers.levels.moderate
    const moving = group.tiers.filter(
      ({ floor, term }) => floor < strongFrom && someLiteral(term, ({ fact }) => rising.has(fact))
    )
    if (group.staged && moving.some(({ control }) => control < confirmationRank)) return true
    const milder = ranksOf(group).map((rank) =>
      strongerByAssumption(
        group,
        rank,
        moving.filter(({ control }) => control > rank),
        numbers
      )
    )
    return (
      findFacts(all(any(...milder), silentActs(group.silence, numbers), possibleFactsOfOneDeed(numbers))) !==
      "none"
    )
  })
