/** Candidate requests for a difference that the search cannot decide: those most likely to score lower. */

import { dayMs, hourMs } from "../../domain/Day.ts"
import type { FactName } from "../../scoring/Facts.ts"
import type { Numbers } from "../../scoring/Numbers.ts"
import { centsPerUsd, fromUsd } from "../../scoring/money.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { Term } from "../analysis/Term.ts"
import type { Situation } from "../cases/Situation.ts"
import {
  paymentsAfterHistory,
  plainPayment,
  probesOfLexicon,
  rateOf
} from "../counterexample/probeSituations.ts"
import { spellingsOf } from "../counterexample/spellings.ts"
import type { SituationRequest } from "../counterexample/statements.ts"
import { sideOf } from "./Side.ts"
import type { RiskModel } from "../../scoring/Model.ts"
import { instantBefore, lookalikeDestination, witnessDestination } from "../counterexample/buildHistory.ts"

const currencyCodes = (unproven: ReadonlyArray<string>): ReadonlyArray<string> =>
  unproven.flatMap((code) => (code.startsWith("currencies.") ? [code.slice("currencies.".length)] : []))

const isAbout = (unproven: ReadonlyArray<string>, parts: ReadonlyArray<string>): boolean =>
  unproven.some((code) => parts.some((part) => code.startsWith(`ruleset.${part}`)))

/** A factor may rest on an assumption, so its candidates must omit fields. */
const isFactor = (code: string): boolean => /^[A-Z]/.test(code)

/** Lazy: usually one of the first few shows the difference. */
export function* candidates(
  from: Rulebook,
  to: Rulebook,
  unproven: ReadonlyArray<string>
): Generator<Situation> {
  yield* probesOfLexicon(from.release.model.lexicon)
  yield* amountCandidates(from, currencyCodes(unproven))
  const [was, is] = [from.release.model.currencies, to.release.model.currencies]
  yield* paymentsAfterHistory(was, is, currencyCodes(unproven))
  if (isAbout(unproven, ["behavior", "cumulative_steps"])) yield* historyCandidates(from, to)
  if (isAbout(unproven, ["classes", "extents"]) || unproven.some(isFactor)) {
    yield* omissions(from.release.model, isAbout(unproven, ["extents"]))
  }
}

const usdFact: FactName = "financial_value_usd_cents"

const usdThresholds = (term: Term): ReadonlyArray<number> => {
  if (!("fact" in term)) return ("all" in term ? term.all : term.any).flatMap(usdThresholds)
  return term.fact === usdFact && "min" in term.yes && term.yes.min > 0 ? [term.yes.min / centsPerUsd] : []
}

const breakpoints = (book: Rulebook): ReadonlyArray<number> => {
  const ofRules = sideOf(book).groups.flatMap(({ tiers }) => tiers.flatMap(({ term }) => usdThresholds(term)))
  const anchors = book.release.model.numbers.anchors.usd.map(([x]) => x)
  return [...new Set([...ofRules, ...anchors])].filter((usd) => usd > 0).map(Math.ceil)
}

const paymentActionTypes = ["invoice.pay", "crm.contacts.update"]
const paymentEnvironments = ["staging", "production"] as const

/**
 * Payments in each currency of exactly the amount of a threshold or an anchor. `codes`: ISO codes; any other text means that the payment
 * states no currency.
 */
const amountCandidates = (book: Rulebook, codes: ReadonlyArray<string>): ReadonlyArray<Situation> =>
  codes.flatMap((code) => {
    const rate = rateOf(book.release.model.currencies, code)
    const currency = /^[A-Z]{3}$/.test(code) ? { currency: code } : {}
    if (rate === undefined) return []
    return breakpoints(book).flatMap((usd) =>
      paymentActionTypes.flatMap((actionType) =>
        paymentEnvironments.flatMap((environment) =>
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

type Earlier = NonNullable<Situation["history"]>["earlier"]

const plainRequest = { ...plainPayment, environment: "staging", financialValue: 0 } as const
const historyActionTypes = ["gmail.send", "report.export", "crm.contacts.update", "invoice.pay"]
const afterHistory = (request: SituationRequest, earlier: Earlier): Situation => ({
  request,
  history: { now: instantBefore(0), earlier }
})

/** Two histories at the far edge of the window: one with the same action type and a recent other one, one with only another type. */
const atTheEdge = (request: SituationRequest, days: number): ReadonlyArray<Situation> => {
  const old = instantBefore(days * dayMs - dayMs / 2)
  const other: SituationRequest = { ...request, actionType: "ticket.create", agentId: "agent-1" }
  return [
    afterHistory(request, [
      { at: old, request },
      { at: instantBefore(7 * dayMs), request: other }
    ]),
    afterHistory(request, [{ at: old, request: other }])
  ]
}

/** Earlier actions to the destination itself, or to a lookalike, on exactly this many days. */
const onDays = (request: SituationRequest, days: number): ReadonlyArray<Situation> =>
  [witnessDestination, lookalikeDestination].map((destination) =>
    afterHistory({ ...request, destination: witnessDestination }, [
      {
        at: instantBefore((days + 5) * dayMs),
        request: { ...request, destination },
        repeat: { times: days, every: "1d" }
      }
    ])
  )

/** Earlier actions spread over exactly this many hours on this many days, so that the number of hours decides. */
const inHours = (request: SituationRequest, hours: number, days: number): ReadonlyArray<Situation> =>
  [witnessDestination, lookalikeDestination].map((destination) =>
    afterHistory(
      { ...request, destination: witnessDestination },
      Array.from({ length: days }, (_, i) => ({
        at: instantBefore(Math.max(1, hours - i * Math.floor(hours / days)) * hourMs),
        request: { ...request, destination }
      }))
    )
  )

/** Amounts on both sides of every cumulative step, after an action on the same day that adds what is missing to the step. */
const aroundSteps = (
  request: SituationRequest,
  starts: ReadonlyArray<number>,
  field: "entitiesAffected" | "financialValue"
) =>
  starts.flatMap((start) =>
    starts
      .flatMap((own) => [1, own - 1, own])
      .filter((own) => own > 0 && own < start)
      .map((own) =>
        afterHistory({ ...request, currency: "USD", recordsAffected: own, [field]: own }, [
          {
            at: instantBefore(6 * hourMs),
            request: { ...request, currency: "USD", recordsAffected: start - own, [field]: start - own }
          }
        ])
      )
  )

const valuesOfBoth = (from: Rulebook, to: Rulebook, of: (numbers: Numbers) => ReadonlyArray<number>) => [
  ...new Set([from, to].flatMap(({ release }) => of(release.model.numbers)))
]

const historyCandidates = (from: Rulebook, to: Rulebook): ReadonlyArray<Situation> => {
  const windows = valuesOfBoth(from, to, ({ behavior }) => [behavior.windowDays])
  const days = valuesOfBoth(from, to, ({ behavior }) => [behavior.establishedDaysMin])
  const hours = valuesOfBoth(from, to, ({ behavior }) => [behavior.establishedHoursMin])
  const entities = valuesOfBoth(from, to, ({ cumulativeSteps }) => cumulativeSteps.entities)
  const usd = valuesOfBoth(from, to, ({ cumulativeSteps }) => cumulativeSteps.usd)
  return historyActionTypes.flatMap((actionType) => {
    const request = { ...plainRequest, actionType }
    return [
      ...windows.flatMap((window) => atTheEdge(request, window)),
      ...days.flatMap((count) => onDays(request, count)),
      ...hours.flatMap((span) => days.flatMap((count) => inHours(request, span, count))),
      ...aroundSteps(request, entities, "entitiesAffected"),
      ...aroundSteps(request, usd, "financialValue")
    ]
  })
}

/** A small request that states every field. Fields are omitted in this order. */
const smallRequest: Partial<SituationRequest> = {
  agentId: "agent-7",
  entitiesAffected: 1,
  recordsAffected: 1,
  financialValue: 0,
  dataClassification: "public",
  reversibility: "fully_reversible",
  privilegeChange: false,
  productionImpact: false,
  destination: "partner.example"
}

const withoutFields = (omitted: ReadonlyArray<string>): Partial<SituationRequest> =>
  Object.fromEntries(Object.entries(smallRequest).filter(([field]) => !omitted.includes(field)))

const fields = Object.keys(smallRequest)

/** Without each field, then without each pair of fields. */
const statements: ReadonlyArray<Partial<SituationRequest>> = [
  ...fields.map((field) => withoutFields([field])),
  ...fields.flatMap((one, i) => fields.slice(i + 1).map((other) => withoutFields([one, other])))
]

/**
 * Requests with one or two fields omitted, so that the assumed values decide. One name per class and impact, and per extent if requested.
 */
const omissions = ({ lexicon }: RiskModel, ofExtents: boolean): ReadonlyArray<Situation> => {
  const named = new Map(
    spellingsOf(lexicon, { not: [] })
      .filter(
        ({ names, reading }) =>
          names.targetResource === undefined &&
          names.actionDescription === undefined &&
          !reading.admin &&
          !reading.credential
      )
      .toReversed()
      .map(({ names, reading }) => [
        `${reading.class} ${reading.impact} ${ofExtents ? reading.extent : ""}`,
        names
      ])
  )
  return statements.flatMap((statement) =>
    [...named.values()].flatMap((names) =>
      (["staging", "production"] as const).map((environment) => ({
        request: { ...statement, ...names, environment }
      }))
    )
  )
}
