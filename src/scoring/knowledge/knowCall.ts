/** A call with the knowledge of the organization's catalogue: its reading corrected, and its missing fields filled in. */

import {
  type Action,
  actionClasses,
  dataClassifications,
  environments,
  reversibilities,
  type Reversibility
} from "../../domain/Action.ts"
import type { Behavior } from "../../domain/Behavior.ts"
import { isoDayLength } from "../../domain/Day.ts"
import type { Assumption } from "../../domain/Opinion.ts"
import type { Currencies, Currency, RiskModel } from "../Model.ts"
import { type StatedCall, toStatedCall } from "../StatedCall.ts"
import { complete, type CompletedCall, type Fields } from "../completeCall.ts"
import { toUsdCents } from "../money.ts"
import { extents, impacts } from "../reading/Act.ts"
import type { Lexicon } from "../reading/callArguments.ts"
import { readCall, type Reading } from "../reading/readCall.ts"
import {
  entriesOfCall,
  type EntriesOfCall,
  type Knowledge,
  type KnownAct,
  type OrganizationCatalogue,
  type OrganizationEntry
} from "./OrganizationCatalogue.ts"
import { isGrave } from "./nameAct.ts"

export interface KnownCall {
  readonly stated: StatedCall
  /** The fields that an entry decides, with the values that the request would state. */
  readonly fills: ReadonlyArray<Assumption>
  readonly expired: boolean
  /** The entry behind the reading, where one decided it. */
  readonly entry?: string
  /** The statements of the entries about the act. */
  readonly act?: KnownAct | undefined
  /** The call as the caller stated it. */
  readonly asStated: StatedCall
  /** Applies the entries to this call with other stated fields. The supposed destination and agent stay. */
  readonly fill: (supposed: CompletedCall) => CompletedCall
  /**
   * The call with a stated destination, in every way in which one can be read. Undefined if a destination does not change the reading.
   */
  readonly elsewhere: () => ReadonlyArray<StatedCall> | undefined
}

/** The value that an entry gives to one field. */
interface Known<A> {
  readonly value: A
  readonly entry: string
}

interface Amount {
  readonly value: number
  readonly code: string
  readonly currency: Currency
}

/** The combined statements of a call's entries. */
interface Merged {
  readonly act: KnownAct | undefined
  readonly actEntry: string | undefined
  readonly environment: Known<"production"> | undefined
  readonly entities: Known<number> | undefined
  readonly records: Known<number> | undefined
  readonly amount: Known<Amount> | undefined
  readonly currency: Known<Omit<Amount, "value">> | undefined
  readonly destination: Known<string> | undefined
  readonly dataClassification: Known<StatedCall["dataClassification"] & string> | undefined
  readonly reversibility: Known<Reversibility> | undefined
  readonly privilegeChange: Known<boolean> | undefined
  readonly productionImpact: Known<boolean> | undefined
}

type Riskier<A> = (one: A, other: A) => boolean

const later =
  <A extends string>(order: ReadonlyArray<A>): Riskier<A> =>
  (one, other) =>
    order.indexOf(one) > order.indexOf(other)
const larger: Riskier<number> = (one, other) => one > other
const truer: Riskier<boolean> = (one, other) => one && !other
const centsOf = ({ currency, value }: Pick<Amount, "currency" | "value">): number =>
  toUsdCents(value, currency)
const costlier: Riskier<Pick<Amount, "currency" | "value">> = (one, other) => centsOf(one) > centsOf(other)
const dearer: Riskier<Pick<Amount, "currency">> = (one, other) =>
  one.currency.usdNanos > other.currency.usdNanos
/** No destination is riskier than another by itself: the first entry counts. */
const neither: Riskier<string> = () => false

/** The riskiest value among those entries that state one. */
const riskiestIn = <A>(
  entries: ReadonlyArray<OrganizationEntry>,
  valueOf: (entry: OrganizationEntry) => A | undefined,
  isRiskier: Riskier<A>
): Known<A> | undefined => {
  let found: Known<A> | undefined
  for (const entry of entries) {
    const value = valueOf(entry)
    if (value !== undefined && (found === undefined || isRiskier(value, found.value)))
      found = { value, entry: entry.id }
  }
  return found
}

const merge = ({ broad, exact }: EntriesOfCall, { table }: Currencies): Merged => {
  const say = <A>(
    valueOf: (entry: OrganizationEntry) => A | undefined,
    isRiskier: Riskier<A>
  ): Known<A> | undefined => riskiestIn(exact, valueOf, isRiskier) ?? riskiestIn(broad, valueOf, isRiskier)
  const inCurrency = ({ currency: code }: OrganizationEntry): Omit<Amount, "value"> | undefined => {
    const currency = code === undefined ? undefined : table.get(code)
    return code === undefined || currency === undefined ? undefined : { code, currency }
  }
  const amount = (entry: OrganizationEntry): Amount | undefined => {
    const unit = inCurrency(entry)
    return entry.financialValue === undefined || unit === undefined
      ? undefined
      : { value: entry.financialValue, ...unit }
  }
  const own = say((entry) => entry.class, later(actionClasses))
  const impact = say((entry) => entry.impact, later(impacts))
  const extent = say((entry) => entry.extent, later(extents))
  const holds = say((entry) => entry.holds, later(dataClassifications))
  const actEntry = (own ?? impact ?? holds ?? extent)?.entry
  const act: KnownAct = {
    ...(own === undefined ? {} : { class: own.value }),
    ...(impact === undefined ? {} : { impact: impact.value }),
    ...(extent === undefined ? {} : { extent: extent.value }),
    ...(holds === undefined ? {} : { holds: holds.value })
  }
  return {
    act: actEntry === undefined ? undefined : act,
    actEntry,
    environment: say((entry) => entry.environment, neither),
    entities: say((entry) => entry.entitiesAffected, larger),
    records: say((entry) => entry.recordsAffected, larger),
    amount: say(amount, costlier),
    currency: say(inCurrency, dearer),
    destination: say((entry) => entry.destination, neither),
    dataClassification: say((entry) => entry.dataClassification, later(dataClassifications)),
    reversibility: say((entry) => entry.reversibility, later(reversibilities)),
    privilegeChange: say((entry) => entry.privilegeChange, truer),
    productionImpact: say((entry) => entry.productionImpact, truer)
  }
}

/** Whether entries may only raise risk: no entry makes a grave act, a contradicted call, or an unread or dangerous command milder. */
const onlyRaises = (reading: Reading, { vocabulary }: Lexicon): boolean =>
  isGrave(reading, vocabulary) ||
  reading.contradicted ||
  (reading.takesCommand && (reading.unread || impacts.indexOf(reading.impact) >= impacts.indexOf("high")))

/**
 * A field with the catalogue's value. A stated value gives way to a riskier known one. A missing value becomes the known one, unless
 * `reference` is given and at least as risky.
 */
const settle = <A>(
  own: A | undefined,
  known: Known<A> | undefined,
  isRiskier: Riskier<A>,
  reference: A | undefined
): A | undefined => {
  if (known === undefined) return own
  const than = own ?? reference
  return than === undefined || isRiskier(known.value, than) ? known.value : own
}

type AmountFields = Pick<StatedCall, "currency" | "currencyStated" | "value">

/** The amount and its currency, which only make sense together. A stated currency is a unit, and no entry changes only the currency. */
const settleAmount = (
  { currency, currencyStated, value }: AmountFields,
  { amount, currency: unit }: Merged,
  { dearest, table }: Currencies,
  reference: Fields | undefined
): AmountFields => {
  // Without a currency the dearest is assumed, and no known currency is riskier.
  const fillsUnit = unit !== undefined && value !== undefined && !currencyStated && reference === undefined
  const own: AmountFields = fillsUnit
    ? { value, currency: unit.value.currency, currencyStated: true }
    : { value, currency, currencyStated }
  if (amount === undefined) return own
  const counted = own.currency ?? table.get(dearest)
  const than = value === undefined ? reference : counted && { value, currency: counted }
  return than === undefined || costlier(amount.value, than)
    ? { value: amount.value.value, currency: amount.value.currency, currencyStated: true }
    : own
}

type Counts = Pick<StatedCall, "entities" | "records">

/**
 * A stated zero next to a positive count contradicts it and is taken at that count. The zero stays, so that the opinion reports the
 * contradiction, and the known value joins the other count.
 */
const settleCounts = (
  stated: StatedCall,
  merged: Merged,
  { currencies, numbers }: RiskModel,
  reference: Fields | undefined
): Counts => {
  const { class: own } = stated
  const entities = settle(stated.entities, merged.entities, larger, reference?.entities)
  const records = settle(stated.records, merged.records, larger, reference?.records)
  const other = (count: number | undefined, field: keyof Counts): number =>
    count ?? complete(stated, numbers, currencies)[field]
  if (own.harmless) return { entities, records }
  if (stated.entities === 0 && entities !== undefined && entities > 0)
    return { entities: 0, records: Math.max(entities, other(records, "records")) }
  if (stated.records === 0 && own.countsGoTogether && records !== undefined && records > 0)
    return { entities: Math.max(records, other(entities, "entities")), records: 0 }
  return { entities, records }
}

const runsNothingLive = ({ environment }: StatedCall): boolean =>
  environments.indexOf(environment) < environments.indexOf("staging")

/** Whether the words of a call name more sensitive data (patients, secrets) than its entries: no entry makes it less sensitive. */
const isUnsaid = ({ reading: { holds } }: StatedCall, { dataClassification: known }: Merged): boolean =>
  known !== undefined &&
  dataClassifications.indexOf(holds) > dataClassifications.indexOf("internal") &&
  later(dataClassifications)(holds, known.value)

const withKnowledge = (stated: StatedCall, merged: Merged, model: RiskModel): StatedCall => {
  const { currencies, lexicon, numbers } = model
  const { class: own, reading } = stated
  const reference = onlyRaises(reading, lexicon) ? complete(stated, numbers, currencies) : undefined
  const { dataClassification, reversibility } = merged
  const belowFloor =
    reversibility !== undefined && later(reversibilities)(own.reversibilityFloor, reversibility.value)
  // A claim below the floor of the class stays, so that the opinion reports it. A known value below the floor is raised to it.
  const claimed = stated.reversibility !== undefined && belowFloor
  const floored: Known<Reversibility> | undefined =
    belowFloor && !claimed ? { ...reversibility, value: own.reversibilityFloor } : reversibility
  const privilege = own.alwaysChangesPrivilege ? undefined : merged.privilegeChange
  // Nothing live depends on a sandbox. An entry for a system that is production from everywhere says so by `environment`.
  const live =
    merged.productionImpact?.value === true && runsNothingLive(stated) ? undefined : merged.productionImpact
  const unsaid = stated.dataClassification === undefined && isUnsaid(stated, merged)
  return {
    ...stated,
    ...settleAmount(stated, merged, currencies, reference),
    ...settleCounts(stated, merged, model, reference),
    dataClassification: unsaid
      ? undefined
      : settle(
          stated.dataClassification,
          dataClassification,
          later(dataClassifications),
          reference?.dataClassification
        ),
    reversibility: settle(stated.reversibility, floored, later(reversibilities), reference?.reversibility),
    privilegeChange: settle(stated.privilegeChange, privilege, truer, reference?.privilegeChange),
    productionImpact: settle(stated.productionImpact, live, truer, reference?.productionImpact),
    destination: stated.destination ?? (reference === undefined ? merged.destination?.value : undefined)
  }
}

/** Every field that the entries decide, as the request would state it. */
const fillsOf = (asStated: StatedCall, known: StatedCall, merged: Merged): ReadonlyArray<Assumption> => {
  const fills: Array<Assumption> = []
  const tell = (field: string, key: keyof StatedCall, by: Known<unknown> | undefined): void => {
    const assumed = known[key]
    if (assumed === asStated[key] || by === undefined) return
    if (typeof assumed === "string" || typeof assumed === "number" || typeof assumed === "boolean")
      fills.push({ field, assumed, entry: by.entry })
  }
  const { amount, currency } = merged
  // A count that replaces a contradictory zero comes from an entry about the other count.
  tell("entities_affected", "entities", merged.entities ?? merged.records)
  tell("records_affected", "records", merged.records ?? merged.entities)
  tell("financial_value", "value", amount)
  if (known.currency !== asStated.currency) {
    const paid = amount?.value.currency === known.currency ? amount : undefined
    const by = paid ?? currency
    if (by !== undefined) fills.push({ field: "currency", assumed: by.value.code, entry: by.entry })
  }
  tell("destination", "destination", merged.destination)
  tell("data_classification", "dataClassification", merged.dataClassification)
  tell("reversibility", "reversibility", merged.reversibility)
  tell("privilege_change", "privilegeChange", merged.privilegeChange)
  tell("production_impact", "productionImpact", merged.productionImpact)
  return fills
}

const unknownCall = (stated: StatedCall, expired: boolean, elsewhere: KnownCall["elsewhere"]): KnownCall => ({
  stated,
  asStated: stated,
  fills: [],
  expired,
  fill: (other) => other,
  elsewhere
})

/** A placeholder for any destination: the reading lists what a destination could change. */
const anyName = "x"

/**
 * `reading`: the reading of the action by the model's lexicon, for callers that have it already. The action is read again if an entry
 * states the tool's act or its destination. `sends`: whether the destinations of entries count.
 */
export const knowCall = (
  action: Action,
  model: RiskModel,
  { catalogue, day }: Knowledge,
  reading: Reading = readCall(action, model.lexicon),
  sends = true
): KnownCall => {
  const { currencies, lexicon, numbers } = model
  const found =
    catalogue === undefined ? undefined : entriesOfCall(action, catalogue, lexicon.vocabulary, day)
  const asRead = () => toStatedCall(action, reading, numbers, currencies)
  const sent = { ...action, destination: anyName }
  if (found === undefined || found.exact.length + found.broad.length === 0)
    return unknownCall(asRead(), found?.expired === true, () =>
      reading.elsewhere?.map((read) => toStatedCall(sent, read, numbers, currencies))
    )
  const everything = merge(found, currencies)
  const merged = sends ? everything : { ...everything, destination: undefined }
  const { act, destination, environment } = merged
  const sentTo =
    destination !== undefined && asRead().destination === undefined && !onlyRaises(reading, lexicon)
      ? { ...action, destination: destination.value }
      : action
  const words = act === undefined && sentTo === action ? reading : readCall(sentTo, lexicon, act)
  const known = environment === undefined ? words : { ...words, environment: environment.value }
  const asStated: StatedCall = {
    ...toStatedCall(action, known, numbers, currencies),
    environmentInconsistent: words.environment !== action.environment
  }
  const stated = withKnowledge(asStated, merged, model)
  const raised = known.environment !== words.environment ? environment : undefined
  const fills = fillsOf(asStated, stated, merged)
  return {
    stated,
    asStated,
    fills:
      raised === undefined
        ? fills
        : [{ field: "environment", assumed: raised.value, entry: raised.entry }, ...fills],
    expired: found.expired,
    fill: ({ fields: { agent, destination }, stated: one }) => {
      const filled = withKnowledge(one, merged, model)
      return { stated: filled, fields: { ...complete(filled, numbers, currencies), agent, destination } }
    },
    elsewhere: () =>
      words.elsewhere?.map((read) => ({
        ...toStatedCall(
          sent,
          { ...read, environment: environment?.value ?? read.environment },
          numbers,
          currencies
        ),
        environmentInconsistent: read.environment !== action.environment
      })),
    act,
    ...(merged.actEntry === undefined || words.by !== "catalogue" ? {} : { entry: merged.actEntry })
  }
}

/**
 * The ways in which entries may count on a call. Entries count until their date, by the instant of the snapshot. Without a snapshot it
 * is unknown whether they still count: the call is known with them and without them, and the riskier one counts.
 */
export const waysToKnow = (
  action: Action,
  behavior: Behavior,
  model: RiskModel,
  catalogue: OrganizationCatalogue | undefined,
  reading?: Reading
): ReadonlyArray<KnownCall> => {
  if (behavior !== "unavailable") {
    const day = behavior.takenAt.slice(0, isoDayLength)
    // Without its history, a destination would count as a known one.
    return [knowCall(action, model, { catalogue, day }, reading, behavior.destination !== null)]
  }
  const without = knowCall(action, model, { catalogue: undefined, day: undefined }, reading)
  return catalogue === undefined
    ? [without]
    : [without, knowCall(action, model, { catalogue, day: undefined }, reading, false)]
}
