/** The summary of an opinion: one paragraph, short enough for an approver to read on a phone. */

import type { Action, Environment } from "../../domain/Action.ts"
import {
  type ActionRiskLevel,
  actionRiskLevels,
  destinationInArguments,
  type MissingInformation,
  type Opinion
} from "../../domain/Opinion.ts"
import { quoted } from "../../foreignText.ts"
import { summaryQuotedMax } from "../../limits.ts"
import type { Currencies } from "../Model.ts"
import type { Numbers } from "../Numbers.ts"
import { noVerb } from "../reading/findVerbs.ts"
import { grouped } from "../renderMessage.ts"
import { toldLast } from "./toldFactors.ts"

type Told = Omit<Opinion, "summary">

/** In NFKC, the form in which history stores names. */
const stated = (text: string): string => quoted(text.normalize("NFKC"), summaryQuotedMax)

const spaced = (name: string): string => name.replaceAll("_", " ")

/** The placeholder for a missing object in `normalized_action_type`. */
const noObject = "unspecified"

const deed = ({ normalizedActionType, reading }: Told): string => {
  const [object = "", verb = ""] = normalizedActionType.split(".")
  if (reading.class === "unknown") return `take an action that is not known (${spaced(object)})`
  if (verb === noVerb) return `call ${spaced(object)}`
  return object === noObject ? spaced(verb) : `${spaced(verb)} ${spaced(object)}`
}

const places: Readonly<Record<Environment, string>> = {
  development: "in development",
  sandbox: "in a sandbox",
  staging: "in staging",
  production: "in production"
}

const amountOf = ({ currency, financialValue }: Action): string =>
  financialValue === undefined || financialValue === 0
    ? ""
    : `, ${grouped(financialValue)} ${currency?.toUpperCase() ?? "in a currency that was not stated"}`

const countOf = ({ entitiesAffected, recordsAffected }: Action): string => {
  const count = Math.max(entitiesAffected ?? 0, recordsAffected ?? 0)
  return count > 1 ? `, ${grouped(count)} at once` : ""
}

const receiverOf = ({ destination }: Action, { assumptions }: Told): string => {
  const receiver = destination ?? destinationInArguments(assumptions)
  return receiver === undefined ? "" : `, to ${stated(receiver)}`
}

const request = (action: Action, opinion: Told): string =>
  [
    action.agentId === undefined ? "An agent without a name" : stated(action.agentId),
    ` wants to ${deed(opinion)}`,
    action.targetResource === undefined ? "" : ` (${stated(action.targetResource)})`,
    action.targetSystem === undefined ? "" : ` on ${stated(action.targetSystem)}`,
    ` ${places[action.environment]}`,
    countOf(action),
    amountOf(action),
    receiverOf(action, opinion),
    "."
  ].join("")

const rank = (level: Opinion["blastRadius"]["level"]): number =>
  actionRiskLevels.findIndex((one) => one === level)

const deserves: Readonly<Record<ActionRiskLevel, string>> = {
  low: "nobody's attention",
  moderate: "a quick confirmation",
  high: "a look by a person",
  critical: "a second approver"
}

/**
 * The reason that best explains the level, in this order: the reason that forces the control; a severe factor that rests on stated values;
 * the kind of the action if only that explains the level; the first factor. An ordinary low action needs no reason.
 */
const mainReason = (
  { actionRisk, complete, reading, recommendedControl, riskFactors }: Told,
  { summary }: Pick<Numbers, "summary">
): string => {
  const stated = riskFactors.filter(({ assumed }) => assumed !== true)
  const severe = stated.find(({ severity }) => severity === "critical" || severity === "high")
  if (!complete || actionRisk.level === "critical") return recommendedControl.because[0] ?? ""
  if (severe !== undefined) return severe.message
  if (actionRisk.level === "low") return ""
  const grave = riskFactors.filter(({ severity }) => severity !== "low")
  return kindReason(reading, actionRisk.level) ?? toldLast(grave, summary.toldLast)[0]?.message ?? ""
}

/** The kind of an action as a reason for its level. Undefined if the kind alone does not explain it. */
export const kindReason = (reading: Told["reading"], level: ActionRiskLevel): string | undefined =>
  level !== "low" && rank(reading.impact) >= rank(level)
    ? `By its kind alone, such an action deserves ${deserves[reading.impact]} in production.`
    : undefined

const count = (things: string) => (from: string) => `from ${from} ${things} on`

/** How each field makes the action riskier, from a given value on. */
const worsens: Readonly<Record<string, (from: string) => string>> = {
  entities_affected: count("entities"),
  records_affected: count("records"),
  financial_value: count("in money"),
  currency: () => "in another currency",
  data_classification: (from) => `with ${from} data`,
  reversibility: (from) => `if it is ${from}`,
  privilege_change: () => "if it changes who may do what",
  production_impact: () => "if services in use are affected",
  destination: () => "with a destination that nobody knows",
  agent_id: () => "with an agent that nobody knows"
}

const unfigured: Readonly<Record<string, string>> = {
  entities_affected: "number of entities",
  records_affected: "number of records",
  financial_value: "amount"
}

const figures: ReadonlySet<string> = new Set(Object.keys(unfigured))

/**
 * The most influential missing field that could raise the level. A figure counts only if it is plausible, and an amount only for a payment:
 * it goes without saying that a million makes anything worse.
 */
const worse = (
  { actionCategory, actionRisk, missingInformation }: Told,
  { currency }: Action,
  { levels }: Pick<Numbers, "levels">,
  currencies: Pick<Currencies, "table">
): string => {
  const plausible = missingInformation.find(
    ({ field, higher }) =>
      higher !== undefined &&
      (!figures.has(field) || actionRisk.range.high >= levels[higher.level]) &&
      (field !== "financial_value" || actionCategory === "financial")
  )
  if (plausible?.higher === undefined) return ""
  const { from, level } = plausible.higher
  const isAmount = plausible.field === "financial_value" && typeof from === "number"
  const worsened = isAmount ? `from ${amountFrom(from, currency, currencies)}` : worsening(plausible, from)
  return `It would be ${level} ${worsened}.`
}

/**
 * An amount without a currency is assumed in the dearest one, which few readers know. The summary says instead that no currency is stated.
 */
const amountFrom = (
  from: number,
  stated: Action["currency"],
  { table }: Pick<Currencies, "table">
): string => {
  const code = stated?.toUpperCase()
  return code !== undefined && table.has(code)
    ? `${grouped(from)} ${code} on`
    : `${grouped(from)} on without a known currency`
}

const worsening = (
  { field }: MissingInformation,
  from: NonNullable<MissingInformation["higher"]>["from"]
): string => {
  const another = (): string => `with another ${unfigured[field] ?? spaced(field)}`
  const worsened = from === undefined && figures.has(field) ? another : worsens[field]
  return (worsened ?? another)(typeof from === "number" ? grouped(from) : spaced(String(from)))
}

/**
 * In this order: the agent, its act, the target, the place, the figures and the receiver; the level; the main reason; the missing field
 * that could raise the level.
 */
export const summarize = (
  opinion: Told,
  action: Action,
  numbers: Pick<Numbers, "levels" | "summary">,
  currencies: Pick<Currencies, "table">
): string => {
  const { actionRisk, complete } = opinion
  return [
    request(action, opinion),
    `Action risk is ${actionRisk.level} (${actionRisk.score} of 100).`,
    mainReason(opinion, numbers),
    worse(opinion, action, numbers, currencies),
    complete
      ? ""
      : "A part of the evaluation failed and was taken at its worst, so this opinion is incomplete."
  ]
    .filter((sentence) => sentence !== "")
    .join(" ")
}
