/** A call with the knowledge of the organization's catalogue: its reading corrected, and its missing fields filled in. */

import {
  type Action,
  dataClassifications,
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
  known: KnownValue<A> | undefined,
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
  const floored: KnownValue<Reversibility> | undefined =
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
  const tell = (field: string, key: keyof StatedCall, by: KnownValue<unknown> | undefined): void => {
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

/** A placeholder for any destination: the reading lists what a destination could change. */
const anyName = "x"

/** The own people and places of an organization that a call names: its knowledge beyond the tool. */
interface KnownOwn {
  readonly reading: Reading
  readonly own: Pick<KnownAct, "people" | "places"> | undefined
  /** The entry that makes the call milder. */
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

/** `reading`: of the call with the organization's `own`. `sends`: whether the destinations of entries count. */
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
 * `reading`: the reading of the action by the model's lexicon, for callers that have it already. The action is read again if an entry
 * states the tool's act, its destination, its people or its place. `sends`: whether the destinations of entries count.
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
