/** Differences between two rulebooks that could lower a score or weaken a control and that the search over facts cannot decide. */

import { actionClasses } from "../../domain/Action.ts"
import type { FactName } from "../../scoring/Facts.ts"
import type { Currencies, Currency } from "../../scoring/Model.ts"
import type { Numbers } from "../../scoring/Numbers.ts"
import { centsPerUsd, fromUsd, toUsdCents } from "../../scoring/money.ts"
import { impacts } from "../../scoring/reading/Act.ts"
import type { Rulebook } from "../Rulebook.ts"
import { isUpwardClosed } from "../analysis/Box.ts"
import { all, atMost, exactly, not } from "../analysis/Term.ts"
import { historyUnread, possibleFacts } from "../analysis/possibleFacts.ts"
import { rateOf } from "../counterexample/probeSituations.ts"
import { changedNumbers } from "../diff/diffNumbers.ts"
import { meaningOfNumber, moneyFacts } from "../diff/numberMeanings.ts"
import type { EvaluationComparison } from "./EvaluationComparison.ts"
import { type Side, someLiteral } from "./Side.ts"
import { canWeakenByRising } from "./assumedFactors.ts"
import {
  beforeFinalMatch,
  controlsByConfidence,
  hasSureLowLevel,
  uncoveredFinalFloors
} from "./finalAdjustments.ts"
import { milderNumbers } from "./loweredNumbers.ts"

/** The facts that can rise because a missing field, a contradicted field, an amount of money or a history counts for more than before. */
export const raisedFacts = (from: Rulebook, to: Rulebook): ReadonlySet<FactName> =>
  new Set([
    ...changedNumbers(from, to).flatMap(({ path }) => [...meaningOfNumber(path).moves]),
    ...(hasSameCurrencies(from.release.model, to.release.model) ? [] : moneyFacts)
  ])

/** Facts that compare an amount with the amounts in history. */
const factsAgainstHistory: ReadonlySet<FactName> = new Set<FactName>([
  "financial_value_multiplier_x100",
  "destination_step_up"
])

const comparesWithHistory = ({ groups }: Side): boolean =>
  groups.some(({ tiers }) =>
    tiers.some(({ term }) => someLiteral(term, ({ fact }) => factsAgainstHistory.has(fact)))
  )

/** The numbers that can raise a fact whose rise can weaken a control. */
const weakeningNumbers = (from: Rulebook, to: Rulebook, side: Side): ReadonlyArray<string> =>
  changedNumbers(from, to)
    .map(({ path }) => path)
    .filter((path) => canWeakenByRising(side, meaningOfNumber(path).moves))
    .map(codeOfNumber)

const codeOfNumber = (path: ReadonlyArray<string>): string => ["ruleset", ...path].join(".")

/** The codes of the differences, as used in a diff. */
export const unprovenDifferences = (
  from: Rulebook,
  to: Rulebook,
  sides: { readonly from: Side; readonly to: Side }
): ReadonlyArray<string> => {
  const [before, after] = [from.release.model, to.release.model]
  const codes = [
    ...milderNumbers(from, to, ["facts", "adjustment", "confidence"]).map(codeOfNumber),
    ...(hasSureLowLevel(before.numbers) ? [] : ["ruleset.confidence.at_score"]),
    ...weakeningNumbers(from, to, sides.to),
    ...cheaperCurrencies(before, after).map((code) => `currencies.${code}`),
    ...(comparesWithHistory(sides.from) || canWeakenByRising(sides.to, moneyFacts)
      ? dearerCurrencies(before, after).map((code) => `currencies.${code}`)
      : []),
    ...uncoveredFinalFloors(sides.from, sides.to),
    ...controlsByConfidence(sides.from, sides.to),
    ...nonMonotoneRules(sides.to, raisedFacts(from, to)),
    ...[...from.policies.findings, ...to.policies.findings].map(({ file }) => file)
  ]
  return [...new Set(codes)]
}

/** Names of the rules that can stop matching when one of these facts rises. */
export const nonMonotoneRules = ({ groups }: Side, rising: ReadonlySet<FactName>): ReadonlyArray<string> =>
  groups
    .flatMap(({ tiers }) => tiers)
    .filter(({ term }) =>
      someLiteral(term, ({ fact, yes }) => rising.has(fact) && !isUpwardClosed(fact, yes))
    )
    .map(({ name }) => name)

/**
 * One fact falls while others rise: a cumulative step is a fact only while the action alone is below the step. So an action that reaches
 * the step on its own must score no lower, with no weaker control, than one whose daily sum reaches it.
 */
export const cumulativeStepComparisons = (
  side: Side,
  rising: ReadonlySet<FactName>
): ReadonlyArray<EvaluationComparison> => {
  const { entities, usd } = side.numbers.cumulativeSteps
  const atStep = (step: FactName, amount: FactName, rank: number, start: number): EvaluationComparison => ({
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
    ...(rising.has("entities_affected") ? entities : []).map((start, i) =>
      atStep("cumulative_entities_step", "entities_affected", i + 1, start)
    ),
    ...(rising.has("financial_value_usd_cents") ? usd : []).map((start, i) =>
      atStep("cumulative_value_step", "financial_value_usd_cents", i + 1, start * centsPerUsd)
    )
  ]
}

/** Whether every amount counts for at least as much: a unit is worth no less, and amounts are rounded up to a grid that is no finer. */
const isWorthAtLeast = (from: Currency, to: Currency): boolean =>
  to.usdNanos >= from.usdNanos && to.exponent <= from.exponent

/** The US dollars assumed for a missing value, for every class and impact. */
const completedUsd = ({ classes }: Numbers): ReadonlyArray<number> =>
  actionClasses.flatMap((name) => impacts.map((impact) => classes[name].references.usd[impact]))

/** US dollars converted to an amount of the currency, rounded up, and back to cents, as a missing value in that currency counts. */
const centsOfUsd = (usd: number, currency: Currency): number =>
  usd === 0 ? 0 : toUsdCents(fromUsd(usd, currency), currency)

interface MoneyModel {
  readonly numbers: Numbers
  readonly currencies: Currencies
}

/** The entry in a list of currency codes that stands for an amount without a currency. */
const missingCurrency = "a missing currency"

const isCheaper = (code: string, from: MoneyModel, to: MoneyModel): boolean => {
  const [was, is] = [rateOf(from.currencies, code), rateOf(to.currencies, code)]
  if (was === undefined || is === undefined || !isWorthAtLeast(was, is)) return true
  const after = completedUsd(to.numbers)
  return completedUsd(from.numbers).some((usd, i) => centsOfUsd(after[i] ?? 0, is) < centsOfUsd(usd, was))
}

/** Adding a currency makes it cheaper, whatever its rate, because as an unknown currency it counted as the dearest one. */
export const cheaperCurrencies = (from: MoneyModel, to: MoneyModel): ReadonlyArray<string> => {
  const known = from.currencies.table
  const added = [...to.currencies.table.keys()].filter((code) => !known.has(code))
  return [...added, ...[...known.keys(), missingCurrency].filter((code) => isCheaper(code, from, to))]
}

/** Past amounts in these currencies count for more, so a present amount is a smaller multiple of the usual. */
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
