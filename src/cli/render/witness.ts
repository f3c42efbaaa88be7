/** A witness on a few lines: both scores, the request, and what was asked before it. */

import type { SituationJson, Witness } from "../../rules/witness/Witness.ts"
import type { Sheet, Style } from "./Sheet.ts"
import { wrap } from "./wrap.ts"

type RequestJson = SituationJson["request"]
type EntryJson = NonNullable<SituationJson["history"]>["earlier"][number]

const shown = (value: unknown): string =>
  typeof value === "number" ? value.toLocaleString("en-US", { maximumFractionDigits: 9 }) : String(value)

/** `invoice.pay in staging, financial_value 500, destination partners.example.com` */
const told = ({ action_type, environment, ...rest }: RequestJson): string =>
  [
    `${action_type} in ${environment}`,
    ...Object.entries(rest).map(([field, value]) => `${field} ${shown(value)}`)
  ].join(", ")

/** `2026-11-10 09:00` */
const minute = (instant: string): string => instant.slice(0, 16).replace("T", " ")

const when = ({ at, repeat }: EntryJson): string =>
  repeat === undefined
    ? `on ${minute(at)}`
    : `${repeat.times} times, every ${repeat.every} from ${minute(at)} on`

const styleOf = (from: number, to: number): Style => (to < from ? "red" : to > from ? "yellow" : "plain")

/** `40 → 28`, padded to `width`. */
export const scoreMove = (sheet: Sheet, { fromScore, toScore }: Witness, width = 0): string =>
  sheet.ink(styleOf(fromScore, toScore), `${fromScore} → ${toScore}`.padEnd(width))

const scoresWidth = 9

/** Each line starts with `indent` spaces. */
export const renderWitness = (sheet: Sheet, witness: Witness, indent: number): ReadonlyArray<string> => {
  const { history, request } = witness
  const space = " ".repeat(indent)
  const beside = " ".repeat(scoresWidth)
  const lines = (text: string) => wrap(text, sheet.width - indent - scoresWidth)
  const past = [
    ...(history?.earlier ?? []).map((entry) => `after ${told(entry.request)}, ${when(entry)}`),
    ...(history === undefined ? [] : [`asked on ${minute(history.now)}`])
  ]
  const scores = scoreMove(sheet, witness, scoresWidth)
  return [
    ...lines(told(request)).map((line, i) => `${space}${i === 0 ? scores : beside}${line}`),
    ...past.flatMap(lines).map((line) => `${space}${beside}${sheet.ink("dim", line)}`)
  ]
}
