/** `action-risk keys`: the operator creates, lists and revokes API keys. The API has no endpoint for this. */

import { Clock, Effect, Layer, Schema } from "effect"
import { Flag } from "effect/cli"
import { IsoMillisDate, Uuid } from "../../api/Scalars.ts"
import { environments } from "../../domain/Action.ts"
import { modes, type Scope, scopes } from "../../domain/Caller.ts"
import { testKeyExpiryMs } from "../../limits.ts"
import { type ApiKey, ApiKeys } from "../../storage/ApiKeys.ts"
import { organizationOf, pepperedStores, Stores } from "../Stores.ts"
import { headings, table, type Terminal } from "../Terminal.ts"
import { refuse } from "../commandFailures.ts"
import {
  databaseSettings,
  durationMsFlag,
  elseNull,
  flagOr,
  idArgument,
  keyNameFlag,
  orgFlag,
  wordListFlag
} from "../flags.ts"
import { list, members, nullOr, optionalKey, ownerFields, string } from "../jsonShapes.ts"
import { verb } from "../verb.ts"

const keyId = { id: Uuid }
const named = { id: "key_id" } as const

const keyFields = {
  name: optionalKey(Schema.String, "The person or program that has it; absent if no name was given."),
  ...ownerFields,
  scopes: Schema.Array(Schema.Literals(scopes)),
  environments: nullOr(
    Schema.Array(Schema.Literals(environments)),
    "The environments whose actions it may assess, report on and close reviews of; null for all."
  ),
  expiresAt: nullOr(IsoMillisDate, "Null if it never expires.")
}

const createShape = members({ ...keyId, key: string("The key, shown this once."), ...keyFields }, named)

const listShape = members({
  keys: list(
    members(
      {
        ...keyId,
        ...keyFields,
        revokedAt: nullOr(IsoMillisDate, "Null if it was not revoked."),
        createdAt: IsoMillisDate
      },
      named
    ),
    "Oldest first."
  )
})

const revokeShape = members({ ...keyId, revokedAt: IsoMillisDate }, named)

/** In JSON, a key without a name omits the member. */
const withoutNull = <Key extends Pick<ApiKey, "name">>({ name, ...key }: Key) =>
  name === null ? key : { name, ...key }

const defaultScopes: ReadonlyArray<Scope> = ["assess"]

export const createKey = verb({
  about: "Create an API key and print it; it is never shown again",
  takes: {
    org: orgFlag,
    mode: Flag.Literals("mode", modes).pipe(
      Flag.withDescription("Whether the key is for live or for test data")
    ),
    name: elseNull(keyNameFlag, "The person or program that has it: closed reviews show this name"),
    scopes: flagOr(
      wordListFlag("scopes", scopes),
      defaultScopes,
      "The operations that it allows (default: assess)"
    ),
    expiresIn: elseNull(
      durationMsFlag("expires-in"),
      "How long it is valid (default: test keys 30d, live keys for ever)"
    ),
    environments: elseNull(
      wordListFlag("environments", environments),
      "The environments whose actions it may assess, report on and close reviews of (default: all)"
    )
  },
  prints: createShape,
  fails: "there is no such organization",
  reads: `${databaseSettings} and, with an external database, \`KEY_PEPPER\``,
  examples: {
    "--org acme --mode test": "Assess only, for 30 days",
    "--org acme --mode live --scopes assess,read --expires-in 90d": "A live key that expires",
    "--org acme --mode live --name 'Ada, risk desk' --scopes read,reviews,explain":
      "A reviewer's key: the reviews that she closes show her name",
    "--org acme --mode test --environments staging,sandbox --json": "Never for production, for scripts"
  },
  run: Effect.fnUntraced(function* ({ environments, expiresIn, mode, name, org, scopes }) {
    const lifeMs = expiresIn ?? (mode === "test" ? testKeyExpiryMs : null)
    const now = yield* Clock.currentTimeMillis
    const expiresAt = lifeMs === null ? null : new Date(now + lifeMs)
    const made = yield* organizationOf(org).pipe(
      Effect.flatMap((organization) =>
        ApiKeys.use(({ create }) => create(organization, { mode, name, scopes, environments, expiresAt }))
      ),
      Effect.provide(pepperedStores.pipe(Layer.provideMerge(Stores)))
    )
    return {
      json: () => withoutNull(made),
      text: () => made.key,
      note: `shown this once; id ${made.id}, scopes ${made.scopes.join(",")}, expires ${made.expiresAt?.toISOString() ?? "never"}`
    }
  })
})

export const listKeys = verb({
  about: "List the keys of an organization",
  takes: { org: orgFlag },
  prints: listShape,
  fails: "there is no such organization",
  reads: databaseSettings,
  examples: {
    "--org acme": "Also revoked and expired ones"
  },
  run: Effect.fnUntraced(function* ({ org }) {
    const keys = yield* organizationOf(org).pipe(
      Effect.flatMap((organization) => ApiKeys.use(({ list }) => list(organization))),
      Effect.provide(Stores)
    )
    const now = yield* Clock.currentTimeMillis
    return { json: () => ({ keys: keys.map(withoutNull) }), text: (screen) => renderKeys(screen, keys, now) }
  })
})

const renderKeys = (screen: Terminal, keys: ReadonlyArray<ApiKey>, now: number): string => {
  if (keys.length === 0) return "no keys yet: action-risk keys create --help"
  const rows = keys.map((key) => [
    key.id,
    key.name ?? "",
    key.mode,
    key.scopes.join(","),
    key.environments?.join(",") ?? "all",
    stateOf(key, now)
  ])
  const head = headings("key id", "name", "mode", "scopes", "environments", "state")
  return table(screen, [head, ...rows], 0).join("\n")
}

const stateOf = ({ expiresAt, revokedAt }: ApiKey, now: number): string => {
  if (revokedAt !== null) return `revoked ${revokedAt.toISOString()}`
  if (expiresAt === null) return "never expires"
  return `${expiresAt.getTime() <= now ? "expired" : "expires"} ${expiresAt.toISOString()}`
}

export const revokeKey = verb({
  about: "Revoke a key; it takes effect everywhere within 5 seconds",
  takes: {
    id: idArgument("key id", "As `keys list` shows it", "keys list")
  },
  prints: revokeShape,
  fails: "there is no such key",
  reads: databaseSettings,
  examples: {
    "0b0f7d0e-6c1f-4f4e-9a55-2f6a8f2f9f55": "By the id that `keys list` shows"
  },
  run: Effect.fnUntraced(function* ({ id }) {
    const revokedAt = yield* ApiKeys.use(({ revoke }) => revoke(id)).pipe(
      Effect.catchTag("KeyNotFound", () =>
        refuse(`there is no key with the id \`${id}\`: see action-risk keys list`)
      ),
      Effect.provide(Stores)
    )
    return {
      json: () => ({ id, revokedAt }),
      text: () => `key ${id} revoked at ${revokedAt.toISOString()}`
    }
  })
})
