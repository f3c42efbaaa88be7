/** Applies the organization's catalogue to a call: corrects its reading and fills in its missing fields. */

import {
  type Action,
  dataClassifications,
  type Environment,
  environments,
  reversibilities,
  type Reversibility
} from "../../domain/Action.ts"
import type { Behavior } from "../../domain/Behavior.ts"
import { isoDayLength } from "../../domain/Day.ts"
import type { Assumption } from "../../domain/Opinion.ts"
import type { Currencies, RiskModel } from "../Model.ts"
import { type StatedCall, toStatedCall } from "../StatedCall.ts"
import { complete, type CompletedCall, type Fields } from "../completeCall.ts"
import { impacts, riskOf } from "../reading/Act.ts"
import { isMailWithin } from "../reading/arguments/valueClasses.ts"
import type { Lexicon } from "../reading/callArguments.ts"
import { readCall, type Reading } from "../reading/readCall.ts"
import {
  costlier,
  type KnownValue,
  larger,
  later,
  merge,
  type Merged,
  type Riskier,
  truer
} from "./mergeEntries.ts"
import {
  entriesOfCall,
  type Knowledge,
  type KnownAct,
  type OrganizationCatalogue,
  peopleOn,
  placesNamed,
  placesOn
} from "./OrganizationCatalogue.ts"
import { isGrave } from "./nameAct.ts"

export interface KnownCall {
  readonly stated: StatedCall
  /** The fields that an entry decides, as the request would state them. */
  readonly fills: ReadonlyArray<Assumption>
  readonly expired: boolean
  /** The id of the entry that decided the reading, if one did. */
  readonly entry?: string
  /** The act as stated by the entries. */
  readonly act?: KnownAct | undefined
  /** The call without the catalogue, as the caller stated it. */
  readonly asStated: StatedCall
  /** Applies the same entries to this call with other field values. Leaves the trial values for destination and agent as they are. */
  readonly fill: (supposed: CompletedCall) => CompletedCall
  /** Every way to read the call with a stated destination. Undefined if a destination does not change the reading. */
  readonly elsewhere: () => ReadonlyArray<StatedCall> | undefined
}

/** Whether entries may only raise risk. They cannot make a grave act, a contradicted call, or an unread or dangerous command milder. */
const onlyRaises = (reading: Reading, { vocabulary }: Lexicon): boolean =>
  isGrave(reading, vocabulary) ||
  reading.contradicted ||
  (reading.takesCommand && (reading.unread || impacts.indexOf(reading.impact) >= impacts.indexOf("high")))

/**
 * Combines a field with the catalogue's value. The catalogue replaces a stated value only if it is riskier. It fills in a missing value,
 * unless `reference` is given and at least as risky.
 */
const settle = <A>(
  own: A | undefined,
  known: KnownValue<A> | undefined,
  isRiskier: Riskier<A>,
  reference: A | undefined
): A | undefined => {
  if (known === undefined) return own
  const than = own ?? reference
  return than === undefined || isRiskier(known.value, than) ? known.value : own
}

type AmountFields = Pick<StatedCall, "currency" | "currencyStated" | "value">

/**
 * Combines the amount and its currency, which only make sense together. A stated currency is a unit, so an entry never replaces the
 * currency alone.
 */
const settleAmount = (
  { currency, currencyStated, value }: AmountFields,
  { amount, currency: unit }: Merged,
  { dearest, table }: Currencies,
  reference: Fields | undefined
): AmountFields => {
  // An amount without a currency is assumed in the dearest one, so no known currency is riskier.
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
 * A stated zero next to a positive count contradicts it and is scored as that count. The zero is kept, so that the opinion reports the
 * contradiction, and the known value is combined with the other count.
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

/**
 * Whether the call's own words name more sensitive data (patients, secrets) than its entries do. Entries cannot make the data less
 * sensitive.
 */
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
  // A stated value below the floor of the class is kept, so that the opinion reports it. A known value below the floor is raised to it.
  const claimed = stated.reversibility !== undefined && belowFloor
  const floored: KnownValue<Reversibility> | undefined =
    belowFloor && !claimed ? { ...reversibility, value: own.reversibilityFloor } : reversibility
  const privilege = own.alwaysChangesPrivilege ? undefined : merged.privilegeChange
  // No live system depends on a sandbox. An entry for a system that is production from everywhere must say so with `environment`.
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
  const tell = (field: string, key: keyof StatedCall, by: KnownValue<unknown> | undefined): void => {
    const assumed = known[key]
    if (assumed === asStated[key] || by === undefined) return
    if (typeof assumed === "string" || typeof assumed === "number" || typeof assumed === "boolean")
      fills.push({ field, assumed, entry: by.entry })
  }
  const { amount, currency } = merged
  // If a count replaces a contradictory zero, its value comes from the entry about the other count.
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

const unknownCall = (
  stated: StatedCall,
  expired: boolean,
  act: KnownAct | undefined,
  elsewhere: KnownCall["elsewhere"]
): KnownCall => ({
  act,
  stated,
  asStated: stated,
  fills: [],
  expired,
  fill: (other) => other,
  elsewhere
})

/** A placeholder destination: the reading lists what any destination could change. */
const anyName = "x"

/** The reading of a call that takes the organization's own people and places into account. */
interface KnownOwn {
  readonly reading: Reading
  readonly own: Pick<KnownAct, "people" | "places"> | undefined
  /** The id of the entry that makes the call milder. */
  readonly entry: string | undefined
}

/** `amongAny`: the reading of the call without the catalogue. */
const knowOwn = (
  action: Action,
  amongAny: Reading,
  lexicon: Lexicon,
  { catalogue, day }: Knowledge
): KnownOwn => {
  const nothing = { reading: amongAny, own: undefined, entry: undefined }
  if (catalogue === undefined) return nothing
  const people = amongAny.toldBy?.destination === undefined ? undefined : peopleOn(catalogue, day)
  const places = amongAny.remote ? placesOn(catalogue, day) : undefined
  if (people === undefined && places === undefined) return nothing
  const own = { ...(people === undefined ? {} : { people }), ...(places === undefined ? {} : { places }) }
  const reading = readCall(action, lexicon, own)
  const to = reading.toldBy?.destination?.value ?? ""
  const isMilder = riskOf(reading) < riskOf(amongAny)
  const colleagues = [...(people ?? [])].find(([domain]) => isMailWithin(to, new Set([domain])))
  const [place] = amongAny.remote && !reading.remote ? placesNamed(action, places ?? new Map()) : []
  return { reading, own, entry: (isMilder ? colleagues?.[1] : undefined) ?? place }
}

/** A place that is known to be production needs no confirmation. */
const withEnvironment = (reading: Reading, environment: Environment | undefined): Reading =>
  environment === undefined
    ? reading
    : { ...reading, environment, remote: reading.remote && environment !== "production" }

/** `reading`: the reading with the organization's own people and places. `sends`: whether the destinations of entries count. */
const knowByEntries = (
  action: Action,
  model: RiskModel,
  { catalogue, day }: Knowledge,
  { own, reading }: Pick<KnownOwn, "own" | "reading">,
  sends: boolean
): KnownCall => {
  const { currencies, lexicon, numbers } = model
  const found =
    catalogue === undefined ? undefined : entriesOfCall(action, catalogue, lexicon.vocabulary, day)
  const asRead = () => toStatedCall(action, reading, numbers, currencies)
  const sent = { ...action, destination: anyName }
  if (found === undefined || found.exact.length + found.broad.length === 0)
    return unknownCall(asRead(), found?.expired === true, own, () =>
      reading.elsewhere?.map((read) => toStatedCall(sent, read, numbers, currencies))
    )
  const everything = merge(found, currencies)
  const merged = sends ? everything : { ...everything, destination: undefined }
  const { destination, environment } = merged
  const act = own === undefined ? merged.act : { ...merged.act, ...own }
  const sentTo =
    destination !== undefined && asRead().destination === undefined && !onlyRaises(reading, lexicon)
      ? { ...action, destination: destination.value }
      : action
  const words = merged.act === undefined && sentTo === action ? reading : readCall(sentTo, lexicon, act)
  const known = withEnvironment(words, environment?.value)
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
        ...toStatedCall(sent, withEnvironment(read, environment?.value), numbers, currencies),
        environmentInconsistent: read.environment !== action.environment
      })),
    act,
    ...(merged.actEntry === undefined || words.by !== "catalogue" ? {} : { entry: merged.actEntry })
  }
}

/**
 * `reading`: the reading of the action by the model's lexicon, for callers that have it already. The action is read again if an entry
 * states its tool's act, its destination, its people or its place. `sends`: whether the destinations of entries count.
 */
export const knowCall = (
  action: Action,
  model: RiskModel,
  knowledge: Knowledge,
  reading: Reading = readCall(action, model.lexicon),
  sends = true
): KnownCall => {
  const { entry, ...own } = knowOwn(action, reading, model.lexicon, knowledge)
  const known = knowByEntries(action, model, knowledge, own, sends)
  return entry === undefined || known.entry !== undefined ? known : { ...known, entry }
}

/**
 * The ways to apply entries to a call. Entries count until their date, compared with the time of the snapshot. Without a snapshot it is
 * unknown whether they still count, so the call is scored both with and without them, and the riskier result counts.
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
    // Without history for an entry's destination, the destination would count as a known one.
    return [knowCall(action, model, { catalogue, day }, reading, behavior.destination !== null)]
  }
  const without = knowCall(action, model, { catalogue: undefined, day: undefined }, reading)
  return catalogue === undefined
    ? [without]
    : [without, knowCall(action, model, { catalogue, day: undefined }, reading, false)]
}
