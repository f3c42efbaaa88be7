/** The figures of messages: money in the caller's currency, and a word wherever a value was assumed. */

import type { Action } from "../../domain/Action.ts"
import type { RiskFactor } from "../../domain/Opinion.ts"
import type { Facts } from "../Facts.ts"
import type { Currencies } from "../Model.ts"
import { renderFigure, renderMessage } from "../renderMessage.ts"

/** Digits in groups of three, the fraction as it is; 1.5 as `1.50`. */
export const grouped = (figure: number): string => {
  const [integer = "", fraction] = String(figure).split(".")
  if (!/^\d+$/.test(integer)) return String(figure)
  const whole = integer.replace(/\B(?=(?:\d{3})+$)/g, ",")
  return fraction === undefined ? whole : `${whole}.${fraction.padEnd(2, "0")}`
}

/** 1,500 USD; 1,500 EUR (1,742.40 USD). A code that the table lacks is not repeated. */
export const statedMoney = (
  { currency, financialValue }: Pick<Action, "currency" | "financialValue">,
  { table }: Currencies,
  usdCents: number
): string => {
  const inUsd = renderFigure("financial_value_usd_cents", usdCents)
  if (financialValue === undefined) return `an assumed ${inUsd}`
  const code = currency?.toUpperCase()
  if (code === "USD") return `${grouped(financialValue)} USD`
  const known = code !== undefined && table.has(code)
  return known
    ? `${grouped(financialValue)} ${code} (${inUsd})`
    : `${grouped(financialValue)} in an unknown currency (at most ${inUsd})`
}

/** In their order, but those with such a code last. */
export const toldLast = (
  factors: ReadonlyArray<RiskFactor>,
  codes: ReadonlyArray<string>
): ReadonlyArray<RiskFactor> =>
  factors.toSorted((a, b) => Number(codes.includes(a.code)) - Number(codes.includes(b.code)))

const moneyPlace = "{financial_value_usd_cents}"
const rankPlaces = [
  ["{data_classification_rank}", "data_classification_missing", "data_classification_rank"],
  ["{reversibility_rank}", "reversibility_missing", "reversibility_rank"]
] as const

/** A template with the figures of the facts. `money` stands for the amount. */
export const wordMessage = (template: string, facts: Facts, money: string): string => {
  if (!template.includes("{")) return template
  let filled = template
  for (const [place, missing, rank] of rankPlaces) {
    if (facts[missing]) filled = filled.replaceAll(place, `assumed ${renderFigure(rank, facts[rank])}`)
  }
  if (!filled.includes(moneyPlace)) return renderMessage(filled, facts)
  return filled
    .split(moneyPlace)
    .map((part) => renderMessage(part, facts))
    .join(money)
}
