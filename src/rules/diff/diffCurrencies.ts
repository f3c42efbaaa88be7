/** Changed exchange rates, one change per currency. */

import { Result } from "effect"
import { byCodeUnit } from "../../json/json.ts"
import type { Currencies, Currency } from "../../scoring/Model.ts"
import { fromUsd } from "../../scoring/money.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { Situation } from "../cases/Situation.ts"
import { paymentsAfterHistory, probesOfNames } from "../counterexample/probeSituations.ts"
import { CurrenciesFile, toCurrencies } from "../files/CurrenciesFile.ts"
import { decodeFile } from "../files/decodeFile.ts"
import {
  bothWays,
  canMove,
  changeKindOf,
  type ChangeToShow,
  type Direction,
  noMove,
  showsScoreMove,
  unionOfDirections
} from "./Diff.ts"
import { changedPaths } from "./changedPaths.ts"

/** One currency in both rulebooks. */
interface CurrencyPair {
  readonly from: Currency | undefined
  readonly to: Currency | undefined
}

/** Cannot fail: the rulebook was built from this file. */
const currenciesOf = ({ release }: Rulebook): Currencies =>
  toCurrencies(Result.getOrThrow(decodeFile(CurrenciesFile, release.files.currencies)))

const nanosOf = (currency: Currency | undefined): number => Number(currency?.usdNanos ?? 0n)

/**
 * Any change of a rate can move scores in both directions. At a higher rate the request counts for more, but so does the history that it is
 * compared with. The same holds for a currency that becomes known or unknown.
 */
const worth = ({ from, to }: CurrencyPair): Direction =>
  from?.exponent === to?.exponent && from?.usdNanos === to?.usdNanos ? noMove : bothWays

const rateText = (currency: Currency): string => `${nanosOf(currency) / 1e9} USD`

const summaryOf = (code: string, { from, to }: CurrencyPair): string => {
  if (to === undefined) return `${code} is no longer known`
  if (from === undefined) return `${code} is known now, at ${rateText(to)}`
  if (from.exponent !== to.exponent) return `${code} counts ${to.exponent} decimals, was ${from.exponent}`
  return from.usdNanos === to.usdNanos
    ? `${code} changed its dates of circulation`
    : `${code} at ${rateText(to)}, was ${rateText(from)}`
}

/** Amounts in US dollars near the thresholds of rules and the anchors of the scale. */
const dollars = [1_000, 9_900, 10_000, 49_000, 50_000, 99_000, 100_000, 990_000, 1_000_000]

/** A payment of each amount, converted at either rulebook's rate. */
const probes = (code: string, pair: CurrencyPair): ReadonlyArray<Situation> =>
  [pair.from, pair.to].flatMap((currency) =>
    currency === undefined
      ? []
      : dollars.flatMap((usd) =>
          probesOfNames([
            { actionType: "invoice.pay", financialValue: fromUsd(usd, currency), currency: code }
          ])
        )
  )

const changedRates = (from: Rulebook, to: Rulebook): ReadonlyArray<ChangeToShow> => {
  const [before, after] = [from.release.files.currencies, to.release.files.currencies]
  const codes = changedPaths(before.json, after.json).flatMap(({ path: [part, code] }) =>
    part === "currencies" && code !== undefined ? [code] : []
  )
  const [was, is] = [currenciesOf(from), currenciesOf(to)]
  const dearest = worth({ from: was.table.get(was.dearest), to: is.table.get(is.dearest) })
  return [...new Set(codes)].toSorted(byCodeUnit).map((code) => {
    const pair = { from: was.table.get(code), to: is.table.get(code) }
    // An amount without a currency counts in the dearest one.
    const isDearest = code === was.dearest || code === is.dearest
    const direction = unionOfDirections([worth(pair), isDearest ? dearest : noMove])
    return {
      code: `currencies.${code}`,
      kind: changeKindOf(direction.rises, direction.falls),
      file: after.file,
      summary: summaryOf(code, pair),
      details: [],
      search: canMove(direction)
        ? {
            shows: showsScoreMove,
            known: () => [...probes(code, pair), ...paymentsAfterHistory(was, is, [code])],
            boxes: () => []
          }
        : null
    }
  })
}

/** The date and the source of the table, which no score uses. */
const origin = (from: Rulebook, to: Rulebook): ReadonlyArray<ChangeToShow> => {
  const [before, after] = [from.release.files.currencies, to.release.files.currencies]
  const details = changedPaths(before.json, after.json)
    .filter(({ path }) => path[0] !== "currencies")
    .map((changed) => `${changed.path.join(".")} ${String(changed.to)}, was ${String(changed.from)}`)
  if (details.length === 0) return []
  return [
    { code: "currencies", kind: "text", file: after.file, summary: details.join("; "), details, search: null }
  ]
}

export const diffCurrencies = (from: Rulebook, to: Rulebook): ReadonlyArray<ChangeToShow> => [
  ...origin(from, to),
  ...changedRates(from, to)
]
