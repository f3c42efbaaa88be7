/** `action-risk keys`: the operator creates, lists and revokes API keys. */

import { Clock, Console, Effect, Layer, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { IsoMillis, Uuid } from "../api/Scalars.ts"
import { environments } from "../domain/Action.ts"
import { modes, type Scope, scopes } from "../domain/Caller.ts"
import { testKeyExpiryMs } from "../limits.ts"
import { type ApiKey, ApiKeys } from "../storage/ApiKeys.ts"
import { organizationOf, orgFlag, pepperedStores, Stores } from "./Stores.ts"
import { currentTerminal, headings, table } from "./Terminal.ts"
import { CommandRefused } from "./commandFailures.ts"
import { durationMsFlag, jsonFlag, keyNameFlag, wordListFlag } from "./flags.ts"

const keyFields = {
  key_id: Uuid,
  name: Schema.String.pipe(Schema.optionalKey).annotate({ description: "Whose it is, where somebody said." }),
  organization: Schema.String.annotate({ description: "The slug." }),
  mode: Schema.Literals(modes),
  scopes: Schema.Array(Schema.Literals(scopes)),
  environments: Schema.NullOr(Schema.Array(Schema.Literals(environments))).annotate({
    description: "The environments it may assess actions in; null for all."
  }),
  expires_at: Schema.NullOr(IsoMillis).annotate({ description: "Null where it never expires." })
}

/** What `action-risk keys create --json` prints. */
export const keysCreateSchema = Schema.Struct({
  ...keyFields,
  key: Schema.String.annotate({ description: "The key, shown this once." })
})

/** What `action-risk keys list --json` prints. */
export const keysListSchema = Schema.Struct({
  keys: Schema.Array(
    Schema.Struct({
      ...keyFields,
      revoked_at: Schema.NullOr(IsoMillis).annotate({ description: "Null where it was not revoked." }),
      created_at: IsoMillis
    })
  ).annotate({ description: "Oldest first." })
})

/** What `action-risk keys revoke --json` prints. */
export const keysRevokeSchema = Schema.Struct({ key_id: keyFields.key_id, revoked_at: IsoMillis })

/** The part of an API key that `--json` prints everywhere: all but the secret key itself. */
const keyJson = (key: ApiKey) => ({
  key_id: key.id,
  ...(key.name === null ? {} : { name: key.name }),
  organization: key.organization,
  mode: key.mode,
  scopes: key.scopes,
  environments: key.environments,
  expires_at: key.expiresAt?.toISOString() ?? null
})

const defaultScopes: ReadonlyArray<Scope> = ["assess"]

const createKey = Command.make(
  "create",
  {
    org: orgFlag,
    mode: Flag.Literals("mode", modes).pipe(
      Flag.withDescription("Whether the key is for live or for test data")
    ),
    name: keyNameFlag.pipe(Flag.withDescription("Whose it is: reviews say who closed them"), Flag.optional),
    scopes: wordListFlag("scopes", scopes).pipe(
      Flag.withDescription("What callers may use it for (default: assess)"),
      Flag.withDefault(defaultScopes)
    ),
    expiresIn: durationMsFlag("expires-in").pipe(
      Flag.withDescription("How long it is valid (default: test keys 30d, live keys for ever)"),
      Flag.optional
    ),
    environments: wordListFlag("environments", environments).pipe(
      Flag.withDescription("The environments it may assess actions in (default: all)"),
      Flag.optional
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ environments, expiresIn, json, mode, name, org, scopes }) {
    const lifeMs = Option.getOrElse(expiresIn, () => (mode === "test" ? testKeyExpiryMs : null))
    const now = yield* Clock.currentTimeMillis
    const made = yield* organizationOf(org).pipe(
      Effect.flatMap((organization) =>
        ApiKeys.use(({ create }) =>
          create(organization, {
            mode,
            name: Option.getOrNull(name),
            scopes,
            environments: Option.getOrNull(environments),
            expiresAt: lifeMs === null ? null : new Date(now + lifeMs)
          })
        )
      ),
      Effect.provide(pepperedStores.pipe(Layer.provideMerge(Stores)))
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
  Command.withDescription("Create an API key and print it; it is never shown again"),
  Command.withExamples([
    { command: "action-risk keys create --org acme --mode test", description: "Assess only, for 30 days" },
    {
      command: "action-risk keys create --org acme --mode live --scopes assess,read --expires-in 90d",
      description: "A live key that expires"
    },
    {
      command:
        "action-risk keys create --org acme --mode live --name 'Ada, risk desk' --scopes read,reviews,explain",
      description: "A reviewer's key: the reviews that she closes say so"
    },
    {
      command: "action-risk keys create --org acme --mode test --environments staging,sandbox --json",
      description: "Never for production, for scripts"
    }
  ])
)

const listKeys = Command.make(
  "list",
  { org: orgFlag, json: jsonFlag },
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
      key.name ?? "",
      key.mode,
      key.scopes.join(","),
      key.environments?.join(",") ?? "all",
      stateOf(key, now)
    ])
    const head = headings("key id", "name", "mode", "scopes", "environments", "state")
    yield* Console.log(table(currentTerminal(), [head, ...rows], 0).join("\n"))
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

const revokeKey = Command.make(
  "revoke",
  { id: Argument.String("key id").pipe(Argument.withDescription("As `keys list` shows it")), json: jsonFlag },
  Effect.fnUntraced(function* ({ id, json }) {
    const revokedAt = yield* ApiKeys.use(({ revoke }) => revoke(id)).pipe(
      Effect.catchTag("KeyNotFound", () =>
        Effect.fail(
          new CommandRefused({ message: `there is no key with the id \`${id}\`: see action-risk keys list` })
        )
      ),
      Effect.provide(Stores)
    )
    const revoked_at = revokedAt.toISOString()
    yield* Console.log(
      json ? JSON.stringify({ key_id: id, revoked_at }) : `key ${id} revoked at ${revoked_at}`
    )
  })
).pipe(
  Command.withDescription("Revoke a key; it takes effect everywhere within 5 seconds"),
  Command.withExamples([
    {
      command: "action-risk keys revoke 0b0f7d0e-6c1f-4f4e-9a55-2f6a8f2f9f55",
      description: "By the id that `keys list` shows"
    }
  ])
)

/** Only the operator issues and revokes API keys; the API has no endpoint for it. */
export const keysCommand = Command.make("keys").pipe(
  Command.withDescription("Create, list and revoke API keys"),
  Command.withSubcommands([createKey, listKeys, revokeKey])
)
