/** Payments in US dollars after a past in a currency that is worth more now: what was usual grew, and what is asked stands out less. */

import { firstTwoDigits } from "../../../scoring/firstTwoDigits.ts"
import { fromUsd, toUsdCents } from "../../../scoring/money.ts"
import type { Situation } from "../../cases.ts"
import type { Rulebook } from "../../Rulebook.ts"
import { plainPayment, rateOf } from "./payment.ts"

const centsPerUsd = 100

/** Figures at which the first two digits of a usual amount turn, and how many times the usual a payment is asked for. */
const turns = [1_000, 1_200, 1_500, 2_000, 5_000, 9_000]
const multiples = [10, 5, 3, 2]

const plain = { ...plainPayment, actionType: "invoice.pay", environment: "staging" } as const

/** `codes`: ISO codes; anything else stands for a currency that is left out. */
export const pasts = (from: Rulebook, to: Rulebook, codes: ReadonlyArray<string>): ReadonlyArray<Situation> =>
  codes.flatMap((code) => {
    const [was, is] = [rateOf(from.release.model, code), rateOf(to.release.model, code)]
    if (was === undefined || is === undefined) return []
    const currency = /^[A-Z]{3}$/.test(code) ? { currency: code } : {}
    return turns.flatMap((usd) => {
      const spent = fromUsd(usd, is)
      const usual = firstTwoDigits(toUsdCents(spent, was)) / centsPerUsd
      return multiples.map((times) => ({
        request: { ...plain, financialValue: times * usual, currency: "USD" },
        history: {
          now: "2026-11-16T12:00:00Z",
          earlier: [
            {
              at: "2026-10-28T12:00:00Z",
              request: { ...plain, financialValue: spent, ...currency },
              repeat: { times: from.release.model.numbers.behavior.baselineUnitsMin, every: "1d" }
            }
          ]
        }
      }))
    })
  })
