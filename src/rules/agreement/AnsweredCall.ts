/** A call labelled by people, with a rulebook's opinion about it. */

import type { Action, ActionClass } from "../../domain/Action.ts"
import type { ActionRiskLevel, Severity } from "../../domain/Opinion.ts"
import type { JsonObject } from "../../json/json.ts"
import type { Rulebook } from "../Rulebook.ts"
import { snapshotOf } from "../cases/Situation.ts"
import type { completenesses } from "../files/labelFiles.ts"
import { readCall } from "../../scoring/reading/readCall.ts"
import { score } from "../../scoring/score.ts"

export type Completeness = (typeof completenesses)[number]

export interface LabelledCall {
  readonly id: string
  /** Null if the line does not state it. */
  readonly completeness: Completeness | null
  /** As in the labels file. */
  readonly request: JsonObject
  readonly action: Action
  /** The level given by people. */
  readonly label: ActionRiskLevel
  /** Other levels that people considered. */
  readonly second: ReadonlyArray<ActionRiskLevel>
}

export interface AnsweredCall extends LabelledCall {
  readonly score: number
  readonly level: ActionRiskLevel
  readonly confidence: number
  /** How the name was read. */
  readonly type: string
  readonly class: ActionClass
  /** The first risk factor of the opinion; null if there is none. */
  readonly factor: { readonly code: string; readonly severity: Severity } | null
}

/** Scores the call for an organization without history. */
export const answerCall = ({ policies, release }: Rulebook, call: LabelledCall): AnsweredCall => {
  const { model } = release
  const reading = readCall(call.action, model.lexicon)
  const behavior = snapshotOf({ request: call.action }, model, policies.policySet)
  const opinion = score(call.action, behavior, model, policies.policySet, reading)
  const { confidence, level, score: points } = opinion.actionRisk
  const [first] = opinion.riskFactors
  return {
    ...call,
    score: points,
    level,
    confidence,
    type: opinion.normalizedActionType,
    class: opinion.reading.class,
    factor: first === undefined ? null : { code: first.code, severity: first.severity }
  }
}
