/** Prints what differs between two rulebooks; whatever that is, it is no failure. */

import { Console, Effect } from "effect"
import type { Change, ChangeKind, Diff } from "../rules/diff/Diff.ts"
import { diffRulebooks } from "../rules/diff/diffRulebooks.ts"
import type { LocatedFinding } from "../rules/LocatedFinding.ts"
import { locator } from "../rules/locate.ts"
import { packageRoot } from "../rules/packageRoot.ts"
import type { Rulebook } from "../rules/Rulebook.ts"
import { readLifelike } from "../rules/witness/lifelike.ts"
import type { Format } from "./options/format.ts"
import { countsOf, renderDiff } from "./render/diff.ts"
import { renderFindings } from "./render/findings.ts"
import { terminal } from "./render/Sheet.ts"
import { diffJson } from "./shapes/diff.ts"

interface Options {
  readonly json: boolean
  readonly format: Format
}

const shown = ({ code, kind, summary, witness }: Change): string => {
  const says = `${code} ${titles[kind]}: ${summary}`
  if (witness === undefined) return says
  const { fromScore, history, request, toScore } = witness
  const past = history === undefined ? "" : " with a history"
  return `${says}; ${fromScore} → ${toScore} for \`${JSON.stringify(request)}\`${past}`
}

const titles: Readonly<Record<ChangeKind, string>> = {
  looser: "is looser",
  moved: "moved",
  stricter: "is stricter",
  text: "is reworded"
}

/** A part of a release stands in the release's file. */
const fileOf = ({ file }: Change): string => file.replace(/ \(.*\)$/, "")

const findingsOf = (diff: Diff): ReadonlyArray<LocatedFinding> => {
  const locate = locator(packageRoot)
  return diff.changes.map((change) => {
    const [part, ...path] = change.code.split(".")
    const file = fileOf(change)
    const spot = { file, path: part === "ruleset" ? path : change.kind === "text" ? [] : ["rules"] }
    return { rule: change.kind, severity: "warning", file, ...locate(spot), message: shown(change) }
  })
}

export const printDiff = Effect.fn("cli.printDiff")(function* (
  command: string,
  from: Rulebook,
  to: Rulebook,
  { format, json }: Options
) {
  const diff = diffRulebooks(from, to, readLifelike(packageRoot))
  if (json) return yield* Console.log(JSON.stringify(diffJson(diff), null, 2))
  if (format === "pretty") return yield* Console.log(renderDiff(terminal(), diff))
  const page = { command, scope: `${diff.from} → ${diff.to}: ${countsOf(diff)}`, findings: findingsOf(diff) }
  yield* Console.log(renderFindings(format, page, packageRoot))
})
