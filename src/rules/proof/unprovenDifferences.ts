/** Differences between two rulebooks that could lower a score and that the search over facts cannot decide. */

import { isDeepStrictEqual } from "node:util"
import { dataClassifications, reversibilities } from "../../domain/Action.ts"
import { isRecord } from "../../json/json.ts"
import type { FactName } from "../../scoring/Facts.ts"
import type { Currencies, Currency } from "../../scoring/Model.ts"
import type { Completion, Model, Numbers } from "../../scoring/edition1/Model.ts"
import { edition1Classes } from "../../scoring/edition1/NormalizedAction.ts"
import { firstModelOf } from "../../scoring/edition1/edition.ts"
import { centsPerUsd, fromUsd, toUsdCents } from "../../scoring/money.ts"
import type { Rulebook } from "../Rulebook.ts"
import { allValuesOf, intersectValues, isEmptySet, type ValueSet } from "../analysis/Box.ts"
import { all, atMost, exactly, not } from "../analysis/Term.ts"
import { historyUnread } from "../analysis/possibleFacts.ts"
import { firstPossibleFacts } from "../edition1/possibleFacts.ts"
import { rateOf } from "../counterexample/probeSituations.ts"
import type { ScoreComparison } from "./ScoreComparison.ts"
import { type Side, someLiteral } from "./Side.ts"
import { loweredNumbers, type RiskNumber } from "./dimensionNumbers.ts"
import { beforeFinalMatch, finalAdjustments, uncoveredFinalFloors } from "./finalAdjustments.ts"

/** Numbers without a direction: any change of them can lower some score. */
const undirectedNumbers = ({
  behavior,
  classes,
  cumulativeSteps
}: Numbers): ReadonlyArray<readonly [string, unknown]> => [
  ["behavior.window_days", behavior.windowDays],
  ["behavior.established_days_min", behavior.establishedDaysMin],
  ["behavior.established_hours_min", behavior.establishedHoursMin],
  ["cumulative_steps", cumulativeSteps],
  ...Object.entries(classes).map(([name, { category }]) => [`classes.${name}.category`, category] as const)
]

const changedUndirectedNumbers = (from: Numbers, to: Numbers): ReadonlyArray<string> => {
  const after = undirectedNumbers(to)
  return undirectedNumbers(from).flatMap(([what, value], i) =>
    isDeepStrictEqual(value, after[i]?.[1]) ? [] : [what]
  )
}

export const completionAndHistoryNumbers = (numbers: Numbers) => [
  ...completionNumbers(numbers),
  ...historyNumbers(numbers)
]

/** Whether a missing field, a contradicted field or an amount of money can count for more than before. */
export const factsCanRise = (from: Model, to: Model): boolean =>
  !isDeepStrictEqual(completionAndHistoryNumbers(from.numbers), completionAndHistoryNumbers(to.numbers)) ||
  !hasSameCurrencies(from, to)

/** Facts that compare an amount with the amounts of history. */
const factsAgainstHistory: ReadonlySet<FactName> = new Set<FactName>([
  "financial_value_multiplier_x100",
  "destination_step_up"
])

const comparesWithHistory = ({ groups }: Side): boolean =>
  groups.some(({ tiers }) =>
    tiers.some(({ term }) => someLiteral(term, ({ fact }) => factsAgainstHistory.has(fact)))
  )

const neverSingleIn = ({ release }: Rulebook): unknown => {
  const words = release.files.lexicon.find(({ name }) => name === "words")?.json
  return isRecord(words) ? words["never_single"] : undefined
}

const rulesetCode = (what: string): string => `ruleset.${what}`

/** The codes of the differences, as a diff names them. */
export const unprovenDifferences = (
  from: Rulebook,
  to: Rulebook,
  sides: { readonly from: Side; readonly to: Side }
): ReadonlyArray<string> => {
  const [before, after] = [firstModelOf(from.release), firstModelOf(to.release)]
  const codes = [
    ...[
      ...loweredNumbers(
        completionAndHistoryNumbers(before.numbers),
        completionAndHistoryNumbers(after.numbers)
      ).map(({ what }) => what),
      ...loweredNumbers(finalAdjustments(before.numbers), finalAdjustments(after.numbers)).map(
        ({ what }) => what
      ),
      ...changedUndirectedNumbers(before.numbers, after.numbers)
    ].map(rulesetCode),
    ...cheaperCurrencies(before, after).map((code) => `currencies.${code}`),
    ...(comparesWithHistory(sides.from)
      ? dearerCurrencies(before, after).map((code) => `currencies.${code}`)
      : []),
    // `never_single` decides what a missing count can hide, for every name that the lexicon reads. No sample tries all names.
    ...(isDeepStrictEqual(neverSingleIn(from), neverSingleIn(to)) ? [] : ["lexicon.words"]),
    ...uncoveredFinalFloors(sides.from, sides.to),
    ...(factsCanRise(before, after) ? nonMonotoneRules(sides.to) : []),
    ...[...from.policies.findings, ...to.policies.findings].map(({ file }) => file)
  ]
  return [...new Set(codes)]
}

/** Facts that can rise if the numbers take missing or contradicted fields at higher values, or use history from fewer requests on. */
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
const nonMonotoneRules = ({ groups }: Side): ReadonlyArray<string> =>
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
      firstPossibleFacts(side.numbers)
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

/** The values that a missing field is completed with. */
const numbersOfCompletion = (path: string, completion: Completion): ReadonlyArray<RiskNumber> => [
  { what: `${path}.entities`, value: completion.entities },
  { what: `${path}.records`, value: completion.records },
  { what: `${path}.usd`, value: completion.usd },
  {
    what: `${path}.data_classification`,
    value: dataClassifications.indexOf(completion.dataClassification)
  },
  { what: `${path}.reversibility`, value: reversibilities.indexOf(completion.reversibility) },
  { what: `${path}.privilege_change`, value: Number(completion.privilegeChange) },
  { what: `${path}.production_impact`, value: Number(completion.productionImpact) }
]

const completionNumbers = (numbers: Numbers): ReadonlyArray<RiskNumber> => [
  ...edition1Classes.flatMap((name) => {
    const path = `classes.${name}`
    const model = numbers.classes[name]
    return [
      ...numbersOfCompletion(`${path}.references.production`, model.references.production),
      ...numbersOfCompletion(`${path}.references.other`, model.references.other),
      ...numbersOfCompletion(`${path}.ceilings`, model.ceilings),
      { what: `${path}.reversibility_floor`, value: reversibilities.indexOf(model.reversibilityFloor) },
      { what: `${path}.always_changes_privilege`, value: Number(model.alwaysChangesPrivilege) },
      { what: `${path}.counts_go_together`, value: Number(model.countsGoTogether) },
      { what: `${path}.egress`, value: Number(model.egress) }
    ]
  }),
  { what: "also_exports_leave", value: Number(numbers.alsoExportsLeave === true) },
  { what: "single.references.entities", value: numbers.single.references.entities },
  { what: "single.references.records", value: numbers.single.references.records },
  { what: "single.ceilings.entities", value: numbers.single.ceilings.entities },
  { what: "single.ceilings.records", value: numbers.single.ceilings.records }
]

/** The thresholds of history. A lower threshold counts sooner and is riskier, hence the minus. */
const historyNumbers = ({ behavior }: Numbers): ReadonlyArray<RiskNumber> => [
  { what: "behavior.baseline_units_min", value: -behavior.baselineUnitsMin },
  { what: "behavior.velocity_days_min", value: -behavior.velocityDaysMin },
  { what: "behavior.velocity_hours_min", value: -behavior.velocityHoursMin },
  { what: "behavior.step_up_multiple", value: -behavior.stepUpMultiple },
  { what: "behavior.step_up_entities_min", value: -behavior.stepUpEntitiesMin },
  { what: "behavior.step_up_usd_min", value: -behavior.stepUpUsdMin }
]

/** Whether every amount counts for at least as much: a unit is worth no less, and amounts are rounded up to a grid no finer. */
const isWorthAtLeast = (from: Currency, to: Currency): boolean =>
  to.usdNanos >= from.usdNanos && to.exponent <= from.exponent

/** The US dollars that a missing value is completed with, for every class. */
const completedUsd = ({ classes }: Numbers): ReadonlyArray<number> =>
  edition1Classes.flatMap((name) => {
    const { ceilings, references } = classes[name]
    return [references.production.usd, references.other.usd, ceilings.usd]
  })

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
