/** The act as stated in the request: who asks, the command or the call itself, where, to whom, and how much. */

import type { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import { isRecord, type JsonObject } from "../../json/json.ts"
import { consoleCallMax } from "../../limits.ts"
import { type Markup, markup } from "../../markup.ts"
import { said, shownValue } from "./said.ts"

export interface StatedAct {
  readonly agent: string | null
  /** The text that a shell, a database or an interpreter would run, or the arguments of another tool as JSON; null if neither is stated. */
  readonly call: string | null
  /** In the agent's own words. */
  readonly description: string | null
  readonly system: string | null
  readonly resource: string | null
  readonly destination: string | null
  /** The stated figures: `148,600 USD`, `12,400 records`. */
  readonly figures: ReadonlyArray<string>
}

const textIn = (json: unknown, name: string): string | null => {
  const value = isRecord(json) ? json[name] : undefined
  return typeof value === "string" && value.trim() !== "" ? value : null
}

/** Arguments that contain everything that would run. */
const runnable = ["command", "cmd", "sql", "query", "statement", "script", "code"]

const cut = (text: string): string =>
  text.length > consoleCallMax ? `${text.slice(0, consoleCallMax)} …` : text

const callOf = ({ metadata }: JsonObject): string | null => {
  const command = textIn(metadata, "command")
  if (command !== null) return cut(command)
  const call = isRecord(metadata) ? metadata["tool_call"] : undefined
  const stated = isRecord(call) ? call["arguments"] : undefined
  if (!isRecord(stated) || Object.keys(stated).length === 0) return null
  const run = runnable.map((name) => textIn(stated, name)).find((text) => text !== null)
  return cut(run ?? JSON.stringify(stated))
}

const units = { records_affected: ["record", "records"], entities_affected: ["entity", "entities"] } as const

const isCounted = (field: string): field is keyof typeof units => Object.hasOwn(units, field)

const counted = (count: number, field: keyof typeof units): string =>
  `${shownValue(count)} ${units[field][count === 1 ? 0 : 1]}`

const countIn = (input: JsonObject, field: keyof typeof units): ReadonlyArray<string> => {
  const count = input[field]
  return typeof count === "number" ? [counted(count, field)] : []
}

export const statedAct = (input: JsonObject): StatedAct => {
  const { currency, financial_value: value } = input
  const money = typeof value === "number" ? [`${shownValue(value)} ${String(currency ?? "")}`.trim()] : []
  return {
    agent: textIn(input, "agent_id"),
    call: callOf(input),
    description: textIn(input, "action_description"),
    system: textIn(input, "target_system"),
    resource: textIn(input, "target_resource"),
    destination: textIn(input, "destination"),
    figures: [...money, ...countIn(input, "records_affected"), ...countIn(input, "entities_affected")]
  }
}

/** For a row of a list: the command or the call, or otherwise the agent's own words. */
export const statedActLine = ({ call, description, resource }: StatedAct): Markup | null => {
  // A host's shell tool states its command as the resource, which the row already shows.
  if (call !== null && call !== resource) return markup`<code class="call">${said(call)}</code>`
  return description === null ? null : markup`<span>“${said(description)}”</span>`
}

type Answer = Pick<AssessmentResponse, "assumptions" | "safer_alternatives">

/** `not stated: 50,000 records, 900 entities assumed`. Omits figures of one, which say no more than the action itself. */
const assumedFigures = ({ assumptions }: Answer): ReadonlyArray<Markup> => {
  const many = assumptions.flatMap(({ assumed, field }) =>
    isCounted(field) && typeof assumed === "number" && assumed > 1 ? [counted(assumed, field)] : []
  )
  return many.length === 0 ? [] : [markup`<span class="soft">not stated: ${many.join(", ")} assumed</span>`]
}

const separated = (parts: ReadonlyArray<Markup>): ReadonlyArray<Markup> =>
  parts.map((part, at) => (at === 0 ? part : markup` · ${part}`))

const row = (name: string, content: ReadonlyArray<Markup>): Markup | null =>
  content.length === 0 ? null : markup`<div><dt>${name}</dt><dd>${content}</dd></div>`

const shown = (text: string | null): ReadonlyArray<Markup> => (text === null ? [] : [said(text)])

const whatOf = ({ call, description, resource }: StatedAct): ReadonlyArray<Markup> => [
  ...(call === null ? [] : [markup`<pre class="call" tabindex="0" dir="ltr">${said(call)}</pre>`]),
  ...(call !== resource ? shown(resource) : []),
  ...(description === null
    ? []
    : [
        markup`<blockquote><span class="soft small">In the agent’s words: </span>${said(description)}</blockquote>`
      ])
]

/** The head of an assessment: answers a reviewer's first questions, in their usual order. */
export const statedActCard = (act: StatedAct, environment: string, answer: Answer): Markup => {
  const figures = act.figures.map((figure) => markup`<b>${said(figure)}</b>`)
  const safer = answer.safer_alternatives.map((one) => markup`<li>${said(one)}</li>`)
  return markup`<section class="card deed" aria-labelledby="deed"><h2 id="deed" class="visually-hidden">The stated action</h2><dl>${[
    row("Who", act.agent === null ? [markup`<span class="soft">no agent stated</span>`] : shown(act.agent)),
    row("What", whatOf(act)),
    row("Where", [markup`<span class="tag ${environment}">${environment}</span> `, ...shown(act.system)]),
    row("To", shown(act.destination)),
    row("How much", separated([...figures, ...assumedFigures(answer)])),
    row("Instead", safer.length === 0 ? [] : [markup`<ul>${safer}</ul>`])
  ]}</dl></section>`
}
