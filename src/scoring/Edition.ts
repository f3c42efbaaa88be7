/** An edition of the score: a rule release that is ready to score, and all that the rest of the program may ask of it. */

import type { Action, ActionCategory, ActionClass } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import { isoDay } from "../domain/Day.ts"
import type { ActionRiskLevel, ControlType, Opinion, RiskFactor } from "../domain/Opinion.ts"
import type { Facts } from "./Facts.ts"
import type { HistoryRecord } from "./HistoryRecord.ts"
import type { PolicySet, RuleMatches } from "./Model.ts"
import type { OrganizationCatalogue } from "./knowledge/OrganizationCatalogue.ts"

/**
 * Both editions have this shape, so that no caller has to know which of them a release is of. `score` and `summarize` are
 * synchronous and deterministic: equal arguments give equal results on every machine.
 */
export interface Edition {
  readonly number: 1 | 2
  /** Version of the rule release. */
  readonly version: string
  /** SHA-256 of the rule release, hex. */
  readonly digest: string
  /** Version of the scoring code. It rises whenever the same request, history and rules could score differently. */
  readonly engineVersion: string
  readonly baseline: BaselineSettings
  readonly match: (facts: Facts) => RuleMatches
  /** The same release with other matches: to record the facts that a score asks about, or to change a rule. */
  readonly withMatch: (match: (facts: Facts) => RuleMatches) => Edition
  readonly read: (action: Action) => CallWords
  /** Invariant: equal for two actions only if `read` gives the same for both. */
  readonly wordsKey: (action: Action) => string
  /** `words`: what `read` gives for this action, for callers that have it already. So in the next two. */
  /** `known`: the catalogue of the organization, and the day (ISO date) of the assessment. */
  readonly historyRecord: (action: Action, words?: CallWords, known?: Knowledge) => HistoryRecord
  readonly score: (action: Action, behavior: Behavior, policies: PolicySet, words?: CallWords) => Opinion
  readonly summarize: (
    action: Action,
    behavior: Behavior,
    policies: PolicySet,
    words?: CallWords
  ) => SureSummary
}

/** The catalogue of an organization on a day. */
export interface Knowledge {
  readonly catalogue: OrganizationCatalogue | undefined
  /** ISO date of the assessment. Undefined: unknown, and no entry counts as expired. */
  readonly day: string | undefined
}

/** What an organization with this policy set knows at a time in milliseconds since 1970. */
export const knowledgeAt = ({ catalogue }: Pick<PolicySet, "catalogue">, atMs: number): Knowledge => ({
  catalogue,
  day: isoDay(atMs)
})

declare const readBy: unique symbol

/**
 * What an edition reads in the words of a call, apart from its figures. It has no member for anybody else: a caller keeps
 * it for calls with the same `wordsKey`, and hands it back to the edition that read it.
 */
export interface CallWords {
  readonly [readBy]: Edition["number"]
}

/** The thresholds of the release that a behaviour snapshot is read with. */
export interface BaselineSettings {
  readonly windowDays: number
  readonly establishedDaysMin: number
  readonly establishedHoursMin: number
  /** Only days that ended at least so many hours ago are evidence. Absent: all days before today. */
  readonly evidenceHoursMin?: number
  /** What changes is compared with what changes alone: reads and simulations are no evidence for it. Absent: with everything. */
  readonly changesApart?: boolean
  /** The pace is that of the agent or pool. Absent: that of the whole organization. */
  readonly paceByAgent?: boolean
  /** From so many days and hours with any assessment on an agent has a pace of its own. Absent: from one on. */
  readonly velocityDaysMin?: number
  readonly velocityHoursMin?: number
  /** See `isLookalike`. */
  readonly counterDigitsMax?: number
}

/** Whether reads and simulations are no evidence about an action, nor part of the pace of its agent. */
export const comparesChangesOnly = (
  { changes }: Pick<HistoryRecord, "changes">,
  { changesApart = false }: BaselineSettings
): boolean => changesApart && changes

/** The figures and codes of an opinion without its texts, for comparing many opinions. */
export interface ScoreSummary {
  readonly complete: boolean
  /** Integer 1-100. */
  readonly score: number
  readonly level: ActionRiskLevel
  readonly category: ActionCategory
  readonly class: ActionClass
  /** Ascending by code, those of customer policies last. */
  readonly factors: ReadonlyArray<Pick<RiskFactor, "code" | "category" | "severity">>
  readonly control: ControlType
}

/** A summary with how sure it is. */
export interface SureSummary extends ScoreSummary {
  /** Whole percent. */
  readonly confidencePercent: number
}

/** `<engine semver>+<rules version>.<8 hex>`, as an assessment names the release that scored it. */
export const riskEngineVersionOf = ({ digest, engineVersion, version }: Edition): string =>
  `${engineVersion}+${version}.${digest.slice(0, 8)}`
