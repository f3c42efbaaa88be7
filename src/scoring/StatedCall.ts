/** The call as stated and read, before missing fields are completed. */

import {
  type Action,
  type DataClassification,
  type Environment,
  reversibilities,
  type Reversibility
} from "../domain/Action.ts"
import type { Currencies, Currency } from "./Model.ts"
import type { ClassNumbers, Numbers } from "./Numbers.ts"
import { toUsdCents } from "./money.ts"
import { visibleText } from "./names/lookalike.ts"
import { type Deed, higher } from "./reading/Act.ts"
import type { StatedAmount } from "./reading/arguments/figures.ts"
import type { Reading } from "./reading/readCall.ts"

export interface StatedDeed extends Deed {
  readonly numbers: ClassNumbers
}

export interface StatedCall {
  readonly reading: Reading
  /** The head deed comes first. Each deed is scored, and the worst score counts. */
  readonly deeds: ReadonlyArray<StatedDeed>
  /** The numbers of the head deed, combined with every requirement that any deed has for the fields. */
  readonly class: ClassNumbers
  /** Production if a target names production, whatever environment was stated. */
  readonly environment: Environment
  readonly production: boolean
  readonly environmentInconsistent: boolean
  /** The tool's arguments state larger figures than the fields. */
  readonly figuresInconsistent: boolean
  readonly entities: number | undefined
  readonly records: number | undefined
  readonly value: number | undefined
  readonly currencyStated: boolean
  /** The stated currency, if the table has it. */
  readonly currency: Currency | undefined
  readonly dataClassification: DataClassification | undefined
  readonly reversibility: Reversibility | undefined
  readonly privilegeChange: boolean | undefined
  readonly productionImpact: boolean | undefined
  readonly destination: string | undefined
  readonly agentId: string | undefined
  /** From `context.instruction_source`: a page, a mail or a tool result asked for the call. */
  readonly instructionUntrusted: boolean
}

/** The value `unknown` counts as a missing field. */
const unlessUnknown = <A extends string>(value: A | "unknown" | undefined): A | undefined =>
  value === "unknown" ? undefined : value

/** A blank name counts as a missing field. */
const unlessBlank = (name: string | undefined): string | undefined =>
  name === undefined || visibleText(name) === "" ? undefined : name

/** An export counts as data leaving, even if a riskier verb decides the class. */
export const classNumbersOf = (
  reading: Pick<Reading, "alsoExports" | "class">,
  { classes }: Pick<Numbers, "classes">
): ClassNumbers => {
  const own = classes[reading.class]
  return reading.alsoExports ? { ...own, egress: true, dataLeaves: true } : own
}

const deedsOf = (reading: Reading, numbers: Numbers): readonly [StatedDeed, ...Array<StatedDeed>] => {
  const stated = ({ class: own, impact, reversibility, soft }: Deed): StatedDeed => ({
    class: own,
    impact,
    reversibility,
    soft: soft === true,
    numbers: classNumbersOf({ class: own, alsoExports: reading.alsoExports }, numbers)
  })
  return [stated(reading), ...reading.others.map(stated)]
}

/**
 * The numbers of the head deed, combined with every requirement that the deeds have for the fields. A claim that contradicts one deed
 * contradicts the call, and if one deed sends something out, so does the call.
 */
const together = ([{ numbers: own }, ...others]: ReturnType<typeof deedsOf>): ClassNumbers => {
  if (others.length === 0) return own
  const rows = [own, ...others.map(({ numbers }) => numbers)]
  return {
    ...own,
    harmless: rows.every(({ harmless }) => harmless),
    egress: rows.some(({ egress }) => egress),
    dataLeaves: rows.some(({ dataLeaves }) => dataLeaves),
    countsGoTogether: rows.some(({ countsGoTogether }) => countsGoTogether),
    alwaysChangesPrivilege: rows.some(({ alwaysChangesPrivilege }) => alwaysChangesPrivilege),
    reversibilityFloor: rows.reduce(
      (floor, row) => higher(reversibilities, floor, row.reversibilityFloor),
      own.reversibilityFloor
    )
  }
}

/** The call with another of its deeds as the head. */
export const asDeed = (stated: StatedCall, { numbers, soft, ...deed }: StatedDeed): StatedCall => ({
  ...stated,
  class: numbers,
  reading: { ...stated.reading, ...deed, soft: soft === true }
})

const larger = (stated: number | undefined, told: number | undefined): number | undefined =>
  stated === undefined || (told !== undefined && told > stated) ? told : stated

/** The limit that the arguments of a read or an export set: it touches no more records than that. */
const recordsOf = ({ class: own, toldBy }: Reading): number | undefined =>
  own === "read" || own === "export" ? toldBy?.records?.value : undefined

interface CountedAmount {
  readonly value: number | undefined
  readonly code: string | undefined
  /** The arguments state more than the field. */
  readonly isMore: boolean
}

/** The stated amount, or a larger one from the arguments. */
const amountOf = (
  { currency: code, financialValue }: Action,
  amounts: ReadonlyArray<StatedAmount>,
  currencies: Currencies
): CountedAmount => {
  const centsOf = (value: number, named: string | undefined): number => {
    const currency =
      currencies.table.get(named?.toUpperCase() ?? "") ?? currencies.table.get(currencies.dearest)
    return currency === undefined ? 0 : toUsdCents(value, currency)
  }
  let counted: CountedAmount = { value: financialValue, code, isMore: false }
  let cents = financialValue === undefined ? -1 : centsOf(financialValue, code)
  for (const { currency, value } of amounts) {
    const named = currency ?? code
    const own = centsOf(value, named)
    if (own <= cents) continue
    cents = own
    counted = { value, code: named, isMore: financialValue !== undefined }
  }
  return counted
}

export const toStatedCall = (
  action: Action,
  reading: Reading,
  numbers: Numbers,
  currencies: Currencies
): StatedCall => {
  const deeds = deedsOf(reading, numbers)
  const own = together(deeds)
  const told = own.harmless ? undefined : reading.toldBy
  const amount = amountOf(action, told?.amounts ?? [], currencies)
  const entities = larger(action.entitiesAffected, told?.entities?.value)
  const isMore = entities !== action.entitiesAffected && action.entitiesAffected !== undefined
  return {
    reading,
    figuresInconsistent: isMore || amount.isMore,
    deeds,
    class: own,
    environment: reading.environment,
    production: reading.environment === "production",
    environmentInconsistent: reading.environment !== action.environment,
    entities,
    // A limit is only an upper bound, so it does not contradict a stated count.
    records: action.recordsAffected ?? recordsOf(reading),
    value: amount.value,
    currencyStated: amount.code !== undefined,
    currency: amount.code === undefined ? undefined : currencies.table.get(amount.code.toUpperCase()),
    dataClassification: unlessUnknown(action.dataClassification),
    reversibility: unlessUnknown(action.reversibility),
    privilegeChange: action.privilegeChange,
    productionImpact: action.productionImpact,
    destination: unlessBlank(action.destination) ?? told?.destination?.value,
    agentId: unlessBlank(action.agentId),
    instructionUntrusted: action.context?.["instruction_source"] === "untrusted_content"
  }
}
