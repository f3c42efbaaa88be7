/** Generated situations to try first: probes of every class, and payments after a history in a changed currency. */

import type { Currencies, Currency } from "../../scoring/Model.ts"
import { firstTwoDigits } from "../../scoring/arithmetic.ts"
import { centsPerUsd, fromUsd, toUsdCents } from "../../scoring/money.ts"
import type { Lexicon } from "../../scoring/reading/callArguments.ts"
import type { Situation } from "../cases/Situation.ts"
import { type Spelling, spellingsOf } from "./spellings.ts"
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

/** Each name combined with every statement, in three environments. */
export const probesOfNames = (
  names: ReadonlyArray<Statement & Pick<SituationRequest, "actionType">>
): ReadonlyArray<Situation> =>
  names.flatMap((name) =>
    (["staging", "production", "development"] as const).flatMap((environment) =>
      statements.map((statement) => ({ request: { ...statement, ...name, environment } }))
    )
  )

/** The traits of a probe, which combine its class with each other property. A probe is kept if it has a trait that no earlier one has. */
const traitsOf = ({ names, reading }: Spelling): ReadonlyArray<string> => {
  const { anywhere, extent, holds, impact, kind, reversibility, soft, weakens } = reading
  const targeted = names.targetResource !== undefined
  return [
    `${impact} ${targeted}`,
    extent,
    holds,
    `soft ${soft}`,
    `weakens ${weakens}`,
    `anywhere ${anywhere}`
  ]
    .map((trait) => `${reading.class} ${trait}`)
    .concat(`kind ${kind}`, `reversibility ${reversibility ?? "of the class"}`)
}

const probesByLexicon = new WeakMap<Lexicon, ReadonlyArray<Situation>>()

/**
 * Probes of every class with every impact, extent and content, and of every kind of object: one name each. Equal lexicons return the same
 * objects, so that their scores can be memoized.
 */
export const probesOfLexicon = (lexicon: Lexicon): ReadonlyArray<Situation> => {
  const known = probesByLexicon.get(lexicon)
  if (known !== undefined) return known
  const seen = new Set<string>()
  const plain = spellingsOf(lexicon, { not: [] }).filter((spelling) => {
    const fresh = traitsOf(spelling).filter((trait) => !seen.has(trait))
    for (const trait of fresh) seen.add(trait)
    return fresh.length > 0
  })
  const probes = probesOfNames(plain.map(({ names }) => names))
  probesByLexicon.set(lexicon, probes)
  return probes
}

/** A small payment, still without its action, environment and amount. */
export const plainPayment = {
  agentId: "agent-7",
  entitiesAffected: 1,
  recordsAffected: 1,
  dataClassification: "public",
  reversibility: "mostly_reversible",
  privilegeChange: false,
  productionImpact: false
} as const

/** The rate of a currency. An unknown or missing currency counts as the dearest. */
export const rateOf = ({ dearest, table }: Currencies, code: string): Currency | undefined =>
  table.get(code) ?? table.get(dearest)

/** Amounts in US dollars near which the first two digits of a usual amount change. */
const roundingPoints = [1_000, 1_200, 1_500, 2_000, 5_000, 9_000]
/** The payment as a multiple of the usual amount. */
const timesUsual = [10, 5, 3, 2]

const plainInvoice = { ...plainPayment, actionType: "invoice.pay", environment: "staging" } as const

/** Enough for any baseline, but fewer than a window has days. */
const earlierPayments = 12

/**
 * A payment in US dollars after earlier payments in each of the currencies. `codes`: ISO codes; any other text means that the earlier
 * payments state no currency.
 */
export const paymentsAfterHistory = (
  from: Currencies,
  to: Currencies,
  codes: ReadonlyArray<string>
): ReadonlyArray<Situation> =>
  codes.flatMap((code) => {
    const [was, is] = [rateOf(from, code), rateOf(to, code)]
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
              repeat: { times: earlierPayments, every: "1d" }
            }
          ]
        }
      }))
    })
  })
