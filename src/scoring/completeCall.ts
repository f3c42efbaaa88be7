/** Missing fields: the value assumed for each, and how far the true value can plausibly be from it. */

import {
  type DataClassification,
  dataClassifications,
  reversibilities,
  type Reversibility
} from "../domain/Action.ts"
import type { Currencies, Currency } from "./Model.ts"
import type { Numbers, Plausible } from "./Numbers.ts"
import type { StatedCall } from "./StatedCall.ts"
import { fromUsd, toUsdCents } from "./money.ts"
import { extents, impacts } from "./reading/Act.ts"

/** The fields that affect the score and that a caller can leave out, by their names on the wire. */
export const missableFields = [
  "entities_affected",
  "records_affected",
  "financial_value",
  "currency",
  "data_classification",
  "reversibility",
  "privilege_change",
  "production_impact",
  "destination",
  "agent_id"
] as const
export type MissableField = (typeof missableFields)[number]

/**
 * How well a destination or an agent is known: as recorded in history, never seen, as well as possible, or as badly as possible. A `worst`
 * destination is new; a `tried` one was seen once, for a small amount. No destination can be both.
 */
export type Known = "history" | "novel" | "best" | "worst" | "tried"

/** A value for every field that affects the score. */
export interface Fields {
  readonly entities: number
  readonly records: number
  /** In units of the currency. */
  readonly value: number
  readonly currency: Currency
  /** The value, rounded up. */
  readonly usdCents: number
  readonly dataClassification: DataClassification
  readonly reversibility: Reversibility
  readonly privilegeChange: boolean
  readonly productionImpact: boolean
  readonly destination: Known
  readonly agent: Known
}

/** A call with a value for every field that affects the score, whether stated or assumed. */
export interface CompletedCall {
  readonly stated: StatedCall
  readonly fields: Fields
}

const countMax = Number.MAX_SAFE_INTEGER

/**
 * `figure · part / whole`, rounded up and capped at the largest count. Computed in integers, because a fraction in floating point could
 * round up one too many.
 */
const inProportion = (figure: number, part: number, whole: number): number => {
  const rest = figure % whole
  return Math.min(countMax, ((figure - rest) / whole) * part + Math.ceil((rest * part) / whole))
}

const atLeast = (a: number, b: number): number => (a < b ? b : a)

const stepped = <A extends string>(order: ReadonlyArray<A>, from: A, steps: number): A =>
  order[Math.max(0, Math.min(order.length - 1, order.indexOf(from) + steps))] ?? from

const harder = (a: Reversibility, b: Reversibility): Reversibility =>
  a === b || reversibilities.indexOf(a) >= reversibilities.indexOf(b) ? a : b

const referenceClassification = ({ deeds, reading }: StatedCall): DataClassification => {
  const isWide = extents.indexOf(reading.extent) >= extents.indexOf("bulk")
  const lifts = deeds.some(
    ({ numbers: own }) => own.references.liftsClassification && (isWide || own.dataLeaves)
  )
  return lifts && reading.holds === "internal"
    ? stepped(dataClassifications, reading.holds, 1)
    : reading.holds
}

/** The assumed reversibility. Never below the floor of the class, because a stated value could not go below it either (theorem T1). */
const referenceReversibility = ({ class: own, deeds }: StatedCall): Reversibility =>
  deeds.reduce((hardest, { impact, numbers: { references }, reversibility, soft }) => {
    const usual = soft === true ? references.softReversibility : references.reversibility[impact]
    return harder(hardest, reversibility ?? usual)
  }, own.reversibilityFloor)

/** The currency with a code from the table itself. Always present: loading refuses a release whose table lacks its own extremes. */
const currencyNamed = (code: string, { table }: Currencies): Currency => {
  const currency = table.get(code)
  if (currency === undefined) throw new Error(`the currency table lacks ${code}`)
  return currency
}

/**
 * An amount without a currency may be in the dearest one. A missing amount is assumed in US dollars: in another currency it would be
 * rounded up to that currency's minor unit, and stating only the currency would then change the score.
 */
export const currencyOf = (
  { currency, value }: Pick<StatedCall, "currency" | "value">,
  currencies: Currencies
): Currency =>
  value === undefined
    ? currencyNamed("USD", currencies)
    : (currency ?? currencyNamed(currencies.dearest, currencies))

/**
 * Both counts, with missing ones assumed. If one is stated, it says more about the other than the extent does, so the assumed counts keep
 * their proportion.
 */
export const completeCounts = (
  { class: own, deeds, entities, reading, records }: StatedCall,
  numbers: Numbers
): Pick<Fields, "entities" | "records"> => {
  const usual = numbers.extents[reading.extent]
  const recordsMin = Math.max(...deeds.map(({ numbers: { references } }) => references.recordsMin))
  const alone = own.harmless || recordsMin > 0
  const beside = (other: number | undefined, usualOther: number, usualOwn: number): number | undefined => {
    // If one count is stated as zero, the other is assumed to be zero too: any other value would contradict the statement.
    if (other === 0 && !own.harmless) return 0
    return other === undefined || alone ? undefined : inProportion(other, usualOwn, usualOther)
  }
  return {
    entities: entities ?? beside(records, usual.records, usual.entities) ?? usual.entities,
    records: records ?? beside(entities, usual.entities, usual.records) ?? atLeast(usual.records, recordsMin)
  }
}

/** The amount and its currency. */
export const completeAmount = (
  stated: StatedCall,
  currencies: Currencies
): Pick<Fields, "value" | "currency" | "usdCents"> => {
  const currency = currencyOf(stated, currencies)
  const usd = stated.deeds.map(({ impact, numbers: { references } }) => references.usd[impact])
  const value = stated.value ?? fromUsd(Math.max(...usd), currency)
  return { value, currency, usdCents: toUsdCents(value, currency) }
}

/** The action with every missing field at its reference: the ordinary case for harmless kinds, the cautious case for others. */
export const complete = (stated: StatedCall, numbers: Numbers, currencies: Currencies): Fields => {
  const { class: own, deeds, production, reading } = stated
  const { entities, records } = completeCounts(stated, numbers)
  const { currency, usdCents, value } = completeAmount(stated, currencies)
  const isLive = deeds.some(({ impact, numbers: { references } }) => {
    const from = references.productionImpactFrom
    return from !== undefined && impacts.indexOf(impact) >= impacts.indexOf(from)
  })
  return {
    entities,
    records,
    value,
    currency,
    usdCents,
    dataClassification: stated.dataClassification ?? referenceClassification(stated),
    reversibility: stated.reversibility ?? referenceReversibility(stated),
    privilegeChange: stated.privilegeChange ?? own.alwaysChangesPrivilege,
    productionImpact: stated.productionImpact ?? ((production || reading.anywhere) && isLive),
    destination: stated.destination === undefined && own.egress ? "novel" : "history",
    agent: "history"
  }
}

export const missingFields = (stated: StatedCall): ReadonlyArray<MissableField> => {
  const missing: Readonly<Record<MissableField, boolean>> = {
    entities_affected: stated.entities === undefined,
    records_affected: stated.records === undefined,
    financial_value: stated.value === undefined,
    currency: !stated.currencyStated && stated.value !== undefined && stated.value > 0,
    data_classification: stated.dataClassification === undefined,
    reversibility: stated.reversibility === undefined,
    privilege_change: stated.privilegeChange === undefined,
    production_impact: stated.productionImpact === undefined,
    destination: stated.destination === undefined && stated.class.egress,
    agent_id: stated.agentId === undefined
  }
  return missableFields.filter((field) => missing[field])
}

/** The mildest (`-1`) or worst (`1`) plausible completion of the missing fields. */
export const plausible = (
  stated: StatedCall,
  reference: Fields,
  towards: -1 | 1,
  numbers: Numbers
): Fields => {
  const by: Plausible = stated.class.harmless ? numbers.plausible.harmless : numbers.plausible.cautious
  const figure = (own: number | undefined, at: number): number =>
    own ?? (towards > 0 ? Math.min(countMax, at * by.times) : Math.floor(at / by.times))
  const flag = (own: boolean | undefined, at: boolean): boolean =>
    own ?? (towards > 0 ? at || (by.flags && stated.production) : false)
  const value = figure(stated.value, reference.value)
  const entities = figure(stated.entities, reference.entities)
  const records = figure(stated.records, reference.records)
  const { countsGoTogether, harmless } = stated.class
  // A zero next to a positive count would contradict it and be scored as that count, so 1 is the mildest assumption.
  const besidePositive = (own: number | undefined, at: number, other: number): number =>
    own === undefined && at === 0 && other > 0 && !harmless ? 1 : at
  return {
    entities: besidePositive(stated.entities, entities, records),
    records: countsGoTogether ? besidePositive(stated.records, records, entities) : records,
    value,
    currency: reference.currency,
    usdCents: toUsdCents(value, reference.currency),
    dataClassification:
      stated.dataClassification ??
      stepped(dataClassifications, reference.dataClassification, towards * by.steps),
    reversibility:
      stated.reversibility ?? stepped(reversibilities, reference.reversibility, towards * by.steps),
    privilegeChange: stated.privilegeChange ?? (towards < 0 ? false : reference.privilegeChange),
    productionImpact: flag(stated.productionImpact, reference.productionImpact),
    destination: stated.destination === undefined && towards < 0 ? "best" : reference.destination,
    agent: reference.agent
  }
}

/** Fields as they count. A claim below the floor of the class, and counts that contradict each other, are replaced by the worse value. */
export interface ResolvedCall {
  readonly entities: number
  readonly records: number
  readonly usdCents: number
  readonly dataClassification: DataClassification
  readonly reversibility: Reversibility
  readonly privilegeChange: boolean
  readonly productionImpact: boolean
  readonly countsInconsistent: boolean
  readonly privilegeInconsistent: boolean
  readonly destination: Known
  readonly agent: Known
}

/** `egress`: whether the evaluated deed sends something out. */
export const resolve = (stated: StatedCall, fields: Fields, egress = stated.class.egress): ResolvedCall => {
  const { entities, records } = fields
  const disagree =
    !stated.class.harmless &&
    ((entities === 0 && records > 0) || (stated.class.countsGoTogether && records === 0 && entities > 0))
  return {
    entities: disagree && entities === 0 ? records : entities,
    records: disagree && records === 0 ? entities : records,
    countsInconsistent:
      stated.figuresInconsistent ||
      (disagree && (entities === 0 ? stated.entities === 0 : stated.records === 0)),
    privilegeInconsistent: stated.class.alwaysChangesPrivilege && stated.privilegeChange === false,
    usdCents: fields.usdCents,
    dataClassification: fields.dataClassification,
    reversibility: harder(fields.reversibility, stated.class.reversibilityFloor),
    privilegeChange: stated.class.alwaysChangesPrivilege || fields.privilegeChange,
    productionImpact: fields.productionImpact,
    // A deed that sends nothing out has no unknown destination, whatever the other deeds do.
    destination:
      fields.destination === "novel" && stated.destination === undefined && !egress
        ? "history"
        : fields.destination,
    agent: fields.agent
  }
}
