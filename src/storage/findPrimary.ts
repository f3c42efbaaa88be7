/** Finds which of the servers in DATABASE_URL accepts writes, and finds it again after a standby was promoted. */

import { PgClient } from "@effect/sql-pg"
import { Effect, Fiber, Redacted, Result, Schema, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlError } from "effect/sql"
import { databaseServers } from "../environment.ts"
import { databaseConnectMs, poolConnectMs, primarySearchMs } from "../limits.ts"
import type { PrimaryServer } from "./Database.ts"
import { decodeRows } from "./sql/rows.ts"

type Servers = ReadonlyArray<Redacted.Redacted>

/** One URL for each server that the URL names. */
export const serversOf = (url: Redacted.Redacted): Servers =>
  (databaseServers(Redacted.value(url)) ?? []).map((server) => Redacted.make(server))

/** A server that accepts writes. */
interface Found {
  /** Its index among the servers, from 0. */
  readonly place: number
  /** Eight hexadecimal digits. Each promotion starts a higher timeline. */
  readonly timeline: string
}

/** Asks all servers at once. Null if none accepts writes; `failures` are those of servers that gave no answer. */
export const findPrimary = Effect.fnUntraced(function* (servers: Servers, connectMs = databaseConnectMs) {
  const answers = yield* Effect.forEach(servers, (url) => Effect.result(askTimeline(url, connectMs)), {
    concurrency: "unbounded"
  })
  const failures: ReadonlyArray<SqlError.SqlError> = answers.flatMap((answer) =>
    Result.isFailure(answer) ? [answer.failure] : []
  )
  let found: Found | null = null
  for (const [place, answer] of answers.entries()) {
    const timeline = Result.isSuccess(answer) ? answer.success : null
    // An old primary that comes back accepts writes too. The server that was promoted last is the right one.
    if (timeline !== null && (found === null || timeline > found.timeline)) found = { place, timeline }
  }
  return { found, failures }
})

/** Null if the server accepts no writes, because it is a standby or was made read-only. */
const askTimeline = (url: Redacted.Redacted, connectMs: number) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.makeClient({
      url,
      connectTimeout: connectMs,
      applicationName: "action-risk search",
      startupParameters: { statement_timeout: String(connectMs) }
    })
    const [row] = yield* decodeRows(Schema.Struct({ timeline: Schema.NullOr(Schema.String) }))(sql`
      SELECT CASE WHEN current_setting('transaction_read_only') = 'off'
        THEN substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END AS timeline
    `)
    return row?.timeline ?? null
  }).pipe(
    Effect.scoped,
    Effect.provide(Reactivity.layer),
    // The server may be gone although the connection still looks open.
    Effect.timeoutOption(2 * connectMs),
    Effect.map((answer) => (answer._tag === "Some" ? answer.value : null))
  )

/** Invariant: never returns to a server of an earlier timeline than it has seen, such as an old primary that came back. */
export const followingPrimary = Effect.fnUntraced(function* (
  servers: Servers,
  first: Found
): Effect.fn.Return<PrimaryServer, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const run = Effect.runForkWith(yield* Effect.context<never>())
  let known = first
  let searching = false

  const search = Effect.gen(function* () {
    const { found } = yield* findPrimary(servers, poolConnectMs)
    if (found !== null && found.timeline >= known.timeline) {
      const moved = found.place !== known.place
      known = found
      if (moved)
        yield* Effect.logWarning("another server of DATABASE_URL now takes the writes", {
          place: found.place + 1
        })
    }
    yield* Effect.sleep(primarySearchMs)
  }).pipe(Effect.ensuring(Effect.sync(() => (searching = false))))

  return {
    place: () => known.place,
    urlIn: (url) => {
      const named = serversOf(url)
      return named[known.place] ?? named[0] ?? url
    },
    searchAgain: () => {
      if (searching) return
      searching = true
      Fiber.runIn(run(search), scope)
    }
  }
})
