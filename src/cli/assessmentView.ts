/** An assessment for people: what the API answers, on one screen. */

import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import { bar, levelStyle, type Row, table, type Terminal, wrap } from "./Terminal.ts"

export interface AskedAction {
  readonly actionType: string
  readonly environment: string
}

export const renderAssessment = (
  sheet: Terminal,
  asked: AskedAction,
  response: AssessmentResponse
): string => {
  const section = (title: string, lines: ReadonlyArray<string>) =>
    lines.length === 0 ? [] : ["", sheet.color("bold", title), ...lines]
  return [
    ...renderHeadline(sheet, asked, response),
    ...section("Blast radius", renderBlastRadius(sheet, response.blast_radius)),
    ...section("Risk factors", renderFactors(sheet, response.risk_factors)),
    ...section("Customer policy", renderPolicies(sheet, response.policy_context)),
    ...section("Recommended control", renderControl(sheet, response)),
    ...section("Missing information", renderMissing(sheet, response)),
    ...section("Summary", indented(wrap(response.summary, sheet.width - 2))),
    "",
    ...wrap(response.disclaimer, sheet.width).map((line) => sheet.color("dim", line)),
    sheet.color("dim", `risk engine ${response.risk_engine_version}, policy ${response.policy_version}`)
  ].join("\n")
}

const indented = (lines: ReadonlyArray<string>) => lines.map((line) => `  ${line}`)

/** The level and the score first, then what was asked and how sure the answer is. */
export const renderHeadline = (
  { color: ink, width }: Terminal,
  asked: AskedAction,
  response: AssessmentResponse
): ReadonlyArray<string> => {
  const { action_risk: risk, action_category: category } = response
  const badge = ink(levelStyle[risk.level], ` ${risk.level.toUpperCase()} ${risk.score} `)
  const named =
    asked.actionType === response.normalized_action_type
      ? asked.actionType
      : `${asked.actionType}, read as ${response.normalized_action_type}`
  const { high, low } = risk.range
  const range = low === high ? [] : [`between ${low} and ${high}`]
  const sure = ["action risk", ...range, `confidence ${risk.confidence.toFixed(2)}`].join(", ")
  const incomplete =
    response.assessment_status === "incomplete"
      ? wrap("Incomplete: a part of the evaluation failed and was taken at its worst.", width).map((line) =>
          ink("yellow", line)
        )
      : []
  return [`${badge} ${sure}`, ...wrap(`${named} (${category}) in ${asked.environment}`, width), ...incomplete]
}

/** The blast radius with a bar for each of its six dimensions. */
type BlastRadius = AssessmentResponse["blast_radius"]

const renderBlastRadius = (sheet: Terminal, { dimensions, level, score }: BlastRadius) => {
  const row = (name: string, value: number): Row => [
    name.replaceAll("_", " "),
    { text: String(value), align: "right" },
    { text: bar(value), style: "cyan" }
  ]
  return table(sheet, [
    ...Object.entries(dimensions).map(([name, value]) => row(name, value)),
    [
      { text: `together ${level}`, style: levelStyle[level] },
      { text: String(score), align: "right" },
      { text: bar(score), style: levelStyle[level] === "alarm" ? "red" : levelStyle[level] }
    ]
  ])
}

/** Every risk factor with its severity and what it says. */
const renderFactors = (sheet: Terminal, factors: AssessmentResponse["risk_factors"]) =>
  table(
    sheet,
    factors.map(({ code, message, severity }) => [
      { text: severity, style: levelStyle[severity] },
      code,
      message
    ])
  )

/** The customer policy rules that matched, and what each asked for. */
const renderPolicies = (sheet: Terminal, matches: AssessmentResponse["policy_context"]) =>
  table(
    sheet,
    matches.map(({ effect, policy, rule }) => [policy, rule, effect])
  )

/** The one recommended control with its reasons, and the recommendation codes. */
const renderControl = (sheet: Terminal, response: AssessmentResponse): ReadonlyArray<string> => {
  const { because, priority, type } = response.recommended_control
  const codes = response.recommendations.join(", ")
  return [
    `  ${sheet.color("bold", type)}, priority ${sheet.color(levelStyle[priority], priority)}`,
    ...table(
      sheet,
      because.map((reason, index) => [index === 0 ? "because" : "", reason])
    ),
    ...(codes === "" ? [] : wrap(`also recommended: ${codes}`, sheet.width - 2).map((line) => `  ${line}`))
  ]
}

/** What was not stated, what it was taken for, and where stating it could move the score. */
const renderMissing = (sheet: Terminal, response: AssessmentResponse): ReadonlyArray<string> => {
  const assumed = new Map(response.assumptions.map((each) => [each.field, String(each.assumed)]))
  const { score } = response.action_risk
  return table(
    sheet,
    response.missing_information.map(({ could_lower_to: low, could_raise_to: high, field }) => [
      field,
      assumed.has(field) ? `taken as ${assumed.get(field)}` : "",
      low === score && high === score
        ? "would not move the score"
        : `stating it moves the score to between ${low} and ${high}`
    ])
  )
}
