/** Plays a story into an empty database as if it had happened: through the service's use cases, with a controlled database clock. */

import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Result } from "effect"
import { Reactivity } from "effect/reactivity"
import { readActionRequest } from "../../api/AssessmentRequest.ts"
import { Assess } from "../../assessment/Assess.ts"
import { Reviews } from "../../assessment/Reviews.ts"
import { Scorer } from "../../assessment/Scorer.ts"
import type { Caller } from "../../domain/Caller.ts"
import { hourMs } from "../../domain/Day.ts"
import type { ReviewOutcome } from "../../domain/Review.ts"
import { testConnectionsMax } from "../../limits.ts"
import { installedRules } from "../../rules/installedRules.ts"
import { Database, roleOf } from "../../storage/Database.ts"
import { oneGroup } from "../../storage/sql/groups.ts"
import { ModeSql, ResourceSql } from "../../storage/sql/Sql.ts"
import { roleClient } from "../../storage/sql/roleClient.ts"
import { storyUntil, type StoryCall } from "./demoStory.ts"

/** The mode in which the story takes place. */
export const storyMode = "live"

/**
 * Only the story's clients look up names in our schema before PostgreSQL's own, so only there does asking for the current time return the
 * story's time.
 */
const searchPath = `${storyMode}, pg_catalog`

const makeClock = [
  `CREATE TABLE ${storyMode}.story_clock (at timestamptz NOT NULL)`,
  `INSERT INTO ${storyMode}.story_clock VALUES (now())`,
  `GRANT SELECT ON ${storyMode}.story_clock TO ${roleOf(storyMode)}`,
  `CREATE FUNCTION ${storyMode}.statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
    AS 'SELECT at FROM ${storyMode}.story_clock'`
]

const dropClock = [`DROP FUNCTION ${storyMode}.statement_timestamp()`, `DROP TABLE ${storyMode}.story_clock`]

/** The demo's database, with the rights of its owner. */
export const ownerSql = Effect.gen(function* () {
  const { url } = yield* Database
  return yield* PgClient.makeClient({ url }).pipe(Effect.provide(Reactivity.layer))
})

/** The story's clients, on the demo's database. */
const storySql = Effect.gen(function* () {
  const { url } = yield* Database
  return yield* roleClient({
    url,
    role: roleOf(storyMode),
    schema: searchPath,
    name: "story",
    connectionsMax: testConnectionsMax
  })
})

const storyClients = Layer.mergeAll(
  Layer.effect(
    ModeSql,
    Effect.map(storySql, (sql) => ModeSql.of(oneGroup(sql)))
  ),
  Layer.effect(
    ResourceSql,
    Effect.map(storySql, (sql) => ResourceSql.of({ ...oneGroup(sql), inTurn: (_owner, work) => work(sql) }))
  )
)

const useCases = Layer.mergeAll(Assess.layer, Reviews.layer).pipe(
  Layer.provide(Scorer.layer),
  Layer.provide(installedRules),
  Layer.provide(storyClients)
)

const storyTriesMax = 20

const ask = Effect.fnUntraced(function* (caller: Caller, { request }: StoryCall) {
  const { action, body } = Result.getOrThrow(readActionRequest(request, false))
  const assess = yield* Assess
  // On a busy machine the service may miss a deadline. The story needs complete opinions, so it retries.
  const asking = Effect.suspend(() =>
    assess.assess({
      caller,
      requestId: `req_${crypto.randomUUID().replaceAll("-", "").slice(0, 26).toUpperCase()}`,
      action,
      body,
      idempotencyKey: null,
      strict: true,
      drill: null,
      receivedAtMs: performance.now(),
      validationMs: 0
    })
  )
  const { body: answer } = yield* Effect.retry(asking, { times: storyTriesMax })
  return String(JSON.parse(Buffer.from(answer).toString()).assessment_id)
})

const closeIfOpen = (caller: Caller, id: string, outcome: ReviewOutcome, note: string) =>
  Reviews.use(({ close }) => close(caller, id, { outcome, note }, "")).pipe(
    // Most requests open no review.
    Effect.catchTag("NotFound", () => Effect.void)
  )

/** `onProgress` gets the number of calls played so far, and the share of them from 0 to 1. */
export const playStory = Effect.fnUntraced(function* (
  caller: Caller,
  nowMs: number,
  onProgress: (calls: number, share: number) => void
) {
  const owner = yield* ownerSql
  const story = storyUntil(nowMs)
  const setClock = (atMs: number) =>
    owner`UPDATE ${owner(storyMode)}.story_clock SET at = ${new Date(Math.min(atMs, nowMs))}`
  yield* Effect.forEach(makeClock, (statement) => owner.unsafe(statement))
  yield* Effect.gen(function* () {
    for (const [at, call] of story.entries()) {
      yield* setClock(call.atMs)
      const id = yield* ask(caller, call)
      onProgress(at + 1, (at + 1) / story.length)
      if (call.closing === null) continue
      yield* setClock(call.atMs + hourMs / 3)
      yield* closeIfOpen(caller, id, call.closing.outcome, call.closing.note)
    }
    // Local, because the process may already have these use cases with another clock.
  }).pipe(Effect.provide(useCases, { local: true }))
  yield* Effect.forEach(dropClock, (statement) => owner.unsafe(statement))
  return story.length
}, Effect.scoped)
