/** `action-risk keys create`: a new key, shown this once. */

import { Clock, Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { environments } from "../../../domain/Action.ts"
import { modes } from "../../../domain/Mode.ts"
import { type Scope, scopes } from "../../../domain/Scope.ts"
import { testKeyExpiryMs } from "../../../Limits.ts"
import { ApiKeys } from "../../../storage/ApiKeys.ts"
import { durationMs } from "../../options/duration.ts"
import { json } from "../../options/json.ts"
import { list } from "../../options/list.ts"
import { org, organizationOf } from "../../options/organization.ts"
import { keyJson } from "../../render/keyJson.ts"
import { Stores } from "../../Stores.ts"

const defaultScopes: ReadonlyArray<Scope> = ["assess"]

export const createKey = Command.make(
  "create",
  {
    org,
    mode: Flag.Literals("mode", modes).pipe(
      Flag.withDescription("Which of the two worlds the key belongs to")
    ),
    scopes: list("scopes", scopes).pipe(
      Flag.withDescription("What it may be used for (default: assess)"),
      Flag.withDefault(defaultScopes)
    ),
    expiresIn: durationMs("expires-in").pipe(
      Flag.withDescription("How long it lives (default: test keys 30d, live keys for ever)"),
      Flag.optional
    ),
    environments: list("environments", environments).pipe(
      Flag.withDescription("The environments it may assess actions in (default: all)"),
      Flag.optional
    ),
    json
  },
  Effect.fnUntraced(function* ({ environments, expiresIn, json, mode, org, scopes }) {
    const lifeMs = Option.getOrElse(expiresIn, () => (mode === "test" ? testKeyExpiryMs : null))
    const now = yield* Clock.currentTimeMillis
    const made = yield* organizationOf(org).pipe(
      Effect.flatMap((organization) =>
        ApiKeys.use(({ create }) =>
          create(organization, {
            mode,
            scopes,
            environments: Option.getOrNull(environments),
            expiresAt: lifeMs === null ? null : new Date(now + lifeMs)
          })
        )
      ),
      Effect.provide(Stores)
    )
    if (json) {
      const { key_id, ...rest } = keyJson(made)
      return yield* Console.log(JSON.stringify({ key_id, key: made.key, ...rest }))
    }
    yield* Console.log(made.key)
    yield* Console.error(
      `shown this once; id ${made.id}, scopes ${made.scopes.join(",")}, expires ${made.expiresAt?.toISOString() ?? "never"}`
    )
  })
).pipe(
  Command.withDescription("Create an API key and show it this once"),
  Command.withExamples([
    { command: "action-risk keys create --org acme --mode test", description: "Assess only, for 30 days" },
    {
      command: "action-risk keys create --org acme --mode live --scopes assess,read --expires-in 90d",
      description: "A live key that expires"
    },
    {
      command: "action-risk keys create --org acme --mode test --environments staging,sandbox --json",
      description: "Never for production, for scripts"
    }
  ])
)
