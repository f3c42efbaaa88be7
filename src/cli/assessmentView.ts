/** An assessment for people: the API's answer on one screen. */

import { Schema } from "effect"
import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import { actionClasses } from "../domain/Action.ts"
import type { readingSources } from "../domain/Opinion.ts"
import { quoted, shownName } from "../foreignText.ts"
import { quotedTextMax } from "../limits.ts"
import { knowledgeLines } from "../rules/explain/knowledgeLines.ts"
import { packageRoot } from "../rules/files/readTree.ts"
import { impacts } from "../scoring/reading/Act.ts"
import { evidenceSources, type ReadingEvidence } from "../scoring/reading/explainReading.ts"
import {
  bar,
  levelStyle,
  lines,
  paragraph,
  type Row,
  titled,
  table,
  type Terminal,
  wrap
} from "./Terminal.ts"
import { figure } from "./texts.ts"
import { bool, literals, objects, optionalKey, string } from "./jsonShapes.ts"

export interface AskedAction {
  readonly actionType: string
  readonly environment: string
}

/** `evidence`: the lines about the reading of the action, if requested. */
export const renderAssessment = (
  screen: Terminal,
  asked: AskedAction,
  response: AssessmentResponse,
  evidence: ReadonlyArray<string> = []
): string =>
  [
    ...renderHeadline(screen, asked, response),
    ...titled(screen, {
      "How it was read, strongest first": evidence,
      "Blast radius": renderBlastRadius(screen, response.blast_radius),
      "Risk factors": renderFactors(screen, response.risk_factors),
      "Customer policy": table(
        screen,
        response.policy_context.map(({ effect, policy, rule }) => [policy, rule, effect])
      ),
      "Recommended control": renderControl(screen, response),
      "Missing information": renderMissing(screen, response),
      Summary: paragraph(screen, response.summary)
    }),
    "",
    ...wrap(response.disclaimer, screen.width).map((line) => screen.color("dim", line)),
    screen.color("dim", `risk engine ${response.risk_engine_version}, policy ${response.policy_version}`)
  ].join("\n")

/** The level and the score with range and confidence, then the action, then a warning if the assessment is incomplete. */
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
  const range = low === high ? "" : `between ${low} and ${high}, `
  const incomplete = "Incomplete: a part of the evaluation failed and counts at its worst."
  return lines(
    `${badge} action risk, ${range}confidence ${risk.confidence.toFixed(2)}`,
    wrap(`${named} (${kindOf(response)}) in ${asked.environment}`, width),
    response.assessment_status === "incomplete" &&
      wrap(incomplete, width).map((line) => color("yellow", line))
  )
}

/** The category, and how the call was read. */
const kindOf = ({ action_category: category, reading }: AssessmentResponse): string => {
  const readBy: Readonly<Record<(typeof readingSources)[number], string>> = {
    catalogue: "by the organization's catalogue",
    provider: `as listed for ${reading.provider ?? "a provider"}`,
    name: "by its words",
    command: "by its command"
  }
  return `${category}; class ${reading.class}, impact ${reading.impact}, ${readBy[reading.by]}`
}

type BlastRadius = AssessmentResponse["blast_radius"]

/** One bar for each of the six dimensions, and one for the whole. */
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

/** The recommended control with its reasons, then the recommendation codes. */
const renderControl = (screen: Terminal, response: AssessmentResponse): ReadonlyArray<string> => {
  const { because, priority, type } = response.recommended_control
  const codes = response.recommendations.join(", ")
  const reasons = because.map((reason, index): Row => [index === 0 ? "because" : "", reason])
  const safer = response.safer_alternatives.map((say): Row => ["safer", say])
  return lines(
    `  ${screen.color("bold", type)}, priority ${screen.color(levelStyle[priority], priority)}`,
    table(screen, reasons),
    table(screen, safer),
    codes !== "" && paragraph(screen, `also recommended: ${codes}`)
  )
}

/** `, high from 10,000 on` */
const fromOn = (higher: AssessmentResponse["missing_information"][number]["higher"]): string => {
  if (higher === undefined) return ""
  const { from, level } = higher
  if (from === undefined) return `, so that it can be ${level} or more`
  return typeof from === "number" ? `, ${level} from ${figure(from)} on` : `, ${level} with ${String(from)}`
}

/** The missing fields, the value assumed for each, and the range within which stating it could move the score. */
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

export const evidenceShape = objects("The evidence for the reading of the action, the strongest first.", {
  source: literals(
    evidenceSources,
    "Its source: the organization's catalogue, the catalogue of a provider, the words of a name, a request, a command, an argument, or a text for people."
  ),
  field: string("The field of the request, or the path of an argument."),
  said: string("The characters that it comes from, cut if there are many."),
  at: optionalKey(
    Schema.Int,
    "Their offset in the field, in UTF-16 units. Absent: the field has them in another form."
  ),
  line: string("The line of knowledge that they match: a form of a program, a name, a word, a signal."),
  file: optionalKey(Schema.String, "The file and line number in the working files, if they contain it."),
  type: optionalKey(Schema.String, "The action, as object.verb."),
  class: Schema.optionalKey(Schema.Literals(actionClasses)),
  impact: Schema.optionalKey(Schema.Literals(impacts)),
  lowers: bool("It makes the action milder."),
  counts: bool("False for a hint that another part of the request overrode.")
})

type WireEvidence = (typeof evidenceShape.Type)[number]

export const evidenceJson = (evidence: ReadonlyArray<ReadingEvidence>): ReadonlyArray<WireEvidence> => {
  const placeOf = knowledgeLines(packageRoot)
  return evidence.map((one) => {
    const { at, class: own, impact, type, ...rest } = one
    const place = placeOf(one)
    return {
      ...rest,
      ...(at !== undefined && { at }),
      ...(place !== undefined && { file: `${place.file}:${place.line}` }),
      ...(type !== undefined && { type }),
      ...(own !== undefined && { class: own }),
      ...(impact !== undefined && { impact })
    }
  })
}

/** `high delete`, `lowers to low read`, `hint: moderate update`. */
const effectOf = ({ class: own, counts, impact, lowers }: WireEvidence): string =>
  lines(!counts && "hint:", lowers && "lowers to", impact, own).join(" ")

/** In characters. A form of a program can be much longer; its file shows all of it. */
const lineMax = 60
const inShort = (line: string): string => (line.length > lineMax ? `${line.slice(0, lineMax - 1)}…` : line)

/** `programs/git.json:24`: omits the common folder, to save width in narrow terminals. */
const belowLexicon = (file: string): string => file.replace(/^rules\/lexicon\//, "")

const rowsOf = (one: WireEvidence): ReadonlyArray<Row> => {
  const { at, counts, field, file, impact, line, lowers, said } = one
  const style = counts && !lowers && impact !== undefined ? levelStyle[impact] : "dim"
  const place = at === undefined || at === 0 ? field : `${field} at ${at}`
  return [
    [{ text: effectOf(one), style }, place, said === "" ? line : quoted(said, quotedTextMax)],
    ["", "", { text: file === undefined ? line : `${belowLexicon(file)} ${inShort(line)}`, style: "dim" }]
  ]
}

/** Each piece of evidence with its effect, its place, the quoted text, and the lexicon entry behind it. */
export const renderEvidence = (
  screen: Terminal,
  evidence: ReadonlyArray<WireEvidence>
): ReadonlyArray<string> => table(screen, evidence.flatMap(rowsOf))

/** How an action was read, as reported in its answer. */
export const renderReading = (
  screen: Terminal,
  { arguments: counted = [], unread = [], ...reading }: AssessmentResponse["reading"]
): ReadonlyArray<string> =>
  table(screen, [
    ...Object.entries(reading),
    ...counted.map(({ path, role }) => [path, role]),
    ...unread.map((path) => [path, "not read"])
  ])
