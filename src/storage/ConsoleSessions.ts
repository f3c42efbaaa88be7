/** Stores people's sessions in the console, and the links that sign in once. A session is bound to an API key. */

import { Context, Effect, Layer, Option, Schema } from "effect"
import { type Caller, modes } from "../domain/Caller.ts"
import { consoleIdleMinutes, consoleLinkSeconds, consoleSessionHours } from "../limits.ts"
import { foundKeyColumns, foundKeyOf, type FoundKeyRow } from "./ApiKeys.ts"
import { decodeRows } from "./sql/rows.ts"
import { ControlSql } from "./sql/Sql.ts"

const LinkRow = Schema.Struct({
  organization: Schema.String,
  mode: Schema.Literals(modes),
  /** The name of the person who is signed in, as given by the operator; null if unnamed. */
  name: Schema.NullOr(Schema.String)
})

/** The organization and mode to which a link signs in. */
export type LinkedOrganization = typeof LinkRow.Type

type NewLink = Pick<LinkedOrganization, "mode" | "name">

const decodeLinks = decodeRows(LinkRow)

export class ConsoleSessions extends Context.Service<ConsoleSessions>()(
  "action-risk/storage/ConsoleSessions",
  {
    make: Effect.gen(function* () {
      const sql = yield* ControlSql
      const alive = sql`
      used_at > now() - make_interval(mins => ${consoleIdleMinutes})
      AND console_sessions.created_at > now() - make_interval(hours => ${consoleSessionHours})
    `

      const create = (hash: Uint8Array, { keyId }: Pick<Caller, "keyId">) =>
        Effect.asVoid(sql`INSERT INTO console_sessions (token_hash, key_id) VALUES (${hash}, ${keyId})`)

      /** The key of a session that is neither idle for too long nor too old. Finding it counts as use. */
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

      const end = (hashes: ReadonlyArray<Uint8Array>) =>
        Effect.asVoid(sql`DELETE FROM console_sessions WHERE token_hash = ANY (${hashes}::bytea[])`)

      const createLink = (hash: Uint8Array, organizationId: string, { mode, name }: NewLink) =>
        Effect.asVoid(sql`
        INSERT INTO console_links (link_hash, organization_id, mode, name, expires_at)
        VALUES (${hash}, ${organizationId}, ${mode}, ${name}, now() + make_interval(secs => ${consoleLinkSeconds}))
      `)

      /** Takes the link. Only the first of several calls gets it. */
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

      /** Deletes sessions and links that no longer sign anyone in. */
      const sweep = Effect.andThen(
        sql`DELETE FROM console_sessions WHERE NOT (${alive})`,
        Effect.asVoid(sql`DELETE FROM console_links WHERE expires_at <= now()`)
      )

      return { create, find, end, createLink, takeLink, sweep }
    })
  }
) {
  static readonly layer = Layer.effect(ConsoleSessions, ConsoleSessions.make)
}
