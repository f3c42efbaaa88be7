/** An assessment for people: the answer of the API on one screen. */

import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import type { readingSources } from "../domain/Opinion.ts"
import { shownName } from "../foreignText.ts"
import { quotedTextMax } from "../limits.ts"
import { bar, levelStyle, type Row, table, type Terminal, wrap, titledLines } from "./Terminal.ts"
import { figure } from "./texts.ts"

export interface AskedAction {
  readonly actionType: string
  readonly environment: string
}

/** `evidence`: the lines about the reading of the action, if they were asked for. */
export const renderAssessment = (
  screen: Terminal,
  asked: AskedAction,
  response: AssessmentResponse,
  evidence: ReadonlyArray<string> = []
): string => {
  return [
    ...renderHeadline(screen, asked, response),
    ...titledLines(screen, "How it was read, strongest first", evidence),
    ...titledLines(screen, "Blast radius", renderBlastRadius(screen, response.blast_radius)),
    ...titledLines(screen, "Risk factors", renderFactors(screen, response.risk_factors)),
    ...titledLines(screen, "Customer policy", renderPolicies(screen, response.policy_context)),
    ...titledLines(screen, "Recommended control", renderControl(screen, response)),
    ...titledLines(screen, "Missing information", renderMissing(screen, response)),
    ...titledLines(screen, "Summary", indented(wrap(response.summary, screen.width - 2))),
    "",
    ...wrap(response.disclaimer, screen.width).map((line) => screen.color("dim", line)),
    screen.color("dim", `risk engine ${response.risk_engine_version}, policy ${response.policy_version}`)
  ].join("\n")
}

const indented = (lines: ReadonlyArray<string>) => lines.map((line) => `  ${line}`)

/** The level and the score with range and confidence, then the action, then a warning where the assessment is incomplete. */
export const renderHeadline = (
  { color, width }: Terminal,
  asked: AskedAction,
  response: AssessmentResponse
): ReadonlyArray<string> => {
  const { action_risk: risk } = response
  const badge = color(levelStyle[risk.level], ` ${risk.level.toUpperCase()} ${risk.score} `)
  const name = shownName(asked.actionType, quotedTextMax)
  const named =
    asked.actionType === response.normalized_action_type
      ? name
      : `${name}, read as ${response.normalized_action_type}`
  const { high, low } = risk.range
  const range = low === high ? [] : [`between ${low} and ${high}`]
  const sure = ["action risk", ...range, `confidence ${risk.confidence.toFixed(2)}`].join(", ")
  const incomplete =
    response.assessment_status === "incomplete"
      ? wrap("Incomplete: a part of the evaluation failed and was taken at its worst.", width).map((line) =>
          color("yellow", line)
        )
      : []
  return [
    `${badge} ${sure}`,
    ...wrap(`${named} (${kindOf(response)}) in ${asked.environment}`, width),
    ...incomplete
  ]
}

const toldBy: Readonly<Record<(typeof readingSources)[number], string>> = {
  catalogue: "by the organization's catalogue",
  provider: "as listed for",
  name: "by its words",
  command: "by its command"
}

/** The category, and how the model read the call. */
const kindOf = ({ action_category: category, reading }: AssessmentResponse): string => {
  const by =
    reading.by === "provider" ? `${toldBy.provider} ${reading.provider ?? "a provider"}` : toldBy[reading.by]
  return `${category}; class ${reading.class}, impact ${reading.impact}, ${by}`
}

type BlastRadius = AssessmentResponse["blast_radius"]

/** A bar for each of the six dimensions, and one for all together. */
export const renderBlastRadius = (screen: Terminal, { dimensions, level, score }: BlastRadius) => {
  const row = (name: string, value: number): Row => [
    name.replaceAll("_", " "),
    { text: String(value), align: "right" },
    { text: bar(value), style: "cyan" }
  ]
  return table(screen, [
    ...Object.entries(dimensions).map(([name, value]) => row(name, value)),
    [
      { text: `together ${level}`, style: levelStyle[level] },
      { text: String(score), align: "right" },
      { text: bar(score), style: levelStyle[level] === "alarm" ? "red" : levelStyle[level] }
    ]
  ])
}

const renderFactors = (screen: Terminal, factors: AssessmentResponse["risk_factors"]) =>
  table(
    screen,
    factors.map(({ assumed, code, message, severity }) => [
      { text: severity, style: levelStyle[severity] },
      code,
      assumed === true ? `${message} (assumed)` : message
    ])
  )

/** The customer policy rules that matched, each with its effect. */
const renderPolicies = (screen: Terminal, matches: AssessmentResponse["policy_context"]) =>
  table(
    screen,
    matches.map(({ effect, policy, rule }) => [policy, rule, effect])
  )

/** The recommended control with its reasons, then the recommendation codes. */
const renderControl = (screen: Terminal, response: AssessmentResponse): ReadonlyArray<string> => {
  const { because, priority, type } = response.recommended_control
  const codes = response.recommendations.join(", ")
  return [
    `  ${screen.color("bold", type)}, priority ${screen.color(levelStyle[priority], priority)}`,
    ...table(
      screen,
      because.map((reason, index) => [index === 0 ? "because" : "", reason])
    ),
    ...table(
      screen,
      response.safer_alternatives.map((say) => ["safer", say])
    ),
    ...(codes === "" ? [] : wrap(`also recommended: ${codes}`, screen.width - 2).map((line) => `  ${line}`))
  ]
}

/** `, high from 10,000 on` */
const fromOn = (higher: AssessmentResponse["missing_information"][number]["higher"]): string => {
  if (higher === undefined) return ""
  const { from, level } = higher
  if (from === undefined) return `, so that it can be ${level} or more`
  return typeof from === "number" ? `, ${level} from ${figure(from)} on` : `, ${level} with ${String(from)}`
}

/** The missing fields, the value assumed for each, and the range into which stating it could move the score. */
const renderMissing = (screen: Terminal, response: AssessmentResponse): ReadonlyArray<string> => {
  const assumed = new Map(response.assumptions.map((each) => [each.field, String(each.assumed)]))
  const { score } = response.action_risk
  return table(
    screen,
    response.missing_information.map(({ could_lower_to: low, could_raise_to: high, field, higher }) => [
      field,
      assumed.has(field) ? `taken as ${assumed.get(field)}` : "",
      low === score && high === score
        ? "would not move the score"
        : `stating it moves the score to between ${low} and ${high}${fromOn(higher)}`
    ])
  )
}
