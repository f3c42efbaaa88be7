/** Requests after a past that two ways of reading history tell apart. */

import type { Situation } from "../../cases.ts"
import type { Numbers } from "../../../scoring/Model.ts"
import type { Rulebook } from "../../Rulebook.ts"

type Request = Situation["request"]
type Earlier = NonNullable<Situation["history"]>["earlier"]

const dayMs = 86_400_000
const hourMs = 3_600_000
const nowMs = Date.parse("2026-11-16T12:00:00Z")

const at = (ms: number): string => new Date(nowMs - ms).toISOString().replace(".000Z", "Z")

const plain = {
  agentId: "agent-7",
  environment: "staging",
  entitiesAffected: 1,
  recordsAffected: 1,
  financialValue: 0,
  dataClassification: "public",
  reversibility: "mostly_reversible",
  privilegeChange: false,
  productionImpact: false
} as const

const actionTypes = ["email.send", "report.export", "crm.contacts.update", "invoice.pay"]
const destination = "partner.example"
const lookalike = "partner.exarnple"

const after = (request: Request, earlier: Earlier): Situation => ({
  request,
  history: { now: at(0), earlier }
})

/** At the far edge of the window: of the same type beside a recent other one, and of another type alone. */
const atTheEdge = (request: Request, days: number): ReadonlyArray<Situation> => {
  const old = at(days * dayMs - dayMs / 2)
  const other: Request = { ...request, actionType: "report.get", agentId: "agent-1" }
  return [
    after(request, [
      { at: old, request },
      { at: at(7 * dayMs), request: other }
    ]),
    after(request, [{ at: old, request: other }])
  ]
}

/** To the destination itself, or to one that looks like it, on just so many days. */
const onDays = (request: Request, days: number): ReadonlyArray<Situation> =>
  [destination, lookalike].map((place) =>
    after({ ...request, destination }, [
      {
        at: at((days + 5) * dayMs),
        request: { ...request, destination: place },
        repeat: { times: days, every: "1d" }
      }
    ])
  )

/** Over days in a few hours, so that hours decide. */
const inHours = (request: Request, hours: number, days: number): ReadonlyArray<Situation> =>
  [destination, lookalike].map((place) =>
    after(
      { ...request, destination },
      Array.from({ length: days }, (_, i) => ({
        at: at(Math.max(1, hours - i * Math.floor(hours / days)) * hourMs),
        request: { ...request, destination: place }
      }))
    )
  )

/** Figures on both sides of every step, and what others of the day add to reach it. */
const inSums = (
  request: Request,
  starts: ReadonlyArray<number>,
  field: "entitiesAffected" | "financialValue"
) =>
  starts.flatMap((start) =>
    starts
      .flatMap((own) => [1, own - 1, own])
      .filter((own) => own > 0 && own < start)
      .map((own) =>
        after({ ...request, currency: "USD", recordsAffected: own, [field]: own }, [
          {
            at: at(6 * hourMs),
            request: { ...request, currency: "USD", recordsAffected: start - own, [field]: start - own }
          }
        ])
      )
  )

const both = (from: Rulebook, to: Rulebook, of: (numbers: Numbers) => ReadonlyArray<number>) => [
  ...new Set([from, to].flatMap(({ release }) => of(release.model.numbers)))
]

export const histories = (from: Rulebook, to: Rulebook): ReadonlyArray<Situation> => {
  const windows = both(from, to, ({ behavior }) => [behavior.windowDays])
  const days = both(from, to, ({ behavior }) => [behavior.establishedDaysMin])
  const hours = both(from, to, ({ behavior }) => [behavior.establishedHoursMin])
  const entities = both(from, to, ({ cumulativeSteps }) => cumulativeSteps.entities)
  const usd = both(from, to, ({ cumulativeSteps }) => cumulativeSteps.usd)
  return actionTypes.flatMap((actionType) => {
    const request = { ...plain, actionType }
    return [
      ...windows.flatMap((window) => atTheEdge(request, window)),
      ...days.flatMap((count) => onDays(request, count)),
      ...hours.flatMap((span) => days.flatMap((count) => inHours(request, span, count))),
      ...inSums(request, entities, "entitiesAffected"),
      ...inSums(request, usd, "financialValue")
    ]
  })
}
