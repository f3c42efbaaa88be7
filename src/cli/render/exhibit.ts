/** One rule file for people: what it is, when each of its rules holds, and what is known about it. */

import type { Sheet } from "./Sheet.ts"
import { type Row, table } from "./table.ts"
import { wrap } from "./wrap.ts"

export interface ShownFile {
  readonly name: string
  /** A few words beside the name. */
  readonly aside: string
  readonly sentence: string
  /** When it holds, and what it gives then. */
  readonly rules: ReadonlyArray<Row>
  readonly notes: ReadonlyArray<readonly [label: string, text: string]>
}

export const renderExhibit = (sheet: Sheet, { aside, name, notes, rules, sentence }: ShownFile): string =>
  [
    `${sheet.ink("bold", name)}  ${sheet.ink("dim", aside)}`,
    ...wrap(sentence, sheet.width),
    "",
    ...table(sheet, rules),
    "",
    ...table(
      sheet,
      notes.map(([label, text]) => [{ text: label, style: "dim" }, text])
    )
  ].join("\n")

export const casesText = (
  cases: { readonly total: number; readonly expecting: Readonly<Record<string, number>> } | null
): string => {
  if (cases === null) return "none beside it"
  const each = Object.entries(cases.expecting).map(([outcome, count]) => `${count} expecting ${outcome}`)
  return `${cases.total}: ${each.join(", ")}`
}
