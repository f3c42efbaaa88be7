/** Combines the statements of a call's entries. For each field, the riskiest value among the entries for the exact name counts, or else the riskiest among the others. */

import {
  actionClasses,
  dataClassifications,
  reversibilities,
  type Reversibility
} from "../../domain/Action.ts"
import type { Currencies, Currency } from "../Model.ts"
import type { StatedCall } from "../StatedCall.ts"
import { toUsdCents } from "../money.ts"
import { extents, impacts } from "../reading/Act.ts"
import type { EntriesOfCall, KnownAct, OrganizationEntry } from "./OrganizationCatalogue.ts"

/** The value of a field, with the entry that states it. */
export interface KnownValue<A> {
  readonly value: A
  readonly entry: string
}

export interface Amount {
  readonly value: number
  readonly code: string
  readonly currency: Currency
}

/** The combined statements of a call's entries. */
export interface Merged {
  readonly act: KnownAct | undefined
  readonly actEntry: string | undefined
  readonly environment: KnownValue<"production"> | undefined
  readonly entities: KnownValue<number> | undefined
  readonly records: KnownValue<number> | undefined
  readonly amount: KnownValue<Amount> | undefined
  readonly currency: KnownValue<Omit<Amount, "value">> | undefined
  readonly destination: KnownValue<string> | undefined
  readonly dataClassification: KnownValue<StatedCall["dataClassification"] & string> | undefined
  readonly reversibility: KnownValue<Reversibility> | undefined
  readonly privilegeChange: KnownValue<boolean> | undefined
  readonly productionImpact: KnownValue<boolean> | undefined
}

export type Riskier<A> = (one: A, other: A) => boolean

export const later =
  <A extends string>(order: ReadonlyArray<A>): Riskier<A> =>
  (one, other) =>
    order.indexOf(one) > order.indexOf(other)
export const larger: Riskier<number> = (one, other) => one > other
export const truer: Riskier<boolean> = (one, other) => one && !other
const centsOf = ({ currency, value }: Pick<Amount, "currency" | "value">): number =>
  toUsdCents(value, currency)
export const costlier: Riskier<Pick<Amount, "currency" | "value">> = (one, other) =>
  centsOf(one) > centsOf(other)
const dearer: Riskier<Pick<Amount, "currency">> = (one, other) =>
  one.currency.usdNanos > other.currency.usdNanos
/** No destination is inherently riskier than another, so the first entry counts. */
const neither: Riskier<string> = () => false

/** The riskiest value among the entries that state one. */
const riskiestIn = <A>(
  entries: ReadonlyArray<OrganizationEntry>,
  valueOf: (entry: OrganizationEntry) => A | undefined,
  isRiskier: Riskier<A>
): KnownValue<A> | undefined => {
  let found: KnownValue<A> | undefined
  for (const entry of entries) {
    const value = valueOf(entry)
    if (value !== undefined && (found === undefined || isRiskier(value, found.value)))
      found = { value, entry: entry.id }
  }
  return found
}

export const merge = ({ broad, exact }: EntriesOfCall, { table }: Currencies): Merged => {
  const say = <A>(
    valueOf: (entry: OrganizationEntry) => A | undefined,
    isRiskier: Riskier<A>
  ): KnownValue<A> | undefined =>
    riskiestIn(exact, valueOf, isRiskier) ?? riskiestIn(broad, valueOf, isRiskier)
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
    environment: say(({ environment }) => (environment === "production" ? environment : undefined), neither),
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
