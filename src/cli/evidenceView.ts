/** How an action was read, and the evidence behind that, as `assess --why` and `rules explain` show it. */

import { Schema } from "effect"
import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import { actionClasses } from "../domain/Action.ts"
import { quoted } from "../foreignText.ts"
import { quotedTextMax } from "../limits.ts"
import { knowledgeLines } from "../rules/explain/knowledgeLines.ts"
import { packageRoot } from "../rules/files/readTree.ts"
import { impacts } from "../scoring/reading/Act.ts"
import { type ReadingEvidence, evidenceSources } from "../scoring/reading/explainReading.ts"
import { levelStyle, type Row, table, type Terminal } from "./Terminal.ts"

export const evidenceSchema = Schema.Array(
  Schema.Struct({
    source: Schema.Literals(evidenceSources).annotate({
      description:
        "Its source: the organization's catalogue, the catalogue of a provider, the words of a name, a request, a command, an argument, or a text for people."
    }),
    field: Schema.String.annotate({ description: "The field of the request, or the path of an argument." }),
    said: Schema.String.annotate({
      description: "The characters that it comes from, cut where they are many."
    }),
    at: Schema.optionalKey(Schema.Int).annotate({
      description:
        "Where they begin in the field, in UTF-16 units. Absent: the field has them in another form."
    }),
    line: Schema.String.annotate({
      description: "The line of knowledge that they match: a form of a program, a name, a word, a signal."
    }),
    file: Schema.optionalKey(Schema.String).annotate({
      description: "The file and the number of that line in the working files, where they have it."
    }),
    type: Schema.optionalKey(Schema.String).annotate({ description: "The action, as object.verb." }),
    class: Schema.optionalKey(Schema.Literals(actionClasses)),
    impact: Schema.optionalKey(Schema.Literals(impacts)),
    lowers: Schema.Boolean.annotate({ description: "It makes the action milder." }),
    counts: Schema.Boolean.annotate({
      description: "False for a hint that gave way to what another part of the request states."
    })
  })
).annotate({ description: "The evidence for the reading of the action, the strongest first." })

type WireEvidence = (typeof evidenceSchema.Type)[number]

export const evidenceJson = (evidence: ReadonlyArray<ReadingEvidence>): ReadonlyArray<WireEvidence> => {
  const placeOf = knowledgeLines(packageRoot)
  return evidence.map((one) => {
    const { at, class: own, impact, type, ...rest } = one
    const place = placeOf(one)
    return {
      ...rest,
      ...(at === undefined ? {} : { at }),
      ...(place === undefined ? {} : { file: `${place.file}:${place.line}` }),
      ...(type === undefined ? {} : { type }),
      ...(own === undefined ? {} : { class: own }),
      ...(impact === undefined ? {} : { impact })
    }
  })
}

/** `high delete`, `lowers to low read`, `hint: moderate update`. */
const effectOf = ({ class: own, counts, impact, lowers }: WireEvidence): string =>
  [counts ? "" : "hint:", lowers ? "lowers to" : "", impact ?? "", own ?? ""]
    .filter((word) => word !== "")
    .join(" ")

/** In characters. A form of a program can be much longer, and its file has all of it. */
const lineMax = 60
const inShort = (line: string): string => (line.length > lineMax ? `${line.slice(0, lineMax - 1)}…` : line)

/** `programs/git.json:24`: leaves out the folder that all files share, to save width in a narrow terminal. */
const belowLexicon = (file: string): string => file.replace(/^rules\/lexicon\//, "")

const rowsOf = (one: WireEvidence): ReadonlyArray<Row> => {
  const { at, counts, field, file, impact, line, lowers, said } = one
  const style = counts && !lowers && impact !== undefined ? levelStyle[impact] : "dim"
  const place = at === undefined ? field : `${field} ${at}`
  return [
    [{ text: effectOf(one), style }, place, said === "" ? line : quoted(said, quotedTextMax)],
    ["", "", { text: file === undefined ? line : `${belowLexicon(file)} ${inShort(line)}`, style: "dim" }]
  ]
}

/** Each piece of evidence with its effect, its place, its characters, and the line of knowledge behind it. */
export const renderEvidence = (
  screen: Terminal,
  evidence: ReadonlyArray<WireEvidence>
): ReadonlyArray<string> => table(screen, evidence.flatMap(rowsOf))

/** How an action was read, as its answer reports it. */
export const renderReading = (
  screen: Terminal,
  { arguments: counted = [], unread = [], ...reading }: AssessmentResponse["reading"]
): ReadonlyArray<string> =>
  table(screen, [
    ...Object.entries(reading),
    ...counted.map(({ path, role }) => [path, role]),
    ...unread.map((path) => [path, "not read"])
  ])
