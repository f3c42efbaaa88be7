/** `action-risk keys list`: the keys of an organization, oldest first, never the keys themselves. */

import { Clock, Console, Effect } from "effect"
import { Command } from "effect/cli"
import { type ApiKey, ApiKeys } from "../../../storage/ApiKeys.ts"
import { json } from "../../options/json.ts"
import { org, organizationOf } from "../../options/organization.ts"
import { headings } from "../../render/headings.ts"
import { keyJson } from "../../render/keyJson.ts"
import { terminal } from "../../render/Sheet.ts"
import { table } from "../../render/table.ts"
import { Stores } from "../../Stores.ts"

export const listKeys = Command.make(
  "list",
  { org, json },
  Effect.fnUntraced(function* (options) {
    const keys = yield* organizationOf(options.org).pipe(
      Effect.flatMap((organization) => ApiKeys.use(({ list }) => list(organization))),
      Effect.provide(Stores)
    )
    if (options.json) return yield* Console.log(JSON.stringify({ keys: keys.map(listed) }))
    if (keys.length === 0) return yield* Console.log("no keys yet: action-risk keys create --help")
    const now = yield* Clock.currentTimeMillis
    const rows = keys.map((key) => [
      key.id,
      key.mode,
      key.scopes.join(","),
      key.environments?.join(",") ?? "all",
      stateOf(key, now)
    ])
    const head = headings("key id", "mode", "scopes", "environments", "state")
    yield* Console.log(table(terminal(), [head, ...rows], 0).join("\n"))
  })
).pipe(
  Command.withDescription("List the keys of an organization"),
  Command.withExamples([
    { command: "action-risk keys list --org acme", description: "Also revoked and expired ones" }
  ])
)

const listed = (key: ApiKey) => ({
  ...keyJson(key),
  revoked_at: key.revokedAt?.toISOString() ?? null,
  created_at: key.createdAt.toISOString()
})

const stateOf = ({ expiresAt, revokedAt }: ApiKey, now: number): string => {
  if (revokedAt !== null) return `revoked ${revokedAt.toISOString()}`
  if (expiresAt === null) return "never expires"
  return `${expiresAt.getTime() <= now ? "expired" : "expires"} ${expiresAt.toISOString()}`
}
