/** Exchange rates that changed, each by its currency: what the same amount is worth now. */

import { byCodeUnit } from "../../json/json.ts"
import type { Currency } from "../../scoring/Model.ts"
import { fromUsd } from "../../scoring/money.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { Situation } from "../cases/Situation.ts"
import { paymentsAfterHistory, probesOfNames } from "../counterexample/probeSituations.ts"
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

interface Sides {
  readonly from: Currency | undefined
  readonly to: Currency | undefined
}

const rateOf = ({ release }: Rulebook, code: string): Currency | undefined =>
  release.model.currencies.table.get(code)

const dearestOf = (book: Rulebook): string => book.release.model.currencies.dearest

const nanosOf = (currency: Currency | undefined): number => Number(currency?.usdNanos ?? 0n)

/**
 * Dearer, what is asked counts for more, and so does the past that it is held against; known or not, at whatever rate, it is
 * the same.
 */
const worth = ({ from, to }: Sides): Direction =>
  from?.exponent === to?.exponent && from?.usdNanos === to?.usdNanos ? noMove : bothWays

const rate = (currency: Currency): string => `${nanosOf(currency) / 1e9} USD`

const summaryOf = (code: string, { from, to }: Sides): string => {
  if (to === undefined) return `${code} is no longer known`
  if (from === undefined) return `${code} is known now, at ${rate(to)}`
  if (from.exponent !== to.exponent) return `${code} counts ${to.exponent} decimals, was ${from.exponent}`
  return from.usdNanos === to.usdNanos
    ? `${code} circulates otherwise than before`
    : `${code} at ${rate(to)}, was ${rate(from)}`
}

/** Around the sums at which rules and scales bend, by either rate. */
const dollars = [1_000, 9_900, 10_000, 49_000, 50_000, 99_000, 100_000, 990_000, 1_000_000]

const probes = (code: string, sides: Sides): ReadonlyArray<Situation> =>
  [sides.from, sides.to].flatMap((currency) =>
    currency === undefined
      ? []
      : dollars.flatMap((usd) =>
          probesOfNames([
            { actionType: "invoice.pay", financialValue: fromUsd(usd, currency), currency: code }
          ])
        )
  )

const rates = (from: Rulebook, to: Rulebook): ReadonlyArray<ChangeToShow> => {
  const [before, after] = [from.release.files.currencies, to.release.files.currencies]
  const codes = changedPaths(before.json, after.json).flatMap(({ path: [part, code] }) =>
    part === "currencies" && code !== undefined ? [code] : []
  )
  const dearest = worth({ from: rateOf(from, dearestOf(from)), to: rateOf(to, dearestOf(to)) })
  return [...new Set(codes)].toSorted(byCodeUnit).map((code) => {
    const sides = { from: rateOf(from, code), to: rateOf(to, code) }
    // What is taken for a missing currency moves every amount without one.
    const leads = code === dearestOf(from) || code === dearestOf(to)
    const direction = unionOfDirections([worth(sides), leads ? dearest : noMove])
    return {
      code: `currencies.${code}`,
      kind: changeKindOf(direction.rises, direction.falls),
      file: after.file,
      summary: summaryOf(code, sides),
      details: [],
      search: canMove(direction)
        ? {
            shows: showsScoreMove(direction),
            known: () => [...probes(code, sides), ...paymentsAfterHistory(from, to, [code])],
            boxes: () => []
          }
        : null
    }
  })
}

/** The date and the source of the table, which no score is made of. */
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
  ...rates(from, to)
]
