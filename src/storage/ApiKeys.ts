/** Stores API keys as keyed hashes, each bound to an organization and a mode. A stored key cannot be read back. */

import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { createHmac, randomBytes, randomUUID } from "node:crypto"
import { environments } from "../domain/Action.ts"
import { formatKey } from "../domain/ApiKey.ts"
import { type Caller, modes, scopes } from "../domain/Caller.ts"
import { keyLookupBatchMax } from "../limits.ts"
import type { Organization } from "./Organizations.ts"
import { Secrets } from "./Secrets.ts"
import { makeBatchedStatement } from "./sql/BatchedStatement.ts"
import { decodeRows } from "./sql/rows.ts"
import { ControlSql } from "./sql/Sql.ts"

const KeyRow = Schema.Struct({
  id: Schema.String,
  /** The name that the operator gave the key; null if unnamed. */
  name: Schema.NullOr(Schema.String),
  /** The organization's slug. */
  organization: Schema.String,
  mode: Schema.Literals(modes),
  scopes: Schema.Array(Schema.Literals(scopes)),
  /** Null means all. */
  environments: Schema.NullOr(Schema.Array(Schema.Literals(environments))),
  /** Null means never. */
  expiresAt: Schema.NullOr(Schema.Date),
  revokedAt: Schema.NullOr(Schema.Date),
  createdAt: Schema.Date
})

export type ApiKey = typeof KeyRow.Type

type NewKey = Pick<ApiKey, "mode" | "scopes" | "environments" | "expiresAt"> & Partial<Pick<ApiKey, "name">>

const CreatedRow = Schema.Struct({ id: Schema.String, createdAt: Schema.Date })
const RevokedRow = Schema.Struct({ revokedAt: Schema.Date })
const CountRow = Schema.Struct({ count: Schema.Int })

/** A key as read by authentication, which compares the two times with its own clock. */
export interface FoundKey {
  readonly caller: Caller
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
}

class KeyNotFound extends Schema.TaggedError<KeyNotFound>()("KeyNotFound", { id: Schema.String }) {}

/** A row of `foundKeyColumns`. */
export type FoundKeyRow = Caller & Omit<FoundKey, "caller">

/** Columns of `api_keys` and `organizations`. */
export const foundKeyColumns = `api_keys.id AS "keyId", api_keys.name AS "keyName", organization_id AS "organizationId",
  organizations.slug AS organization, mode, scopes, environments, policy_set AS "policySet", expires_at AS "expiresAt",
  revoked_at AS "revokedAt"`

export const foundKeyOf = ({ expiresAt, revokedAt, ...caller }: FoundKeyRow): FoundKey => ({
  caller,
  expiresAt,
  revokedAt
})

export class ApiKeys extends Context.Service<ApiKeys>()("action-risk/storage/ApiKeys", {
  make: Effect.gen(function* () {
    const sql = yield* ControlSql
    const findTogether = yield* makeFinder(sql)

    /** The plain `key` is returned only here and never again. Only this operation needs the peppers. */
    const create = Effect.fn("ApiKeys.create")(function* (organization: Organization, wanted: NewKey) {
      const { environments, expiresAt, mode, name = null, scopes } = wanted
      const key = formatKey(mode, randomBytes(32))
      const [hash] = (yield* KeyHasher).hashes(key)
      const inserting = sql`
          INSERT INTO api_keys (id, name, organization_id, mode, key_hash, scopes, environments, expires_at)
          VALUES (
            ${randomUUID()}, ${name}, ${organization.id}, ${mode}, ${hash}, ${scopes}, ${environments}, ${expiresAt}
          )
          RETURNING id, created_at
        `
      const [row] = yield* decodeRows(CreatedRow)(inserting)
      const { createdAt, id } = yield* Effect.fromNullishOr(row).pipe(Effect.orDie)
      return { ...wanted, id, name, createdAt, key, organization: organization.slug, revokedAt: null }
    })

    /** Oldest first. Includes revoked and expired keys. */
    const list = Effect.fn("ApiKeys.list")(function* (organization: Organization) {
      return yield* decodeRows(KeyRow)(sql`
          SELECT *, ${organization.slug}::text AS organization FROM api_keys
          WHERE organization_id = ${organization.id} ORDER BY created_at, id
        `)
    })

    /** Returns the time of the first revocation. A second one changes nothing. */
    const revoke = Effect.fn("ApiKeys.revoke")(function* (id: string) {
      const updating = sql`
          UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id::text = ${id} RETURNING revoked_at
        `
      const [row] = yield* decodeRows(RevokedRow)(updating)
      return row === undefined ? yield* new KeyNotFound({ id }) : row.revokedAt
    })

    /** Concurrent calls share a statement. */
    const findByHash = Effect.fn("ApiKeys.findByHash")((hash: Uint8Array) => findTogether(hash))

    const count = Effect.map(
      decodeRows(CountRow)(sql`SELECT count(*)::int AS count FROM api_keys`),
      ([row]) => row?.count ?? 0
    ).pipe(Effect.withSpan("ApiKeys.count"))

    return { create, list, revoke, findByHash, count }
  })
}) {
  static readonly layer = Layer.effect(ApiKeys, ApiKeys.make)
}

/** Batched, because anyone can ask for keys that do not exist: a statement for each would take all connections. */
const makeFinder = (sql: SqlClient.SqlClient) =>
  makeBatchedStatement({
    name: "find_keys",
    batchMax: keyLookupBatchMax,
    inFlightMax: 1,
    run: (hashes: ReadonlyArray<Uint8Array>) =>
      Effect.map(
        sql<FoundKeyRow & { readonly keyHash: Uint8Array }>`
          SELECT key_hash AS "keyHash", ${sql.literal(foundKeyColumns)}
          FROM api_keys JOIN organizations ON organizations.id = api_keys.organization_id
          WHERE key_hash = ANY (${hashes}::bytea[])
        `,
        (rows) => {
          const byHash = new Map(rows.map(({ keyHash, ...row }) => [textOf(keyHash), foundKeyOf(row)]))
          return hashes.map((hash) => Option.fromNullishOr(byHash.get(textOf(hash))))
        }
      )
  })

const textOf = (hash: Uint8Array): string => Buffer.from(hash).toString("base64")

/** Hashes API keys with the secret peppers. Without a pepper, a copy of the database is useless for guessing keys. */
export class KeyHasher extends Context.Service<
  KeyHasher,
  {
    /** The HMAC-SHA256 under each pepper, newest first. A look-up tries them one after the other. */
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
