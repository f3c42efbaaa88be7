/** Payments in some currencies of just as much as a threshold or an anchor asks for. */

import type { FactName } from "../../../scoring/Facts.ts"
import { fromUsd } from "../../../scoring/money.ts"
import type { Term } from "../../analysis/Term.ts"
import type { Situation } from "../../cases.ts"
import type { Rulebook } from "../../Rulebook.ts"
import { sideOf } from "../Side.ts"
import { plainPayment, rateOf } from "./payment.ts"

const fact: FactName = "financial_value_usd_cents"
const centsPerUsd = 100

const thresholds = (term: Term): ReadonlyArray<number> => {
  if (!("fact" in term)) return ("all" in term ? term.all : term.any).flatMap(thresholds)
  return term.fact === fact && "min" in term.yes && term.yes.min > 0 ? [term.yes.min / centsPerUsd] : []
}

const bends = (book: Rulebook): ReadonlyArray<number> => {
  const asked = sideOf(book).ladders.flatMap(({ rungs }) => rungs.flatMap(({ term }) => thresholds(term)))
  const anchors = book.release.model.numbers.anchors.usd.map(([x]) => x)
  return [...new Set([...asked, ...anchors])].filter((usd) => usd > 0).map(Math.ceil)
}

const actionTypes = ["invoice.pay", "crm.contacts.update"]
const environments = ["staging", "production"] as const

/** `codes`: ISO codes; anything else stands for a currency that is left out. */
export const amounts = (book: Rulebook, codes: ReadonlyArray<string>): ReadonlyArray<Situation> =>
  codes.flatMap((code) => {
    const rate = rateOf(book.release.model, code)
    const currency = /^[A-Z]{3}$/.test(code) ? { currency: code } : {}
    if (rate === undefined) return []
    return bends(book).flatMap((usd) =>
      actionTypes.flatMap((actionType) =>
        environments.flatMap((environment) =>
          [{}, plainPayment].map((statement) => ({
            request: {
              ...statement,
              actionType,
              environment,
              financialValue: fromUsd(usd, rate),
              ...currency
            }
          }))
        )
      )
    )
  })
