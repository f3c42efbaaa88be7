/** A witness, which is a request that two rulebooks answer differently: in the form of `--json`, and for people. */

import { Schema } from "effect"
import { onOneLine, shownName } from "../../foreignText.ts"
import type { JsonObject } from "../../json/json.ts"
import { controlTypes } from "../../domain/Opinion.ts"
import { quotedTextMax } from "../../limits.ts"
import { controlRank } from "../../rules/ScoreAndControl.ts"
import type { SituationJson, Witness } from "../../rules/counterexample/findWitness.ts"
import { lines, type Style, type Terminal, wrap } from "../Terminal.ts"
import { objects, optionalKey } from "../jsonShapes.ts"

const requestSchema = Schema.Record(Schema.String, Schema.Json).annotate({
  description: "As for the API."
})

const historySchema = Schema.Struct({
  now: Schema.String,
  earlier: objects(null, {
    at: Schema.String,
    request: requestSchema,
    repeat: Schema.optionalKey(Schema.Struct({ times: Schema.Int, every: Schema.String }))
  })
})

const reportedSchema = Schema.Struct({ score: Schema.Int, control: Schema.Literals(controlTypes) })

export const witnessSchema = Schema.Struct({
  request: requestSchema,
  history: optionalKey(historySchema, "Earlier requests, as in a cases file."),
  from: reportedSchema.annotate({ description: "The first rulebook's result for it." }),
  to: reportedSchema
})

type EntryJson = NonNullable<SituationJson["history"]>["earlier"][number]

const valueText = (value: unknown): string => {
  if (typeof value === "number") return value.toLocaleString("en-US", { maximumFractionDigits: 9 })
  if (typeof value === "object") return onOneLine(JSON.stringify(value))
  return shownName(String(value), quotedTextMax)
}

/** `invoice.pay in staging, financial_value 500, destination partners.example.com` */
export const requestText = ({ action_type, environment, ...rest }: JsonObject): string =>
  [
    `${valueText(action_type)} in ${valueText(environment)}`,
    ...Object.entries(rest).map(([field, value]) => `${field} ${valueText(value)}`)
  ].join(", ")

/** `2026-11-10 09:00` */
const minute = (instant: string): string => instant.slice(0, 16).replace("T", " ")

const timeText = ({ at, repeat }: EntryJson): string =>
  repeat === undefined
    ? `on ${minute(at)}`
    : `${repeat.times} times, every ${repeat.every} from ${minute(at)} on`

const moveStyle = (from: number, to: number): Style => (to < from ? "red" : to > from ? "yellow" : "plain")

/** `40 → 28`, padded to `width`. */
const scoreChange = (screen: Terminal, { from, to }: Witness, width: number): string =>
  screen.color(moveStyle(from.score, to.score), `${from.score} → ${to.score}`.padEnd(width))

/** Empty if the control does not change. */
const controlChange = (screen: Terminal, { from, to }: Witness): ReadonlyArray<string> => {
  const style = moveStyle(controlRank(from.control), controlRank(to.control))
  return from.control === to.control ? [] : [screen.color(style, `${from.control} → ${to.control}`)]
}

const scoresWidth = 9

/** Both scores, the request, both controls if they differ, and the earlier requests. Each line is indented by `indent` spaces. */
export const renderWitness = (screen: Terminal, witness: Witness, indent: number): ReadonlyArray<string> => {
  const { history, request } = witness
  const space = " ".repeat(indent)
  const beside = " ".repeat(scoresWidth)
  const wrapped = (text: string) => wrap(text, screen.width - indent - scoresWidth)
  const past = lines(
    history?.earlier.map((entry) => `after ${requestText(entry.request)}, ${timeText(entry)}`),
    history !== undefined && `asked on ${minute(history.now)}`
  )
  const scores = scoreChange(screen, witness, scoresWidth)
  return [
    ...wrapped(requestText(request)).map((line, i) => `${space}${i === 0 ? scores : beside}${line}`),
    ...controlChange(screen, witness).map((line) => `${space}${beside}${line}`),
    ...past.flatMap(wrapped).map((line) => `${space}${beside}${screen.color("dim", line)}`)
  ]
}
