/** Generated situations to try first: probes of every class, and payments after a history in a changed currency. */

import type { Currency, Model } from "../../scoring/Model.ts"
import { firstTwoDigits } from "../../scoring/arithmetic.ts"
import type { Lexicon } from "../../scoring/lexicon/Lexicon.ts"
import { centsPerUsd, fromUsd, toUsdCents } from "../../scoring/money.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { Situation } from "../cases/Situation.ts"
import { spellingsOf } from "./spellings.ts"

type Request = Situation["request"]
type Statement = Partial<Request>

const identified = { agentId: "agent-7", currency: "USD" }
const withoutImpact = { privilegeChange: false, productionImpact: false }

const smallStatement: Statement = {
  ...identified,
  ...withoutImpact,
  entitiesAffected: 1,
  recordsAffected: 1,
  financialValue: 0,
  dataClassification: "public"
}

const mediumStatement: Statement = {
  ...identified,
  ...withoutImpact,
  entitiesAffected: 300,
  recordsAffected: 3_000,
  financialValue: 30_000,
  dataClassification: "confidential",
  reversibility: "partially_reversible"
}

const severeStatement: Statement = {
  ...identified,
  entitiesAffected: 20_000,
  recordsAffected: 200_000,
  financialValue: 300_000,
  dataClassification: "restricted",
  reversibility: "irreversible",
  privilegeChange: true,
  productionImpact: true
}

const statements: ReadonlyArray<Statement> = [{}, smallStatement, mediumStatement, severeStatement]

/** The names in every environment that scores otherwise, with every statement. */
export const probesOfNames = (
  names: ReadonlyArray<Statement & Pick<Request, "actionType">>
): ReadonlyArray<Situation> =>
  names.flatMap((name) =>
    (["staging", "production", "development"] as const).flatMap((environment) =>
      statements.map((statement) => ({ request: { ...statement, ...name, environment } }))
    )
  )

const probesByLexicon = new WeakMap<Lexicon, ReadonlyArray<Situation>>()

/** By what is aimed at nothing in particular, each class and extent once; the same situations every time. */
export const probesOfLexicon = (lexicon: Lexicon): ReadonlyArray<Situation> => {
  const plain = spellingsOf(lexicon, { not: [] }).filter(
    ({ names }) => names.targetResource === undefined && names.targetSystem === undefined
  )
  const probes = probesByLexicon.get(lexicon) ?? probesOfNames(plain.map(({ names }) => names))
  probesByLexicon.set(lexicon, probes)
  return probes
}

/**
 * What payments made up for a proof have in common, and what a unit of a currency is worth to them.
 * Everything but the action, the place and the money.
 */
export const plainPayment = {
  agentId: "agent-7",
  entitiesAffected: 1,
  recordsAffected: 1,
  dataClassification: "public",
  reversibility: "mostly_reversible",
  privilegeChange: false,
  productionImpact: false
} as const

/** A currency that the table does not know counts as the dearest. */
export const rateOf = ({ currencies: { dearest, table } }: Model, code: string): Currency | undefined =>
  table.get(code) ?? table.get(dearest)

/** Figures at which the first two digits of a usual amount turn, and how many times the usual a payment is asked for. */
const roundingPoints = [1_000, 1_200, 1_500, 2_000, 5_000, 9_000]
const timesUsual = [10, 5, 3, 2]

const plainInvoice = { ...plainPayment, actionType: "invoice.pay", environment: "staging" } as const

/** `codes`: ISO codes; anything else stands for a currency that is left out. */
export const paymentsAfterHistory = (
  from: Rulebook,
  to: Rulebook,
  codes: ReadonlyArray<string>
): ReadonlyArray<Situation> =>
  codes.flatMap((code) => {
    const [was, is] = [rateOf(from.release.model, code), rateOf(to.release.model, code)]
    if (was === undefined || is === undefined) return []
    const currency = /^[A-Z]{3}$/.test(code) ? { currency: code } : {}
    return roundingPoints.flatMap((usd) => {
      const spent = fromUsd(usd, is)
      const usual = firstTwoDigits(toUsdCents(spent, was)) / centsPerUsd
      return timesUsual.map((times) => ({
        request: { ...plainInvoice, financialValue: times * usual, currency: "USD" },
        history: {
          now: "2026-11-16T12:00:00Z",
          earlier: [
            {
              at: "2026-10-28T12:00:00Z",
              request: { ...plainInvoice, financialValue: spent, ...currency },
              repeat: { times: from.release.model.numbers.behavior.baselineUnitsMin, every: "1d" }
            }
          ]
        }
      }))
    })
  })
