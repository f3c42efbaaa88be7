/** Differences between two rulebooks that could lower a score and that the search over facts cannot decide. */

import { actionClasses } from "../../domain/Action.ts"
import type { FactName } from "../../scoring/Facts.ts"
import type { Currencies, Currency } from "../../scoring/Model.ts"
import type { Numbers } from "../../scoring/Numbers.ts"
import { centsPerUsd, fromUsd, toUsdCents } from "../../scoring/money.ts"
import { impacts } from "../../scoring/reading/Act.ts"
import type { Rulebook } from "../Rulebook.ts"
import { allValuesOf, intersectValues, isEmptySet, type ValueSet } from "../analysis/Box.ts"
import { all, atMost, exactly, not } from "../analysis/Term.ts"
import { historyUnread, possibleFacts } from "../analysis/possibleFacts.ts"
import { rateOf } from "../counterexample/probeSituations.ts"
import { changedNumbers } from "../diff/diffNumbers.ts"
import { meaningOfNumber } from "../diff/numberMeanings.ts"
import type { ScoreComparison } from "./ScoreComparison.ts"
import { type Side, someLiteral } from "./Side.ts"
import { beforeFinalMatch, uncoveredFinalFloors } from "./finalAdjustments.ts"
import { milderNumbers } from "./loweredNumbers.ts"

/** Whether a missing field, a contradicted field, an amount of money or a history can count for something else than before. */
export const factsCanRise = (from: Rulebook, to: Rulebook): boolean =>
  changedNumbers(from, to).some(({ path }) => meaningOfNumber(path).parts.includes("facts")) ||
  !hasSameCurrencies(from.release.model, to.release.model)

/** Facts that compare an amount with the amounts of history. */
const factsAgainstHistory: ReadonlySet<FactName> = new Set<FactName>([
  "financial_value_multiplier_x100",
  "destination_step_up"
])

const comparesWithHistory = ({ groups }: Side): boolean =>
  groups.some(({ tiers }) =>
    tiers.some(({ term }) => someLiteral(term, ({ fact }) => factsAgainstHistory.has(fact)))
  )

/** The codes of the differences, as a diff names them. */
export const unprovenDifferences = (
  from: Rulebook,
  to: Rulebook,
  sides: { readonly from: Side; readonly to: Side }
): ReadonlyArray<string> => {
  const [before, after] = [from.release.model, to.release.model]
  const codes = [
    ...milderNumbers(from, to, ["facts", "adjustment"]).map((path) => ["ruleset", ...path].join(".")),
    ...cheaperCurrencies(before, after).map((code) => `currencies.${code}`),
    ...(comparesWithHistory(sides.from)
      ? dearerCurrencies(before, after).map((code) => `currencies.${code}`)
      : []),
    ...uncoveredFinalFloors(sides.from, sides.to),
    ...(factsCanRise(from, to) ? nonMonotoneRules(sides.to) : []),
    ...[...from.policies.findings, ...to.policies.findings].map(({ file }) => file)
  ]
  return [...new Set(codes)]
}

/**
 * Facts that can rise if the numbers take missing or contradicted fields at higher values, or use history from fewer requests on,
 * and facts that can rise with the reading of a call.
 */
const risingFacts: ReadonlySet<FactName> = new Set<FactName>([
  "entities_affected",
  "records_affected",
  "financial_value_usd_cents",
  "data_classification_rank",
  "reversibility_rank",
  "privilege_change",
  "production_impact",
  "currency_missing",
  "privilege_claim_inconsistent",
  "reversibility_claim_inconsistent",
  "counts_inconsistent",
  "production_impact_inconsistent",
  "extent_unbounded",
  "destination_novel",
  "destination_unestablished",
  "destination_step_up",
  "destination_lookalike",
  "entity_volume_multiplier_x100",
  "financial_value_multiplier_x100",
  "velocity_multiplier_x100"
])

/** Whether a literal that holds for a value also holds for every higher value of the fact. */
const isUpwardClosed = (fact: FactName, yes: ValueSet): boolean => {
  if (isEmptySet(yes)) return true
  const possible = allValuesOf(fact)
  return "min" in yes
    ? "min" in possible && yes.max === possible.max
    : !isEmptySet(intersectValues(yes, { of: [true] }))
}

/** Names of the rules that can stop to match when a fact rises. */
export const nonMonotoneRules = ({ groups }: Side): ReadonlyArray<string> =>
  groups
    .flatMap(({ tiers }) => tiers)
    .filter(({ term }) =>
      someLiteral(term, ({ fact, yes }) => risingFacts.has(fact) && !isUpwardClosed(fact, yes))
    )
    .map(({ name }) => name)

/**
 * One fact falls while others rise: a cumulative step is only a fact while the action itself is below the step. So the action
 * that reaches the step by itself must score no less than the action whose sum of the day reaches it.
 */
export const cumulativeStepComparisons = (side: Side): ReadonlyArray<ScoreComparison> => {
  const { entities, usd } = side.numbers.cumulativeSteps
  const atStep = (step: FactName, amount: FactName, rank: number, start: number): ScoreComparison => ({
    from: side,
    to: side,
    overrides: { [step]: 0, [amount]: start },
    where: all(
      exactly(step, rank),
      ...(start === 0 ? [] : [atMost(amount, start - 1)]),
      not(historyUnread),
      beforeFinalMatch,
      possibleFacts(side.numbers)
    ),
    lowered: []
  })
  return [
    ...entities.map((start, i) => atStep("cumulative_entities_step", "entities_affected", i + 1, start)),
    ...usd.map((start, i) =>
      atStep("cumulative_value_step", "financial_value_usd_cents", i + 1, start * centsPerUsd)
    )
  ]
}

/** Whether every amount counts for at least as much: a unit is worth no less, and amounts are rounded up to a grid no finer. */
const isWorthAtLeast = (from: Currency, to: Currency): boolean =>
  to.usdNanos >= from.usdNanos && to.exponent <= from.exponent

/** The US dollars that a missing value is completed with, for every class and impact. */
const completedUsd = ({ classes }: Numbers): ReadonlyArray<number> =>
  actionClasses.flatMap((name) => impacts.map((impact) => classes[name].references.usd[impact]))

/** US dollars as an amount of the currency, rounded up, and back to cents: as a missing value in that currency counts. */
const centsOfUsd = (usd: number, currency: Currency): number =>
  usd === 0 ? 0 : toUsdCents(fromUsd(usd, currency), currency)

interface MoneyModel {
  readonly numbers: Numbers
  readonly currencies: Currencies
}

/** Stands in a list of currency codes for an amount without a currency. */
const missingCurrency = "a missing currency"

const isCheaper = (code: string, from: MoneyModel, to: MoneyModel): boolean => {
  const [was, is] = [rateOf(from.currencies, code), rateOf(to.currencies, code)]
  if (was === undefined || is === undefined || !isWorthAtLeast(was, is)) return true
  const after = completedUsd(to.numbers)
  return completedUsd(from.numbers).some((usd, i) => centsOfUsd(after[i] ?? 0, is) < centsOfUsd(usd, was))
}

/** An added currency is cheaper than before, whatever its rate: as an unknown currency it counted as the dearest one. */
export const cheaperCurrencies = (from: MoneyModel, to: MoneyModel): ReadonlyArray<string> => {
  const known = from.currencies.table
  const added = [...to.currencies.table.keys()].filter((code) => !known.has(code))
  return [...added, ...[...known.keys(), missingCurrency].filter((code) => isCheaper(code, from, to))]
}

/** Past amounts in these currencies count for more, so that a present amount is a smaller multiple of the usual. */
const dearerCurrencies = (from: MoneyModel, to: MoneyModel): ReadonlyArray<string> =>
  [...from.currencies.table.keys(), missingCurrency].filter((code) => {
    const [was, is] = [rateOf(from.currencies, code), rateOf(to.currencies, code)]
    return was !== undefined && is !== undefined && !isWorthAtLeast(is, was)
  })

const hasSameCurrencies = ({ currencies: a }: MoneyModel, { currencies: b }: MoneyModel): boolean =>
  a.dearest === b.dearest &&
  a.table.size === b.table.size &&
  [...a.table].every(([code, { exponent, usdNanos }]) => {
    const other = b.table.get(code)
    return other?.exponent === exponent && other.usdNanos === usdNanos
  })
