/** One fact's value as a reader reads it: 1,000 entities as `1,000`, 250000 cents as `2,500 USD`, a rank by its name. */

import { dataClassifications, environments, reversibilities } from "../domain/Action.ts"
import { facts as factKinds, type FactName, type Facts } from "./Facts.ts"

/** Thousands separated by commas, whatever the locale. */
const grouped = (n: number): string => {
  const digits = String(n)
  let end = digits.length % 3 || 3
  let text = digits.slice(0, end)
  for (; end < digits.length; end += 3) text += `,${digits.slice(end, end + 3)}`
  return text
}

const fractionOf = (n: number): string => String(n % 100).padStart(2, "0")

/** 3.5, 12 */
const hundredths = (n: number): string => {
  const [whole, fraction] = [grouped(Math.floor(n / 100)), fractionOf(n).replace(/0+$/, "")]
  return fraction === "" ? whole : `${whole}.${fraction}`
}

/** 1,000.50 USD, 250,000 USD */
const money = (cents: number): string => {
  const [whole, fraction] = [grouped(Math.floor(cents / 100)), fractionOf(cents)]
  return fraction === "00" ? `${whole} USD` : `${whole}.${fraction} USD`
}

const words = (name: string | undefined): string => (name ?? "").replaceAll("_", " ")

const ranks: Partial<Record<FactName, ReadonlyArray<string>>> = {
  environment_rank: environments,
  data_classification_rank: dataClassifications,
  reversibility_rank: reversibilities,
  safeguard_weakened_rank: ["no safeguard", "a protection", "a trace"]
}

export const renderFigure = (name: FactName, value: Facts[FactName]): string => {
  const kind = factKinds[name]
  if (kind.kind === "rank" && typeof value === "number") return words(ranks[name]?.[value]) || String(value)
  if (kind.kind !== "count" || typeof value !== "number") return words(String(value))
  if (kind.unit === "US cents") return money(value)
  return kind.unit === "hundredths" ? hundredths(value) : grouped(value)
}
