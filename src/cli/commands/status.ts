/** `action-risk status`: whether the service runs, and what its database holds. It changes nothing. */

import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { schemaVersion } from "../../storage/migrate.ts"
import { json } from "../options/json.ts"
import { Refused } from "../Refused.ts"
import { type Style, terminal } from "../render/Sheet.ts"
import { table } from "../render/table.ts"
import { type Survey, survey } from "./status/survey.ts"

export const status = Command.make(
  "status",
  { json },
  Effect.fnUntraced(function* (options) {
    const found = yield* survey
    yield* Console.log(options.json ? JSON.stringify(statusJson(found)) : render(found))
    if (found.problem !== null) return yield* new Refused({ message: found.problem })
  })
).pipe(
  Command.withDescription("Tell whether the service runs and what its database holds"),
  Command.withExamples([
    { command: "action-risk status --json", description: "For scripts; exit code 1 without a database" }
  ])
)

const statusJson = (found: Survey) => ({
  server: found.serving ? "running" : "stopped",
  database: { kind: found.kind, reachable: found.problem === null },
  schema_version: found.schemaVersion,
  schema_version_of_this_release: schemaVersion,
  organizations: found.organizations,
  keys: found.keys
})

const render = (found: Survey): string => {
  const schema = `${found.schemaVersion ?? "none"}${found.schemaVersion === schemaVersion ? "" : ` (this release has ${schemaVersion})`}`
  const rows = [
    ["server", mark(found.serving, "running", "stopped")],
    ["database", mark(found.problem === null, `${found.kind}, reachable`, `${found.kind}, not reachable`)],
    ["schema version", schema],
    ["organizations", String(found.organizations ?? "unknown")],
    ["keys", String(found.keys ?? "unknown")]
  ]
  return table(terminal(), rows, 0).join("\n")
}

const mark = (good: boolean, yes: string, no: string): { readonly text: string; readonly style: Style } =>
  good ? { text: yes, style: "green" } : { text: no, style: "yellow" }
