/** Generated situations to try first: probes of every class, and payments after a history in a changed currency. */

import type { Currencies, Currency } from "../../scoring/Model.ts"
import { firstTwoDigits } from "../../scoring/arithmetic.ts"
import { firstModelOf } from "../../scoring/edition1/edition.ts"
import type { Lexicon } from "../../scoring/edition1/lexicon/Lexicon.ts"
import { centsPerUsd, fromUsd, toUsdCents } from "../../scoring/money.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { Situation } from "../cases/Situation.ts"
import { spellingsOf } from "./spellings.ts"
import type { SituationRequest } from "./statements.ts"

type Statement = Partial<SituationRequest>

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

/** Each name with every statement, in each of three environments. */
export const probesOfNames = (
  names: ReadonlyArray<Statement & Pick<SituationRequest, "actionType">>
): ReadonlyArray<Situation> =>
  names.flatMap((name) =>
    (["staging", "production", "development"] as const).flatMap((environment) =>
      statements.map((statement) => ({ request: { ...statement, ...name, environment } }))
    )
  )

const probesByLexicon = new WeakMap<Lexicon, ReadonlyArray<Situation>>()

/** Probes of the names without a target: each class and extent once. Equal lexicons give the same objects, so that scores of them are remembered. */
export const probesOfLexicon = (lexicon: Lexicon): ReadonlyArray<Situation> => {
  const plain = spellingsOf(lexicon, { not: [] }).filter(
    ({ names }) => names.targetResource === undefined && names.targetSystem === undefined
  )
  const probes = probesByLexicon.get(lexicon) ?? probesOfNames(plain.map(({ names }) => names))
  probesByLexicon.set(lexicon, probes)
  return probes
}

/** A small payment without its action, environment and amount. */
export const plainPayment = {
  agentId: "agent-7",
  entitiesAffected: 1,
  recordsAffected: 1,
  dataClassification: "public",
  reversibility: "mostly_reversible",
  privilegeChange: false,
  productionImpact: false
} as const

/** The rate of a currency. An unknown currency, or a missing one, counts as the dearest. */
export const rateOf = ({ dearest, table }: Currencies, code: string): Currency | undefined =>
  table.get(code) ?? table.get(dearest)

/** US dollars near which the first two digits of a usual amount change. */
const roundingPoints = [1_000, 1_200, 1_500, 2_000, 5_000, 9_000]
/** How many times the usual amount the payment is. */
const timesUsual = [10, 5, 3, 2]

const plainInvoice = { ...plainPayment, actionType: "invoice.pay", environment: "staging" } as const

/**
 * A payment in US dollars after earlier payments in each of the currencies.
 * `codes`: ISO codes; any other text means that the earlier payments name no currency.
 */
export const paymentsAfterHistory = (
  from: Rulebook,
  to: Rulebook,
  codes: ReadonlyArray<string>
): ReadonlyArray<Situation> =>
  codes.flatMap((code) => {
    const [was, is] = [
      rateOf(firstModelOf(from.release).currencies, code),
      rateOf(firstModelOf(to.release).currencies, code)
    ]
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
              repeat: { times: firstModelOf(from.release).numbers.behavior.baselineUnitsMin, every: "1d" }
            }
          ]
        }
      }))
    })
  })
