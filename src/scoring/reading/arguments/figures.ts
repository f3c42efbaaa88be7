/** Finds the figures in the arguments of a call: amounts of money, counts, and the receiver. */

import type { ParameterConventions } from "./Parameters.ts"
import type { RoledLeaf } from "./roles.ts"
import { amountOf, type Domains, isMailWithin, mailDomainOf } from "./valueClasses.ts"
import type { AtPath, Leaf } from "./walkArguments.ts"

export interface StatedAmount {
  readonly value: number
  /** As the caller wrote it. */
  readonly currency?: string
  readonly path: string
}

const parentOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("."), 0))

/** Every amount, with the currency of its object and multiplied by the quantity of its object. */
export const amountsIn = (
  values: ReadonlyArray<RoledLeaf>,
  conventions: ReadonlyArray<ParameterConventions>
): ReadonlyArray<StatedAmount> => {
  const isMinor = conventions.some(({ minorUnits }) => minorUnits)
  const currencies = new Map<string, string>()
  const quantities = new Map<string, number>()
  for (const { path, role, value } of values) {
    if (role === "currency" && typeof value === "string") currencies.set(parentOf(path), value)
    if (role === "quantity") quantities.set(parentOf(path), Math.max(1, amountOf(value) ?? 1))
  }
  const [anywhere] = currencies.values()
  return values.flatMap((leaf): ReadonlyArray<StatedAmount> => {
    const stated = currencies.get(parentOf(leaf.path))
    const isUnit = leaf.role === "unit_money"
    // `{"currency_code": "USD", "value": "30.00"}` is an amount, whatever its key.
    if (leaf.role !== "money" && !isUnit && !(leaf.key === "value" && stated !== undefined)) return []
    const amount = amountOf(leaf.value)
    if (amount === undefined) return []
    const currency = stated ?? anywhere
    const value =
      (isMinor ? amount / centsPerUnit : amount) *
      (leaf.role === "money" ? 1 : besideIn(quantities, leaf.path))
    return [
      {
        value,
        path: leaf.path,
        ...(currency !== undefined && /^[a-z]{3}$/i.test(currency) ? { currency } : {})
      }
    ]
  })
}
const centsPerUnit = 100

/** The quantity next to a price, or next to any object that contains the price. */
const besideIn = (quantities: ReadonlyMap<string, number>, path: string): number => {
  for (let parent = parentOf(path); parent !== ""; parent = parentOf(parent)) {
    const quantity = quantities.get(parent)
    if (quantity !== undefined) return quantity
  }
  return 1
}

export const listLength = ({ value }: Leaf): number => (Array.isArray(value) ? value.length : 0)

export const largestOf = <A extends { readonly value: number }>(found: ReadonlyArray<A>): A | undefined =>
  found.reduce<A | undefined>(
    (best, one) => (best === undefined || one.value > best.value ? one : best),
    undefined
  )

/** The receiver of the call. Receivers who are not the sender's colleagues come first. */
export const destinationIn = (
  values: ReadonlyArray<RoledLeaf>,
  ownDomains: Domains,
  lengthMax: number
): AtPath<string> | undefined => {
  const isOwn = (text: string): boolean => isMailWithin(text, ownDomains)
  const found = values
    .filter(({ role, value }) => role === "recipient" && typeof value === "string" && value.trim() !== "")
    .map(({ path, value }) => ({ path, value: String(value).trim().slice(0, lengthMax) }))
    .filter(({ value }) => !/^[\d:TZ.+-]+$/.test(value) || value.length > 9)
    .toSorted((a, b) => Number(isOwn(a.value)) - Number(isOwn(b.value)) || (a.value < b.value ? -1 : 1))
  return found[0]
}

/** Whether a value is a recipient outside the domains, or an outside mail address in any argument that is not prose. */
export const isStranger = ({ role, value }: RoledLeaf, ownDomains: Domains): boolean =>
  typeof value === "string" &&
  value.trim() !== "" &&
  (role === "recipient" || (role !== "prose" && mailDomainOf(value) !== undefined)) &&
  !isMailWithin(value, ownDomains)

export const senderKeys: ReadonlySet<string> = new Set([
  "from",
  "sender",
  "fromemail",
  "senderemail",
  "replyto"
])
