/** `action-risk orgs list`: every organization, by slug. */

import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { Organizations } from "../../../storage/Organizations.ts"
import { json } from "../../options/json.ts"
import { headings } from "../../render/headings.ts"
import { terminal } from "../../render/Sheet.ts"
import { table } from "../../render/table.ts"
import { Stores } from "../../Stores.ts"
import { organizationJson } from "./create.ts"

export const listOrganizations = Command.make(
  "list",
  { json },
  Effect.fnUntraced(function* (options) {
    const organizations = yield* Organizations.use(({ list }) => list).pipe(Effect.provide(Stores))
    if (options.json) {
      return yield* Console.log(JSON.stringify({ organizations: organizations.map(organizationJson) }))
    }
    if (organizations.length === 0)
      return yield* Console.log("no organizations yet: action-risk orgs create <slug>")
    const rows = organizations.map(({ createdAt, name, policySet, slug }) => [
      slug,
      name,
      policySet,
      createdAt.toISOString()
    ])
    const head = headings("organization", "name", "policies", "created")
    yield* Console.log(table(terminal(), [head, ...rows], 0).join("\n"))
  })
).pipe(
  Command.withDescription("List the organizations"),
  Command.withExamples([{ command: "action-risk orgs list --json", description: "For scripts" }])
)
