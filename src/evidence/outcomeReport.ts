/** Compares outcome events with the answers: how often each level and factor was right, and labels for `rules agree`. */

import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import type { OutcomeEventType } from "../domain/OutcomeEvent.ts"
import { type ActionRiskLevel, actionRiskLevels } from "../domain/Opinion.ts"
import type { JsonObject } from "../json/json.ts"
import { reportedHarmsMax } from "../limits.ts"
import type { ToldAssessment } from "./outcomeHistory.ts"

export interface LevelOutcomes {
  readonly assessments: number
  /** The number of assessments with at least one event of the type. */
  readonly events: Readonly<Record<OutcomeEventType, number>>
  /** The number of assessments with more observed than assessed. */
  readonly understated: number
}

export interface FactorOutcomes {
  readonly code: string
  readonly assessments: number
  /** How many of them turned out to be grave: declined, reverted, an incident or a near miss. */
  readonly grave: number
}

export interface OutcomeReport {
  readonly levels: Readonly<Record<ActionRiskLevel, LevelOutcomes>>
  /** Most assessments first. */
  readonly factors: ReadonlyArray<FactorOutcomes>
  /** The first assessments at level low that caused an incident or a near miss. */
  readonly harmsAtLow: ReadonlyArray<string>
}

const graveTypes: ReadonlySet<OutcomeEventType> = new Set([
  "person_declined",
  "reverted",
  "incident",
  "near_miss"
])

const harmTypes: ReadonlySet<OutcomeEventType> = new Set(["incident", "near_miss"])

const noEvents: LevelOutcomes["events"] = {
  person_agreed: 0,
  person_declined: 0,
  person_absent: 0,
  executed: 0,
  failed: 0,
  not_executed: 0,
  reverted: 0,
  incident: 0,
  near_miss: 0
}

/** Invariant: the service stored the bytes, and stored rows never change. */
const answerOf = ({ response }: ToldAssessment): AssessmentResponse =>
  JSON.parse(Buffer.from(response).toString())

export const makeOutcomeReport = () => {
  const levels = new Map(
    actionRiskLevels.map((level) => [
      level,
      { assessments: 0, events: { ...noEvents } as Record<OutcomeEventType, number>, understated: 0 }
    ])
  )
  const factors = new Map<string, { assessments: number; grave: number }>()
  const harmsAtLow: Array<string> = []
  return {
    add: (told: ToldAssessment): void => {
      const { action_risk: risk, risk_factors: raised } = answerOf(told)
      const of = levels.get(risk.level)
      if (of !== undefined) {
        of.assessments++
        for (const type of told.types) of.events[type]++
        if (told.understated) of.understated++
      }
      const isGrave = told.types.some((type) => graveTypes.has(type))
      for (const code of new Set(raised.map((factor) => factor.code))) {
        const factor = factors.get(code) ?? { assessments: 0, grave: 0 }
        factors.set(code, {
          assessments: factor.assessments + 1,
          grave: factor.grave + (isGrave ? 1 : 0)
        })
      }
      const harmed = told.types.some((type) => harmTypes.has(type))
      if (risk.level === "low" && harmed && harmsAtLow.length < reportedHarmsMax)
        harmsAtLow.push(told.assessmentId)
    },
    report: (): OutcomeReport => ({
      levels: Object.fromEntries(levels) as OutcomeReport["levels"],
      factors: [...factors]
        .map(([code, counts]) => ({ code, ...counts }))
        .toSorted((a, b) => b.assessments - a.assessments || (a.code < b.code ? -1 : 1)),
      harmsAtLow
    })
  }
}

interface OutcomeLabel {
  readonly id: string
  readonly request: JsonObject
  readonly level: ActionRiskLevel
  readonly second: ReadonlyArray<ActionRiskLevel>
}

/**
 * The label suggested by the events, or null if they suggest none. A weak label: that an action went well says little about how risky it
 * was, so the adjacent level counts as well.
 */
export const labelOf = (told: ToldAssessment): OutcomeLabel | null => {
  const has = (...types: ReadonlyArray<OutcomeEventType>) => types.some((type) => told.types.includes(type))
  const label = (level: ActionRiskLevel, ...second: ReadonlyArray<ActionRiskLevel>): OutcomeLabel => ({
    id: told.assessmentId,
    request: JSON.parse(Buffer.from(told.input).toString()),
    level,
    second
  })
  if (has("incident")) return label("high", "critical")
  if (has("near_miss", "reverted", "person_declined")) return label("high", "moderate")
  return has("executed") && !has("failed") ? label("low", "moderate") : null
}
