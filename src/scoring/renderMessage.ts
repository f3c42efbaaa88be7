/** Renders a factor's message: placeholders become figures of the evaluation, and assumed ones say so. */

import { dataClassifications, environments, reversibilities } from "../domain/Action.ts"
import { facts as factKinds, type FactName, type Facts } from "./Facts.ts"

const placeholder = /\{([a-z0-9_]+)\}/g

/** Thousands separated by commas, whatever the locale. */
const grouped = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+(?!\d))/g, ",")

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
  reversibility_rank: reversibilities
}

const assumedBy: Partial<Record<FactName, FactName>> = {
  entities_affected: "entities_missing",
  records_affected: "records_missing",
  financial_value_usd_cents: "financial_value_missing",
  data_classification_rank: "data_classification_missing",
  reversibility_rank: "reversibility_missing"
}

const render = (name: FactName, facts: Facts): string => {
  const value = facts[name]
  const kind = factKinds[name]
  if (kind.kind === "rank" && typeof value === "number") return words(ranks[name]?.[value]) || String(value)
  if (kind.kind !== "count" || typeof value !== "number") return words(String(value))
  if (kind.unit === "US cents") return money(value)
  return kind.unit === "hundredths" ? hundredths(value) : grouped(value)
}

const isFact = (name: string): name is FactName => Object.hasOwn(factKinds, name)

export const renderMessage = (template: string, facts: Facts): string =>
  template.replace(placeholder, (whole, name: string) => {
    if (!isFact(name)) return whole
    const missing = assumedBy[name]
    const assumed = missing !== undefined && facts[missing] === true
    return assumed ? `an assumed ${render(name, facts)}` : render(name, facts)
  })
