/** A diff for people: what got looser first, each change in a sentence and with a request that shows it. */

import { type Change, type ChangeKind, changeKinds, type Diff } from "../../rules/diff/Diff.ts"
import type { Sheet, Style } from "./Sheet.ts"
import { renderWitness } from "./witness.ts"
import { wrap } from "./wrap.ts"

const titles: Readonly<Record<ChangeKind, readonly [title: string, style: Style]>> = {
  looser: ["Looser: only lowers what rules find", "red"],
  moved: ["Moved: raises some and lowers some", "yellow"],
  stricter: ["Stricter: only raises what rules find", "cyan"],
  text: ["Text only: no score is made of it", "dim"]
}

const unseen = "no request was found that shows it"
const sameScore = "the score stays the same, what is said beside it does not"

const shown = (sheet: Sheet, { kind, witness }: Change): ReadonlyArray<string> => {
  if (witness !== undefined) {
    const stays = witness.fromScore === witness.toScore
    return [...renderWitness(sheet, witness, 4), ...(stays ? [`    ${sheet.ink("dim", sameScore)}`] : [])]
  }
  return kind === "text" ? [] : [`    ${sheet.ink("dim", unseen)}`]
}

const renderChange = (sheet: Sheet, change: Change): ReadonlyArray<string> => [
  `  ${sheet.ink("bold", change.code)}`,
  ...wrap(change.summary, sheet.width - 4).map((line) => `    ${line}`),
  ...shown(sheet, change)
]

export const countsOf = ({ changes }: Diff): string => {
  const counts = changeKinds.flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length
    return count === 0 ? [] : [`${count} ${kind}`]
  })
  return `${changes.length} ${changes.length === 1 ? "change" : "changes"}: ${counts.join(", ")}`
}

export const renderDiff = (sheet: Sheet, diff: Diff): string => {
  const between = `${diff.from} → ${diff.to}`
  if (diff.changes.length === 0) return `${between}: nothing changed`
  const sections = changeKinds.flatMap((kind) => {
    const own = diff.changes.filter((change) => change.kind === kind)
    const [title, style] = titles[kind]
    const blocks = own.map((change) => renderChange(sheet, change).join("\n"))
    return own.length === 0 ? [] : [[sheet.ink(style, title), ...blocks].join("\n\n")]
  })
  return [sheet.ink("bold", `${between}: ${countsOf(diff)}`), ...sections].join("\n\n")
}
