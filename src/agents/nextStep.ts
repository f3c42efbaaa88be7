/** Decides the next step of the agent from an answer and the owner's gate file. Every hook and gate uses this rule. */

import type { Answer } from "../client/Answer.ts"
import { isAssessment } from "../client/Assessment.ts"
import { actionRiskLevels, controlTypes } from "../domain/Opinion.ts"
import type { HowAsked } from "./questionOfCall.ts"
import { type AgentGate, severerStep, type Step } from "./GateFile.ts"

export const nextStep = (answer: Answer, gate: AgentGate, { mapped, whole }: HowAsked): Step => {
  const ofAnswer = stepOfAnswer(answer, gate)
  const ofMapping = mapped ? ofAnswer : severerStep(ofAnswer, gate.unmappedTool)
  return whole && unreadArguments(answer).length === 0
    ? ofMapping
    : severerStep(ofMapping, gate.unreadArguments)
}

/** The paths of arguments that the service did not understand. */
export const unreadArguments = (answer: Answer): ReadonlyArray<string> => {
  const unread: unknown =
    answer?.opinion === "full" || answer?.opinion === "partial" ? answer.assessment?.reading?.unread : []
  return Array.isArray(unread) ? unread : []
}

/** Anything that is not a valid answer counts as no opinion. */
const stepOfAnswer = (answer: Answer, gate: AgentGate): Step => {
  if (answer?.opinion !== "full" && answer?.opinion !== "partial") return gate.noOpinion
  if (!isAssessment(answer.assessment)) return gate.noOpinion
  const { action_risk: risk, recommended_control: control } = answer.assessment
  const reaches = ({ control: fromControl, level: fromLevel }: AgentGate["refuseFrom"]): boolean =>
    (fromLevel !== undefined &&
      actionRiskLevels.indexOf(risk.level) >= actionRiskLevels.indexOf(fromLevel)) ||
    (fromControl !== undefined && controlTypes.indexOf(control.type) >= controlTypes.indexOf(fromControl))
  const ofOpinion: Step = reaches(gate.refuseFrom)
    ? "refuse"
    : reaches(gate.askPersonFrom)
      ? "ask_person"
      : "no_objection"
  return answer.opinion === "partial" ? severerStep(ofOpinion, gate.partial) : ofOpinion
}
