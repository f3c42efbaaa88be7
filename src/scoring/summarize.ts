/** The summary of an opinion: what an approver reads on a phone. */

import type { Action } from "../domain/Action.ts"
import type { MissingInformation, Opinion } from "../domain/Opinion.ts"
import { visibleText } from "./lookalike.ts"

type Told = Omit<Opinion, "summary">

const quotedMax = 60

/** Text of the caller, on one line, without what cannot be seen, cut where it is long. */
const quoted = (text: string): string => {
  const seen = visibleText(text).replace(/\s+/gu, " ").trim()
  const points = [...seen]
  return `“${points.length > quotedMax ? `${points.slice(0, quotedMax - 1).join("")}…` : seen}”`
}

const spaced = (name: string): string => name.replaceAll("_", " ")

const grouped = (figure: number): string =>
  Number.isSafeInteger(figure) ? String(figure).replace(/\B(?=(?:\d{3})+$)/g, ",") : String(figure)

const deed = ({ normalizedActionType, reading }: Told): string => {
  const [object = "", verb = ""] = normalizedActionType.split(".")
  if (reading?.class === "unknown") return `take an action that is not known (${spaced(object)})`
  return `${spaced(verb)} ${spaced(object)}`
}

const amountOf = ({ currency, financialValue }: Action): string =>
  financialValue === undefined || financialValue === 0
    ? ""
    : `, ${grouped(financialValue)} ${currency?.toUpperCase() ?? "in a currency that was not stated"}`

const countOf = ({ entitiesAffected, recordsAffected }: Action): string => {
  const count = Math.max(entitiesAffected ?? 0, recordsAffected ?? 0)
  return count > 1 ? `, ${grouped(count)} at once` : ""
}

const request = (action: Action, opinion: Told): string => {
  const who = action.agentId === undefined ? "An agent without a name" : quoted(action.agentId)
  const target = action.targetResource ?? action.targetSystem
  return [
    `${who} wants to ${deed(opinion)}`,
    target === undefined ? "" : ` (${quoted(target)})`,
    ` in ${action.environment}`,
    countOf(action),
    amountOf(action),
    action.destination === undefined ? "" : `, to ${quoted(action.destination)}`,
    "."
  ].join("")
}

/** The first reason of the control, which the factors give in the order of their weight. */
const mainReason = ({ riskFactors }: Told): string => riskFactors[0]?.message ?? "Nothing speaks against it."

const fromOn = ({ field, higher }: MissingInformation): string => {
  const from = higher?.from
  if (from === undefined) return spaced(field)
  return `${spaced(field)} ${typeof from === "number" ? `of ${grouped(from)} or more` : `“${spaced(String(from))}”`}`
}

const worse = ({ missingInformation }: Told): string => {
  const most = missingInformation.find(({ higher }) => higher !== undefined)
  return most?.higher === undefined ? "" : `It would be ${most.higher.level} with ${fromOn(most)}.`
}

/** One paragraph: who wants to do what, where, how much and to whom; the level; the main reason; what would make it worse. */
export const summarize = (opinion: Told, action: Action): string => {
  const { actionRisk, complete } = opinion
  return [
    request(action, opinion),
    `Action risk is ${actionRisk.level} (${actionRisk.score} of 100).`,
    mainReason(opinion),
    worse(opinion),
    complete
      ? ""
      : "A part of the evaluation failed and was taken at its worst, so this opinion is incomplete."
  ]
    .filter((sentence) => sentence !== "")
    .join(" ")
}
