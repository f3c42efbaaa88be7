/** API keys as they are stored: by keyed hash, bound to an organization and a mode, never readable again. */

import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { createHmac, randomBytes, randomUUID } from "node:crypto"
import type { Environment } from "../domain/Action.ts"
import { formatKey } from "../domain/ApiKey.ts"
import type { Caller, Mode, Scope } from "../domain/Caller.ts"
import type { Organization } from "./Organizations.ts"
import { Secrets } from "./Secrets.ts"
import { ControlSql } from "./sql/Sql.ts"
import { withBatchTimeout } from "./timeouts.ts"

interface NewKey {
  readonly mode: Mode
  readonly scopes: ReadonlyArray<Scope>
  /** Null means all. */
  readonly environments: ReadonlyArray<Environment> | null
  /** Null means never. */
  readonly expiresAt: Date | null
}

export interface ApiKey extends NewKey {
  readonly id: string
  /** The organization's slug. */
  readonly organization: string
  readonly revokedAt: Date | null
  readonly createdAt: Date
}

/** What authentication finds; whether the key has lapsed is for it to judge, by its own clock. */
export interface FoundKey {
  readonly caller: Caller
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
}

class KeyNotFound extends Schema.TaggedError<KeyNotFound>()("KeyNotFound", { id: Schema.String }) {}

interface Row {
  readonly id: string
  readonly organization_id: string
  readonly organization: string
  readonly policy_set: string
  readonly mode: Mode
  readonly scopes: ReadonlyArray<Scope>
  readonly environments: ReadonlyArray<Environment> | null
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly created_at: Date
}

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** `key` is told this once. */
    readonly create: (
      organization: Organization,
      key: NewKey
    ) => Effect.Effect<ApiKey & { readonly key: string }, SqlError.SqlError>
    /** Oldest first, revoked and expired ones too. */
    readonly list: (organization: Organization) => Effect.Effect<ReadonlyArray<ApiKey>, SqlError.SqlError>
    /** The moment of the first revocation; a second one changes nothing. */
    readonly revoke: (id: string) => Effect.Effect<Date, KeyNotFound | SqlError.SqlError>
    readonly findByHash: (hash: Uint8Array) => Effect.Effect<Option.Option<FoundKey>, SqlError.SqlError>
    readonly count: Effect.Effect<number, SqlError.SqlError>
  }
>()("action-risk/storage/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const sql = yield* ControlSql
      const hasher = yield* KeyHasher

      const create = Effect.fn("ApiKeys.create")(function* (organization: Organization, wanted: NewKey) {
        const { environments, expiresAt, mode, scopes } = wanted
        const key = formatKey(mode, randomBytes(32))
        const [hash] = hasher.hashes(key)
        const [row] = yield* sql<Pick<Row, "id" | "created_at">>`
          INSERT INTO api_keys (id, organization_id, mode, key_hash, scopes, environments, expires_at)
          VALUES (
            ${randomUUID()}, ${organization.id}, ${mode}, ${hash}, ${scopes}, ${environments}, ${expiresAt}
          )
          RETURNING id, created_at
        `
        const { created_at: createdAt, id } = yield* Effect.fromNullishOr(row).pipe(Effect.orDie)
        return { ...wanted, id, createdAt, key, organization: organization.slug, revokedAt: null }
      })

      const list = Effect.fn("ApiKeys.list")(function* (organization: Organization) {
        const rows = yield* sql<Row>`
          ${keys} WHERE organizations.id = ${organization.id} ORDER BY api_keys.created_at, api_keys.id
        `
        return rows.map(apiKeyOf)
      })

      const revoke = Effect.fn("ApiKeys.revoke")(function* (id: string) {
        const [row] = yield* sql<{ readonly revoked_at: Date }>`
          UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id::text = ${id} RETURNING revoked_at
        `
        return row === undefined ? yield* new KeyNotFound({ id }) : row.revoked_at
      })

      const findByHash = Effect.fn("ApiKeys.findByHash")(function* (hash: Uint8Array) {
        const [row] = yield* withBatchTimeout(sql<Row>`${keys} WHERE api_keys.key_hash = ${hash}`)
        return Option.map(Option.fromNullishOr(row), foundKeyOf)
      })

      const count = Effect.map(
        sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM api_keys`,
        ([row]) => row?.count ?? 0
      ).pipe(Effect.withSpan("ApiKeys.count"))

      const keys = sql`
        SELECT api_keys.*, organizations.slug AS organization, organizations.policy_set
        FROM api_keys JOIN organizations ON organizations.id = api_keys.organization_id
      `

      return ApiKeys.of({ create, list, revoke, findByHash, count })
    })
  )
}

const apiKeyOf = (row: Row): ApiKey => ({
  id: row.id,
  organization: row.organization,
  mode: row.mode,
  scopes: row.scopes,
  environments: row.environments,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  createdAt: row.created_at
})

const foundKeyOf = (row: Row): FoundKey => ({
  caller: {
    organizationId: row.organization_id,
    organization: row.organization,
    mode: row.mode,
    keyId: row.id,
    scopes: row.scopes,
    environments: row.environments,
    policySet: row.policy_set
  },
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at
})

/** Hashes API keys with the secret peppers: a copy of the database alone tells nothing about any key. */
export class KeyHasher extends Context.Service<
  KeyHasher,
  {
    /** HMAC-SHA256 by each pepper, newest first: look the key up by one after the other. */
    readonly hashes: (key: string) => readonly [Uint8Array, ...ReadonlyArray<Uint8Array>]
  }
>()("action-risk/storage/KeyHasher") {
  static readonly layer = Layer.effect(
    KeyHasher,
    Effect.map(Secrets, ({ keyPeppers: [newest, ...older] }) =>
      KeyHasher.of({
        hashes: (key) => [hmacSha256(newest, key), ...older.map((pepper) => hmacSha256(pepper, key))]
      })
    )
  )
}

const hmacSha256 = (pepper: Redacted.Redacted, key: string): Uint8Array =>
  createHmac("sha256", Redacted.value(pepper)).update(key).digest()
