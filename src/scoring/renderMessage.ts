/** Renders message templates and figures for people: replaces every `{fact}` by its value, and marks assumed values. */

import { type Action, dataClassifications, environments, reversibilities } from "../domain/Action.ts"
import { factKinds, type FactName, type Facts } from "./Facts.ts"
import type { Currencies } from "./Model.ts"
import { extents, impacts } from "./reading/Act.ts"

const assumedBy: Partial<Record<FactName, FactName>> = {
  entities_affected: "entities_missing",
  records_affected: "records_missing",
  financial_value_usd_cents: "financial_value_missing",
  data_classification_rank: "data_classification_missing",
  reversibility_rank: "reversibility_missing"
}

const factNames: ReadonlyMap<string, FactName> = new Map(
  Object.keys(factKinds).map((name) => [name, name as FactName])
)

/** Whether a fact's value was assumed because the field is missing. */
export const isAssumed = (name: FactName, facts: Facts): boolean => {
  const missing = assumedBy[name]
  return missing !== undefined && facts[missing] === true
}

/** `money`: the amount in the caller's currency, as text. */
const renderPlaceholder = (name: FactName, facts: Facts, money: string | undefined): string => {
  if (name === "financial_value_usd_cents" && money !== undefined) return money
  const figure = renderFigure(name, facts[name])
  if (!isAssumed(name, facts)) return figure
  return factKinds[name].kind === "rank" ? `assumed ${figure}` : `an assumed ${figure}`
}

/** Replaces every known `{fact}`. Other braces stay as they are. */
export const renderMessage = (template: string, facts: Facts, money?: string): string => {
  let rendered = ""
  let from = 0
  for (let open = template.indexOf("{"); open !== -1; open = template.indexOf("{", open + 1)) {
    const close = template.indexOf("}", open)
    if (close === -1) break
    const name = factNames.get(template.slice(open + 1, close))
    if (name === undefined) continue
    rendered += template.slice(from, open) + renderPlaceholder(name, facts, money)
    from = close + 1
  }
  return rendered + template.slice(from)
}

/** Groups digits in threes, the same in every locale, and keeps the fraction; 1.5 becomes `1.50`. */
export const grouped = (figure: number): string => {
  const [integer = "", fraction] = String(figure).split(".")
  if (!/^\d+$/.test(integer)) return String(figure)
  const whole = integer.replace(/\B(?=(?:\d{3})+$)/g, ",")
  return fraction === undefined ? whole : `${whole}.${fraction.padEnd(2, "0")}`
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
  impact_rank: impacts,
  extent_rank: extents,
  environment_rank: environments,
  data_classification_rank: dataClassifications,
  reversibility_rank: reversibilities,
  safeguard_weakened_rank: ["no safeguard", "a protection", "a trace"]
}

/** The value of a fact as text: 1,000 entities as `1,000`, 250000 cents as `2,500 USD`, a rank by its name. */
export const renderFigure = (name: FactName, value: Facts[FactName]): string => {
  const kind = factKinds[name]
  if (kind.kind === "rank" && typeof value === "number") return words(ranks[name]?.[value]) || String(value)
  if (kind.kind !== "count" || typeof value !== "number") return words(String(value))
  if (kind.unit === "US cents") return money(value)
  return kind.unit === "hundredths" ? hundredths(value) : grouped(value)
}

/** 1,500 USD; 1,500 EUR (1,742.40 USD). A code that is not in the table is not repeated. */
export const statedMoney = (
  { currency, financialValue }: Pick<Action, "currency" | "financialValue">,
  { table }: Currencies,
  usdCents: number
): string => {
  const inUsd = money(usdCents)
  if (financialValue === undefined) return `an assumed ${inUsd}`
  const code = currency?.toUpperCase()
  if (code === "USD") return `${grouped(financialValue)} USD`
  return code !== undefined && table.has(code)
    ? `${grouped(financialValue)} ${code} (${inUsd})`
    : `${grouped(financialValue)} in an unknown currency (at most ${inUsd})`
}
