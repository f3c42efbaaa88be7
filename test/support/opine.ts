/** Opinions of the working rule files. */

import type { Action } from "../../src/domain/Action.ts"
import type { BehaviorSnapshot } from "../../src/domain/Behavior.ts"
import type { Opinion } from "../../src/domain/Opinion.ts"
import {
  type OrganizationEntry,
  prepareOrganizationCatalogue
} from "../../src/scoring/knowledge/OrganizationCatalogue.ts"
import type { Question } from "../oracle/Question.ts"
import type { Reading } from "../../src/scoring/reading/readCall.ts"
import { model } from "./draft.ts"
import { policySetOf } from "./policySetOf.ts"
import type { RiskModel } from "../../src/scoring/Model.ts"
import { score } from "../../src/scoring/score.ts"
import { scoreSummary } from "../../src/scoring/scoreSummary.ts"

/** The input of a scorer. */
export type Asked = Pick<Question, "action" | "behavior" | "policies">

export const opineAsked = ({ action, behavior, policies }: Asked): Opinion =>
  score(action, behavior, model, policySetOf(policies))

/** The opinion on a call that is already read, whatever its name says. */
export const opineAs = (
  { action, behavior, policies }: Asked,
  reading: Reading,
  rules: RiskModel = model
): Opinion => score(action, behavior, rules, policySetOf(policies), reading)

const unread = {
  by: "name",
  provider: undefined,
  verb: "act",
  object: "thing",
  takesCommand: false,
  hosted: false
} as const

const readingOf = ({ words: { elsewhere, ...words } }: Question): Reading => ({
  ...unread,
  ...words,
  ...(elsewhere === undefined ? {} : { elsewhere: elsewhere.map((one) => ({ ...unread, ...one })) })
})

/** The opinion on a random call, in the words that go with it. */
export const opineCall = (asked: Question, rules: RiskModel = model): Opinion =>
  opineAs(asked, readingOf(asked), rules)

/** Already read, or in words that the model reads itself. */
export const opineAny = (asked: Asked | Question): Opinion =>
  "words" in asked ? opineCall(asked) : opineAsked(asked)

/** Its score alone, which takes a fraction of the time. */
export const scoreCall = (asked: Question): number => {
  const { action, behavior, policies } = asked
  return scoreSummary(action, behavior, model, policySetOf(policies), readingOf(asked)).score
}

/** The opinion for an organization with these entries in its catalogue. */
export const opineKnowing = (
  { action, behavior, policies }: Asked,
  entries: ReadonlyArray<OrganizationEntry>
): Opinion =>
  score(action, behavior, model, {
    ...policySetOf(policies),
    catalogue: prepareOrganizationCatalogue(entries)
  })

const noSum = { entities: 0, usdCents: 0 }

/** An organization without any history. */
export const noHistory: BehaviorSnapshot = {
  takenAt: "2026-11-22T00:00:00.000Z",
  windowDays: 30,
  sampleSize: 0,
  entityVolume: { units: 0, median: null },
  financialValue: { units: 0, medianUsdCents: null },
  velocity: { lastHour: 1, p95PerHour: null, days: 0, hours: 0 },
  destination: null,
  actionTypeSeen: false,
  agentSeen: false,
  last24Hours: noSum,
  otherSums: { destination: null, organization: noSum },
  usualDay: { days: 0, ...noSum },
  today: { units: 0, actionTypeSeen: false, destinationSeen: false }
}

type DestinationHistory = NonNullable<BehaviorSnapshot["destination"]>

const seenDaily = {
  days: 30,
  firstSeenHours: 700,
  largestEntities: 100_000,
  largestUsdCents: 1_000_000_000,
  lookalike: false
}
const seenNever = { days: 0, firstSeenHours: 0, largestEntities: 0, largestUsdCents: 0, lookalike: false }

/** Histories that a destination can have. */
export const destinations = {
  established: seenDaily,
  novel: seenNever,
  lookalike: { ...seenNever, lookalike: true },
  warmedUp: { ...seenNever, days: 1, firstSeenHours: 1, largestEntities: 1, largestUsdCents: 1 }
} as const satisfies Record<string, DestinationHistory>

/** The opinion on a call of an organization that knows the agent and the type of action. */
export const opinionOn = (action: Action, destination: DestinationHistory | null = null): Opinion =>
  opineAsked({
    action,
    behavior: { ...noHistory, sampleSize: 50, actionTypeSeen: true, agentSeen: true, destination },
    policies: []
  })

/** The opinion on a call of an organization without history. */
export const firstOpinionOn = (action: Action): Opinion =>
  opineAsked({ action, behavior: noHistory, policies: [] })
