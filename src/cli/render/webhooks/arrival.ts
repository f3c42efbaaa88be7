/** A delivery in the terminal: what it tells first, then whether it can be believed. */

import { Option, Schema } from "effect"
import { actionRiskLevels } from "../../../domain/Level.ts"
import type { Arrival } from "../../webhooks/Arrival.ts"
import { plain } from "../plain.ts"
import type { Sheet } from "../Sheet.ts"
import { styleOf } from "../styleOf.ts"

/** The part of events that is shown; whoever sent it, nothing else of it reaches the terminal. */
const Told = Schema.Struct({
  type: Schema.String,
  data: Schema.Struct({
    normalized_action_type: Schema.optionalKey(Schema.String),
    environment: Schema.optionalKey(Schema.String),
    action_risk: Schema.optionalKey(
      Schema.Struct({ score: Schema.Number, level: Schema.Literals(actionRiskLevels) })
    ),
    recommended_control: Schema.optionalKey(Schema.Struct({ type: Schema.String })),
    links: Schema.optionalKey(Schema.Struct({ assessment: Schema.String }))
  })
})
type Told = typeof Told.Type

const told = Schema.decodeUnknownOption(Told)

const indent = " ".repeat(10)

const eventLines = ({ ink }: Sheet, { data, type }: Told): ReadonlyArray<string> => {
  const { action_risk: risk, normalized_action_type: action, recommended_control: control } = data
  const badge =
    risk === undefined ? "" : ` ${ink(styleOf[risk.level], ` ${risk.level.toUpperCase()} ${risk.score} `)}`
  const asked = action === undefined ? "" : ` ${plain(action)} in ${plain(data.environment ?? "")}`
  const links = data.links === undefined ? [] : [data.links.assessment]
  const advice = control === undefined ? [] : [control.type]
  return [`${plain(type)}${badge}${asked}`, ...[...advice, ...links].map((line) => indent + plain(line))]
}

const trust = ({ ink }: Sheet, { again, answered, eventId, problem, verified }: Arrival): string => {
  const words = [
    eventId === null ? "without an id" : plain(eventId),
    problem === null
      ? ink("green", "verified")
      : ink(verified === null ? "yellow" : "red", `not verified: ${problem}`),
    ...(again ? [ink("yellow", "came before")] : []),
    `answered ${answered}`
  ]
  return indent + words.join(", ")
}

export const renderArrival = (sheet: Sheet, arrival: Arrival): string => {
  const time = sheet.ink("dim", arrival.receivedAt.toISOString().slice(11, 19))
  const [first, ...more] = Option.match(told(arrival.event), {
    onNone: () => ["something that is no event of ours"],
    onSome: (event) => eventLines(sheet, event)
  })
  return [`${time}  ${first}`, ...more, trust(sheet, arrival)].join("\n")
}
