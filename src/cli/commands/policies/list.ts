/** `action-risk policies list`: every policy set of this installation and its versions. */

import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { type CataloguedSet, cataloguePolicySets } from "../../../rules/catalogue/policyCatalogue.ts"
import { packageRoot } from "../../../rules/packageRoot.ts"
import { json } from "../../options/json.ts"
import { headings } from "../../render/headings.ts"
import { type Sheet, terminal } from "../../render/Sheet.ts"
import { type Row, table } from "../../render/table.ts"
import type { policiesListShape } from "../../shapes/policies/list.ts"

export const listPolicies = Command.make(
  "list",
  { json },
  Effect.fnUntraced(function* (options) {
    const sets = yield* Effect.sync(() => cataloguePolicySets(packageRoot))
    yield* Console.log(
      options.json ? JSON.stringify(policiesListJson(sets), null, 2) : renderPolicySets(terminal(), sets)
    )
  })
).pipe(
  Command.withDescription("List the policy sets, their versions and who answers for them"),
  Command.withExamples([
    { command: "action-risk policies list", description: "Working folders and frozen versions" },
    { command: "action-risk policies list --json", description: "For scripts" }
  ])
)

export const policiesListJson = (sets: ReadonlyArray<CataloguedSet>): typeof policiesListShape.Encoded => ({
  sets: sets.map(({ frozen, name, working }) => ({
    name,
    working:
      working === null
        ? null
        : {
            version: working.version,
            owner: working.owner,
            description: working.description,
            rules: working.rules
          },
    frozen
  }))
})

const rowOf = ({ frozen, name, working }: CataloguedSet): Row => [
  { text: name, style: "bold" },
  working?.version ?? "none",
  frozen.length === 0 ? "none" : frozen.join(", "),
  { text: working === null ? "" : String(working.rules), align: "right" },
  working?.owner ?? "",
  working?.description ?? "its working folder cannot be read: action-risk policies check tells why"
]

export const renderPolicySets = (sheet: Sheet, sets: ReadonlyArray<CataloguedSet>): string =>
  table(
    sheet,
    [headings("set", "working", "frozen", "rules", "owner", "description"), ...sets.map(rowOf)],
    0
  ).join("\n")
