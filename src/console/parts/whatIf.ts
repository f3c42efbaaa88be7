/** What-if: a form with the fields that can be changed, whose state is its link, and the resulting opinion next to the recorded one. */

import { isPlainLine } from "../../foreignText.ts"
import type { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import type { Problem } from "../../api/Failures.ts"
import { dataClassifications, environments, reversibilities } from "../../domain/Action.ts"
import { severities, type Severity } from "../../domain/Opinion.ts"
import type { Lowering } from "../../evidence/recorded/lowering.ts"
import type { Changes } from "../../evidence/recorded/reconsider.ts"
import type { Json, JsonObject } from "../../json/json.ts"
import { destinationMax } from "../../limits.ts"
import { type Markup, markup } from "../../markup.ts"
import { levelChip, smallScale } from "./level.ts"
import { attribute, controlName, shownValue, spaced } from "./said.ts"

const flags = ["true", "false"] as const

interface Field {
  readonly name: string
  /** The words that it accepts; null if it accepts text or a figure. */
  readonly words: ReadonlyArray<string> | null
  readonly isFigure?: true
}

const fields: ReadonlyArray<Field> = [
  { name: "records_affected", words: null, isFigure: true },
  { name: "entities_affected", words: null, isFigure: true },
  { name: "financial_value", words: null, isFigure: true },
  { name: "currency", words: null },
  { name: "data_classification", words: dataClassifications },
  { name: "reversibility", words: reversibilities },
  { name: "privilege_change", words: flags },
  { name: "production_impact", words: flags },
  { name: "environment", words: environments },
  { name: "destination", words: null }
]

const prefix = "if."

/** Text that is not a number stays text, so that the request reader reports the problem. */
const valueOf = ({ isFigure, words }: Field, text: string): Json => {
  if (words === flags) return text === "true" ? true : text === "false" ? false : text
  return isFigure === true && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text
}

const isStated = (value: Json | undefined): boolean => value !== undefined && value !== "unknown"

/** The changes in a query: `if.FIELD=value`, or `if.FIELD=` to omit a field. */
export const changesOf = (query: URLSearchParams, input: JsonObject): Changes => {
  const changes: Record<string, Json> = {}
  for (const field of fields) {
    const { name } = field
    const text = query.get(prefix + name)
    if (text === null) continue
    const stated = input[name]
    if (text === "") {
      // Every request must state its environment.
      if (isStated(stated) && name !== "environment") changes[name] = null
    } else if (valueOf(field, text) !== stated) changes[name] = valueOf(field, text)
  }
  return changes
}

/** The value assumed for an omitted field. */
const takenFor = ({ assumptions }: AssessmentResponse, name: string): string => {
  const found = assumptions.find(({ field }) => field === name)
  return found === undefined ? "not stated" : `taken as ${shownValue(found.assumed)}`
}

/** `recorded`: the field's value without changes. The script compares with it to detect changes. */
const control = (field: Field, value: string, recorded: string, absent: string): Markup => {
  const { isFigure, name, words } = field
  const id = `if-${name}`
  if (words !== null) {
    const none = markup`<option value="">${absent}</option>`
    return markup`<select id="${id}" name="${prefix}${name}" data-recorded="${recorded}">${name === "environment" ? null : none}${words.map(
      (word) =>
        markup`<option value="${word}"${attribute(value === word, "selected")}>${words === flags ? shownValue(word === "true") : spaced(word)}</option>`
    )}</select>`
  }
  if (!isPlainLine(value)) {
    return markup`<input id="${id}" value="${value}" readonly aria-describedby="if-hidden">`
  }
  return markup`<input id="${id}" name="${prefix}${name}" data-recorded="${recorded}" inputmode="${isFigure === true ? "decimal" : "text"}" maxlength="${destinationMax}" value="${value}" placeholder="${absent}" autocomplete="off" spellcheck="false">`
}

const row = (answer: AssessmentResponse, input: JsonObject, changes: Changes) => (field: Field) => {
  const { name } = field
  const stated = isStated(input[name])
  const isChanged = name in changes
  const value = isChanged ? changes[name] : stated ? input[name] : null
  const text = value === null || value === undefined ? "" : String(value)
  const absent = stated ? "left out" : takenFor(answer, name)
  return markup`<div class="${isChanged ? "changed" : stated ? "" : "unstated"}"><label for="if-${name}">${spaced(name)}</label>${control(field, text, stated ? String(input[name]) : "", absent)}</div>`
}

const rank = (severity: Severity): number => severities.indexOf(severity)

const change = (kind: string, sign: string, code: string, words: string): Markup =>
  markup`<li class="${kind}"><span class="sign" aria-hidden="true">${sign}</span><span><code>${code}</code> <span class="soft">${words}</span></span></li>`

type Factors = AssessmentResponse["risk_factors"]

const factorChanges = (before: Factors, after: Factors): ReadonlyArray<Markup> => {
  const find = (factors: Factors, wanted: string) => factors.find(({ code }) => code === wanted)
  return [
    ...before
      .filter(({ code }) => find(after, code) === undefined)
      .map(({ code, severity }) => change("gone", "−", code, `no longer raised, was ${severity}`)),
    ...after.flatMap(({ code, severity }) => {
      const was = find(before, code)?.severity
      if (was === undefined) return [change("came", "+", code, `raised, ${severity}`)]
      if (was === severity) return []
      const milder = rank(severity) < rank(was)
      return [change(milder ? "gone less" : "came", milder ? "↓" : "↑", code, `${was} → ${severity}`)]
    })
  ]
}

const differences = (before: AssessmentResponse, after: AssessmentResponse): Markup => {
  const [was, is] = [before.recommended_control.type, after.recommended_control.type]
  const lines = [
    ...(was === is
      ? []
      : [
          markup`<li class="other"><span class="sign" aria-hidden="true">→</span><span>${controlName(is)} <span class="soft">was ${controlName(was)}</span></span></li>`
        ]),
    ...factorChanges(before.risk_factors, after.risk_factors)
  ]
  return lines.length === 0
    ? markup`<p class="small soft">Control and factors stay the same.</p>`
    : markup`<ul class="diff">${lines}</ul>`
}

const delta = (by: number): Markup =>
  markup`<dd class="delta ${by < 0 ? "fall" : by > 0 ? "rise" : ""}">${by < 0 ? `−${-by}` : by > 0 ? `+${by}` : "±0"}</dd>`

const moved = (before: AssessmentResponse, after: AssessmentResponse): Markup => {
  const [a, b] = [before.action_risk, after.action_risk]
  return markup`<div class="move">${levelChip(a.level, a.score)}<span class="arrow" aria-hidden="true">→</span><span class="visually-hidden">becomes</span>${levelChip(b.level, b.score)}</div>${smallScale(b, a.score)}<dl class="pairs tight"><div><dt class="visually-hidden">Change</dt>${delta(b.score - a.score)}</div><div><dt>Range</dt><dd>${b.range.low}–${b.range.high}</dd></div><div><dt>Blast</dt><dd>${before.blast_radius.score} → ${after.blast_radius.score}</dd></div></dl>`
}

const unmoved = ({ action_risk, blast_radius }: AssessmentResponse): Markup =>
  markup`<div class="move">${levelChip(action_risk.level, action_risk.score)}<span class="soft">as it was answered</span></div>${smallScale(action_risk)}<dl class="pairs tight"><div><dt>Range</dt><dd>${action_risk.range.low}–${action_risk.range.high}</dd></div><div><dt>Blast</dt><dd>${blast_radius.score}</dd></div></dl>`

const wrong = (problems: ReadonlyArray<Problem>): Markup =>
  markup`<p><b class="t-critical">No opinion on that.</b></p><ul class="small">${problems.map(({ field, message }) => markup`<li>${spaced(field)} ${message}.</li>`)}</ul>`

/** The opinion on changed statements. */
export interface Considered {
  readonly changes: Changes
  readonly problems: ReadonlyArray<Problem>
  /** Null without changes, or if there are problems. */
  readonly answer: AssessmentResponse | null
}

/** Has a constant height, so that the form does not move while a person types. */
const resultHead = (before: AssessmentResponse, { answer, problems }: Considered): Markup => {
  const inside =
    problems.length > 0 ? wrong(problems) : answer === null ? unmoved(before) : moved(before, answer)
  return markup`<div class="result" id="what-if-head" role="status">${inside}</div>`
}

const resultChanges = (before: AssessmentResponse, { answer, problems }: Considered): Markup => {
  const inside =
    answer === null
      ? markup`<p class="small soft">State a field or leave one out: the rules, the policies and the history of that moment answer again. Nothing is stored.</p>`
      : differences(before, answer)
  return markup`<div id="what-if-diff">${problems.length > 0 ? null : inside}</div>`
}

/** The two parts that the script replaces: one above the form, one below it. */
export const whatIfResult = (before: AssessmentResponse, considered: Considered): Markup =>
  markup`${resultHead(before, considered)}${resultChanges(before, considered)}`

export const whatIfCard = (answer: AssessmentResponse, input: JsonObject, considered: Considered): Markup => {
  const hidden = fields.some(({ name }) => !isPlainLine(String(input[name] ?? "")))
  return markup`<section class="card" aria-labelledby="what-if"><h2 id="what-if">What if <a class="small" href="?#what-if">reset</a></h2>
${resultHead(answer, considered)}
<form method="get" data-live="what-if"><div class="fields">${fields.map(row(answer, input, considered.changes))}</div>${hidden ? markup`<p id="if-hidden" class="note">A field with characters that cannot be seen can only be read here.</p>` : null}<p class="unscripted"><button class="button">Ask again</button></p></form>
${resultChanges(answer, considered)}</section>`
}

const loweringRow =
  (answer: AssessmentResponse, input: JsonObject) =>
  ({ field, level, score, value }: Lowering): Markup => {
    const before = isStated(input[field])
      ? `instead of ${shownValue(input[field] as Lowering["value"])}`
      : takenFor(answer, field)
    const asked = new URLSearchParams({ [prefix + field]: String(value) })
    return markup`<li><a href="?${String(asked)}#what-if"><span class="said-so">${spaced(field)} <b>${shownValue(value)}</b> <span class="soft">${before}</span></span>${levelChip(level, score)}<span class="num delta fall">−${answer.action_risk.score - score}</span></a></li>`
  }

/** Single statements that would each have lowered the answer. Each links to the form with its change filled in. */
export const loweringCard = (
  answer: AssessmentResponse,
  input: JsonObject,
  lowerings: ReadonlyArray<Lowering>
): Markup => {
  const inside =
    lowerings.length === 0
      ? markup`<p class="soft">No single statement would have: several things hold this score up.</p>`
      : markup`<ul class="lowerings">${lowerings.map(loweringRow(answer, input))}</ul>`
  return markup`<section class="card" aria-labelledby="lower"><h2 id="lower">What would have lowered it <span class="soft">each alone, if it were true</span></h2>${inside}</section>`
}
