/** Differences between two rulebooks that could lower a score and that the search over facts cannot decide. */

import { isDeepStrictEqual } from "node:util"
import { actionClasses, dataClassifications, reversibilities } from "../../domain/Action.ts"
import { isRecord } from "../../json/json.ts"
import type { FactName } from "../../scoring/Facts.ts"
import type { Completion, Currencies, Currency, Model, Numbers } from "../../scoring/Model.ts"
import { wholeBp } from "../../scoring/arithmetic.ts"
import { centsPerUsd, fromUsd, toUsdCents } from "../../scoring/money.ts"
import type { Rulebook } from "../Rulebook.ts"
import { allValuesOf, intersectValues, isEmptySet, type ValueSet } from "../analysis/Box.ts"
import { all, atMost, exactly, not } from "../analysis/Term.ts"
import { historyUnread, possibleFacts } from "../analysis/possibleFacts.ts"
import type { ScoreComparison } from "./ScoreComparison.ts"
import { type Side, someLiteral } from "./Side.ts"
import { loweredNumbers, type RiskNumber } from "./dimensionNumbers.ts"
import { beforeFinalMatch, finalAdjustments, uncoveredFinalFloors } from "./finalAdjustments.ts"

/** Figures that are no risk by themselves, so that any change may lower something. */
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

/** Whether missing or contradicted fields, or amounts of money, may be taken for more than before. */
export const factsCanRise = (from: Model, to: Model): boolean =>
  !isDeepStrictEqual(completionAndHistoryNumbers(from.numbers), completionAndHistoryNumbers(to.numbers)) ||
  !hasSameCurrencies(from, to)

/** Facts that hold an amount against those of history. */
const factsAgainstHistory: ReadonlySet<FactName> = new Set<FactName>([
  "financial_value_multiplier_x100",
  "destination_step_up"
])

const comparesWithHistory = ({ groups: ladders }: Side): boolean =>
  ladders.some(({ rungs }) =>
    rungs.some(({ term }) => someLiteral(term, ({ fact }) => factsAgainstHistory.has(fact)))
  )

const neverSingleIn = ({ release }: Rulebook): unknown => {
  const words = release.files.lexicon.find(({ name }) => name === "words")?.json
  return isRecord(words) ? words["never_single"] : undefined
}

const rulesetCode = (what: string): string => `ruleset.${what}`

/** Hazard beyond certainty would make the score fall as hazards rise. */
const hazardExceedsWhole = ({ actionRisk }: Numbers): boolean =>
  actionRisk.hazardBaseBp + actionRisk.hazardBlastRadiusBp > wholeBp

/** By the names that a diff tells them under. */
export const unprovenDifferences = (
  from: Rulebook,
  to: Rulebook,
  sides: { readonly from: Side; readonly to: Side }
): ReadonlyArray<string> => {
  const [before, after] = [from.release.model, to.release.model]
  const list = [
    ...[
      ...loweredNumbers(
        completionAndHistoryNumbers(before.numbers),
        completionAndHistoryNumbers(after.numbers)
      ).map(({ what }) => what),
      ...loweredNumbers(finalAdjustments(before.numbers), finalAdjustments(after.numbers)).map(
        ({ what }) => what
      ),
      ...changedUndirectedNumbers(before.numbers, after.numbers),
      ...(hazardExceedsWhole(after.numbers) ? ["action_risk.hazard_base_bp"] : [])
    ].map(rulesetCode),
    ...cheaperCurrencies(before, after).map((code) => `currencies.${code}`),
    ...(comparesWithHistory(sides.from)
      ? dearerCurrencies(before, after).map((code) => `currencies.${code}`)
      : []),
    // It widens what a missing count may hide, for every name that the lexicon reads, and no sample tries them all.
    ...(isDeepStrictEqual(neverSingleIn(from), neverSingleIn(to)) ? [] : ["lexicon.words"]),
    ...uncoveredFinalFloors(sides.from, sides.to),
    ...(factsCanRise(before, after) ? nonMonotoneRules(sides.to) : []),
    ...[...from.policies.findings, ...to.policies.findings].map(({ file }) => file)
  ]
  return [...new Set(list)]
}

/**
 * What follows where missing or contradicted fields are taken for more than before: facts rise, and a score must not fall.
 * Facts that rise, or stay, when a figure that completes claims or watches history becomes riskier.
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
  "destination_novel",
  "destination_unestablished",
  "destination_step_up",
  "destination_lookalike",
  "entity_volume_multiplier_x100",
  "financial_value_multiplier_x100",
  "velocity_multiplier_x100"
])

/** Whatever holds for a value holds for all above it. */
const isUpwardClosed = (fact: FactName, yes: ValueSet): boolean => {
  if (isEmptySet(yes)) return true
  const every = allValuesOf(fact)
  return "min" in yes
    ? "min" in every && yes.max === every.max
    : !isEmptySet(intersectValues(yes, { of: [true] }))
}

/** Rules that a rising fact could silence. */
const nonMonotoneRules = ({ groups: ladders }: Side): ReadonlyArray<string> =>
  ladders
    .flatMap(({ rungs }) => rungs)
    .filter(({ term }) =>
      someLiteral(term, ({ fact, yes }) => risingFacts.has(fact) && !isUpwardClosed(fact, yes))
    )
    .map(({ name }) => name)

/**
 * One fact falls while figures rise: a sum of small actions is told only above the action's own step. So the action that has
 * reached the step itself must score no less than the one whose sum has.
 */
export const cumulativeStepComparisons = (side: Side): ReadonlyArray<ScoreComparison> => {
  const { entities, usd } = side.numbers.cumulativeSteps
  const at = (step: FactName, figure: FactName, rank: number, start: number): ScoreComparison => ({
    from: side,
    to: side,
    moved: { [step]: 0, [figure]: start },
    where: all(
      exactly(step, rank),
      ...(start === 0 ? [] : [atMost(figure, start - 1)]),
      not(historyUnread),
      beforeFinalMatch,
      possibleFacts(side.numbers)
    ),
    lowered: []
  })
  return [
    ...entities.map((start, i) => at("cumulative_entities_step", "entities_affected", i + 1, start)),
    ...usd.map((start, i) =>
      at("cumulative_value_step", "financial_value_usd_cents", i + 1, start * centsPerUsd)
    )
  ]
}

/** What missing and contradicted fields are taken for. */
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
  ...actionClasses.flatMap((name) => {
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

/** How history is read: the sooner a figure counts, the riskier. */
const historyNumbers = ({ behavior }: Numbers): ReadonlyArray<RiskNumber> => [
  { what: "behavior.baseline_units_min", value: -behavior.baselineUnitsMin },
  { what: "behavior.velocity_days_min", value: -behavior.velocityDaysMin },
  { what: "behavior.velocity_hours_min", value: -behavior.velocityHoursMin },
  { what: "behavior.step_up_multiple", value: -behavior.stepUpMultiple },
  { what: "behavior.step_up_entities_min", value: -behavior.stepUpEntitiesMin },
  { what: "behavior.step_up_usd_min", value: -behavior.stepUpUsdMin }
]

/**
 * Which amounts of money count for less than before, and which for more where history has them.
 * A unit is worth no less, and amounts round up on a grid no finer: then every amount counts for at least as much.
 */
const isWorthAtLeast = (from: Currency, to: Currency): boolean =>
  to.usdNanos >= from.usdNanos && to.exponent <= from.exponent

/** What a missing value may be taken for, in US dollars. */
const completedUsd = ({ classes }: Numbers): ReadonlyArray<number> =>
  actionClasses.flatMap((name) => {
    const { ceilings, references } = classes[name]
    return [references.production.usd, references.other.usd, ceilings.usd]
  })

/** Through an amount of its currency, which rounds up. */
const centsOfUsd = (usd: number, currency: Currency): number =>
  usd === 0 ? 0 : toUsdCents(fromUsd(usd, currency), currency)

interface MoneyModel {
  readonly numbers: Numbers
  readonly currencies: Currencies
}

const missingCurrency = "a missing currency"

/** An unknown or missing currency counts as the dearest. */
const rateOf = ({ dearest, table }: Currencies, code: string): Currency | undefined =>
  table.get(code) ?? table.get(dearest)

const isCheaper = (code: string, from: MoneyModel, to: MoneyModel): boolean => {
  const [was, is] = [rateOf(from.currencies, code), rateOf(to.currencies, code)]
  if (was === undefined || is === undefined || !isWorthAtLeast(was, is)) return true
  const after = completedUsd(to.numbers)
  return completedUsd(from.numbers).some((usd, i) => centsOfUsd(after[i] ?? 0, is) < centsOfUsd(usd, was))
}

/** A currency that was not known before no longer is a missing one, however dear. */
export const cheaperCurrencies = (from: MoneyModel, to: MoneyModel): ReadonlyArray<string> => {
  const known = from.currencies.table
  const added = [...to.currencies.table.keys()].filter((code) => !known.has(code))
  return [...added, ...[...known.keys(), missingCurrency].filter((code) => isCheaper(code, from, to))]
}

/** What was spent before counts for more by these, so that what is spent now stands out less beside it. */
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
