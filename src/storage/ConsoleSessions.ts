/** Stores the sessions of people in the console, and the links that sign in once. A session is bound to an API key. */

import { Context, Effect, Layer, Option, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { type Caller, modes } from "../domain/Caller.ts"
import { consoleIdleMinutes, consoleLinkSeconds, consoleSessionHours } from "../limits.ts"
import { type FoundKey, foundKeyColumns, foundKeyOf, type FoundKeyRow } from "./ApiKeys.ts"
import { decodeRows } from "./sql/rows.ts"
import { ControlSql } from "./sql/Sql.ts"

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

const LinkRow = Schema.Struct({
  organization: Schema.String,
  mode: Schema.Literals(modes),
  /** The person whom it signs in, as the operator named them; null if unnamed. */
  name: Schema.NullOr(Schema.String)
})

/** What a link signs in to. */
export type LinkedOrganization = typeof LinkRow.Type

type NewLink = Pick<LinkedOrganization, "mode" | "name">

const decodeLinks = decodeRows(LinkRow)

export class ConsoleSessions extends Context.Service<
  ConsoleSessions,
  {
    readonly create: (hash: Uint8Array, key: Pick<Caller, "keyId">) => Stored<void>
    /** The key of a session that is neither idle for too long nor too old. It counts as used. */
    readonly find: (hashes: ReadonlyArray<Uint8Array>) => Stored<Option.Option<FoundKey>>
    readonly end: (hashes: ReadonlyArray<Uint8Array>) => Stored<void>
    readonly createLink: (hash: Uint8Array, organizationId: string, link: NewLink) => Stored<void>
    /** Takes the link: of several calls only the first one gets it. */
    readonly takeLink: (hashes: ReadonlyArray<Uint8Array>) => Stored<LinkedOrganization | undefined>
    /** Deletes sessions and links that no longer sign anyone in. */
    readonly sweep: Stored<void>
  }
>()("action-risk/storage/ConsoleSessions") {
  static readonly layer = Layer.effect(
    ConsoleSessions,
    Effect.gen(function* () {
      const sql = yield* ControlSql
      const alive = sql`
        used_at > now() - make_interval(mins => ${consoleIdleMinutes})
        AND console_sessions.created_at > now() - make_interval(hours => ${consoleSessionHours})
      `

      const find = Effect.fn("ConsoleSessions.find")(function* (hashes: ReadonlyArray<Uint8Array>) {
        const [row] = yield* sql<FoundKeyRow>`
          WITH used AS (
            UPDATE console_sessions SET used_at = now() WHERE token_hash = ANY (${hashes}::bytea[]) AND ${alive}
            RETURNING key_id
          )
          SELECT ${sql.literal(foundKeyColumns)}
          FROM used JOIN api_keys ON api_keys.id = used.key_id
          JOIN organizations ON organizations.id = api_keys.organization_id
        `
        return Option.map(Option.fromNullishOr(row), foundKeyOf)
      })

      const takeLink = Effect.fn("ConsoleSessions.takeLink")(function* (hashes: ReadonlyArray<Uint8Array>) {
        const [link] = yield* decodeLinks(sql`
          WITH taken AS (
            DELETE FROM console_links WHERE link_hash = ANY (${hashes}::bytea[]) AND expires_at > now()
            RETURNING organization_id, mode, name
          )
          SELECT organizations.slug AS organization, taken.mode, taken.name
          FROM taken JOIN organizations ON organizations.id = taken.organization_id
        `)
        return link
      })

      return ConsoleSessions.of({
        find,
        takeLink,
        create: (hash, { keyId }) =>
          Effect.asVoid(sql`INSERT INTO console_sessions (token_hash, key_id) VALUES (${hash}, ${keyId})`),
        end: (hashes) =>
          Effect.asVoid(sql`DELETE FROM console_sessions WHERE token_hash = ANY (${hashes}::bytea[])`),
        createLink: (hash, organizationId, { mode, name }) =>
          Effect.asVoid(sql`
            INSERT INTO console_links (link_hash, organization_id, mode, name, expires_at)
            VALUES (${hash}, ${organizationId}, ${mode}, ${name}, now() + make_interval(secs => ${consoleLinkSeconds}))
          `),
        sweep: Effect.andThen(
          sql`DELETE FROM console_sessions WHERE NOT (${alive})`,
          Effect.asVoid(sql`DELETE FROM console_links WHERE expires_at <= now()`)
        )
      })
    })
  )
}
