/** Stores the outcome events of both modes: appended once, sealed immediately, and counted in the 24-hour sums. */

import { Context, Effect, Layer, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { randomBytes } from "node:crypto"
import {
  type CountedEvent,
  countedFigures,
  mayBeAppended,
  outcomeEventTypes,
  type PlacesLeft,
  type SumsEffect,
  sumsCorrection,
  sumsEffectOf
} from "../domain/OutcomeEvent.ts"
import {
  outcomeAskersEventsMax,
  outcomeEventsListedMax,
  outcomeExactEventsMax,
  outcomeIndependentEventsMax,
  overviewQuestionsMax,
  sessionDigestLength
} from "../limits.ts"
import type { Owner } from "./assessments/AssessmentRecord.ts"
import { afterStandby } from "./assessments/storedAnswers.ts"
import { firstOutcomeDigest, outcomeEntryDigest, outcomeLeaf } from "./outcomeSeal.ts"
import { decodeRows, pastOfEach, rowBeside } from "./sql/rows.ts"
import { makeOneAtATime, ResourceSql } from "./sql/Sql.ts"
import { timeOrderedId } from "./timeOrderedId.ts"

export interface OutcomeToStore extends CountedEvent {
  /** The key under which the sums count the assessed action. */
  readonly summedUnder: string
  readonly requestId: string
  /** The id of the API key that reports the event. */
  readonly reportedBy: string
  readonly requestDigest: Uint8Array
  readonly idempotencyKey: string | null
  /** The event as it is returned and sealed. */
  readonly documentOf: (given: {
    readonly id: string
    readonly sums: SumsEffect
    /** ISO 8601 UTC with milliseconds. */
    readonly createdAt: string
  }) => Uint8Array
}

export interface StoredOutcome {
  readonly document: Uint8Array
  /** The id of the request that reported it. */
  readonly requestId: string
}

type Appended =
  | (StoredOutcome & { readonly _tag: "stored"; readonly replayed: boolean })
  | { readonly _tag: "unknown" }
  /** The API key has already reported a different event of the assessment under this idempotency key. */
  | { readonly _tag: "reused" }
  /** The assessment already has the maximum number of events from keys of this kind. */
  | { readonly _tag: "full" }

/** Assessments with the same action, agent and session about which a person was asked. */
const AskedAbout = Schema.Struct({
  actionType: Schema.String,
  agentId: Schema.NullOr(Schema.String),
  /** The digest of the agent's run; null if none is stated. */
  session: Schema.NullOr(Schema.String),
  questions: Schema.Finite,
  agreed: Schema.Finite,
  newestId: Schema.String
})
export type AskedAbout = typeof AskedAbout.Type

const decodeAsked = decodeRows(AskedAbout)

export class OutcomeRecords extends Context.Service<OutcomeRecords>()("action-risk/storage/OutcomeRecords", {
  make: Effect.gen(function* () {
    const { inTurn } = yield* ResourceSql
    const oneAtATime = makeOneAtATime()
    const seeing = <A>(owner: Owner, work: (sql: Sql) => Effect.Effect<A, SqlError.SqlError>) =>
      inTurn(owner, (sql) => withOutcomesOf(sql, owner.organizationId, work(sql)))

    /** `assessmentId` is a UUID. */
    const append = Effect.fn("OutcomeRecords.append")((
      owner: Owner,
      assessmentId: string,
      report: OutcomeToStore
    ) => {
      const appending = seeing(owner, (sql) => {
        const lock = sql`SELECT pg_advisory_xact_lock(hashtextextended(${outcomesLockName(owner)}, 0))`
        return Effect.andThen(lock, appendLocked(sql, owner, assessmentId, report))
      })
      return oneAtATime(owner, appending)
    })

    /** The documents of the newest `outcomeEventsListedMax` events, oldest first. */
    const list = Effect.fn("OutcomeRecords.list")(function* (owner: Owner, assessmentId: string) {
      const rows = yield* seeing(owner, (sql) =>
        decodeDocuments(selectDocuments(sql, owner.organizationId, assessmentId))
      )
      return rows.map(({ document }) => document)
    })

    /** The newest `overviewQuestionsMax` questions to people about assessments between two ids, grouped by action, agent and session. */
    const asked = Effect.fn("OutcomeRecords.asked")((owner: Owner, from: string, to: string) =>
      seeing(owner, (sql) => decodeAsked(sql.unsafe(selectAsked, [owner.organizationId, from, to])))
    )

    return { append, list, asked }
  })
}) {
  static readonly layer = Layer.effect(OutcomeRecords, OutcomeRecords.make)
}

type Sql = SqlClient.SqlClient

/** Erasing takes this lock too. Otherwise an event could be stored while its assessment is being erased. */
export const outcomesLockName = ({ mode, organizationId }: Owner): string =>
  `outcome events of ${organizationId} in ${mode}`

/**
 * Runs work in a transaction in which the tables of outcome events show only one organization's rows. Uses `SET LOCAL`, because a
 * distributed database passes that on to the server of the rows but not `set_config`. `SET LOCAL` takes no parameters.
 */
export const withOutcomesOf = <A, E, R>(sql: Sql, organizationId: string, work: Effect.Effect<A, E, R>) => {
  const setting = `SET LOCAL action_risk.organization = '${organizationId.replaceAll("'", "''")}'`
  return sql.withTransaction(Effect.andThen(sql.unsafe(setting).unprepared, work))
}

const appendLocked = Effect.fnUntraced(function* (
  sql: Sql,
  owner: Owner,
  assessmentId: string,
  reported: OutcomeToStore
): Effect.fn.Return<Appended, SqlError.SqlError> {
  const { organizationId } = owner
  const { idempotencyKey, reportedBy, requestDigest, requestId, summedUnder } = reported
  if (idempotencyKey !== null) {
    const [first] = yield* decodeAnswers(sql`
      SELECT document, request_id, request_digest, ${sql.literal(afterStandby)} FROM outcome_events
      WHERE ${ofAssessment(sql, organizationId, assessmentId)} AND reported_by = ${reportedBy}
        AND idempotency_key = ${idempotencyKey}
    `)
    if (first !== undefined)
      return Buffer.compare(first.requestDigest, requestDigest) === 0
        ? { _tag: "stored", replayed: true, document: first.document, requestId: first.requestId }
        : { _tag: "reused" }
  }
  const [assessed] = yield* decodeAssessed(sql.unsafe(selectAssessed, [organizationId, assessmentId]))
  if (assessed === undefined) return { _tag: "unknown" }
  // One row per kind of event: the sums depend only on the largest figures, however many events there are.
  const groups = yield* decodeGroups(sql`
    SELECT type, independent, count(*)::float8 AS events,
      max(entities)::float8 AS entities, max(usd_cents)::float8 AS usd_cents
    FROM outcome_events WHERE ${ofAssessment(sql, organizationId, assessmentId)} GROUP BY type, independent
  `)
  const events = groups.map(countedOf)
  const { atMicros, ...own } = assessed
  const exactLeft = leftOf(groups, { independent: outcomeExactEventsMax, byAskers: outcomeExactEventsMax })
  const report = { ...reported, observed: countedFigures(own, events, exactLeft, reported) }
  if (!mayBeAppended(own, events, leftOf(groups, places), report)) return { _tag: "full" }
  const before = sumsCorrection(own, events)
  const after = sumsCorrection(own, [...events, report])
  const id = timeOrderedId(atMicros)
  const document = report.documentOf({
    id,
    sums: own.counts ? sumsEffectOf(before, after) : "unchanged",
    createdAt: new Date(Math.floor(atMicros / 1_000)).toISOString()
  })
  yield* insertSealed(sql, owner, assessmentId, { id, atMicros, document, report })
  const entities = after.entities - before.entities
  const usdCents = after.usdCents - before.usdCents
  if (own.counts && (entities !== 0 || usdCents !== 0))
    yield* sql.unsafe(addCorrection, [organizationId, assessmentId, summedUnder, entities, usdCents])
  return { _tag: "stored", replayed: false, document, requestId }
})

interface NewEvent {
  readonly id: string
  readonly atMicros: number
  readonly document: Uint8Array
  readonly report: OutcomeToStore
}

const saltBytes = 16

const insertSealed = Effect.fnUntraced(function* (
  sql: Sql,
  { mode, organizationId }: Owner,
  assessmentId: string,
  { atMicros, document, id, report }: NewEvent
) {
  const [head] = yield* decodeHead(sql`
    SELECT sequence::float8, entry_digest FROM outcome_seals WHERE organization_id = ${organizationId}
    ORDER BY outcome_seals.sequence DESC LIMIT 1
  `)
  const sequence = (head?.sequence ?? 0) + 1
  const previousDigest = head?.entryDigest ?? firstOutcomeDigest
  const salt = randomBytes(saltBytes)
  const leaf = outcomeLeaf(salt, document)
  const entry = { organizationId, mode, sequence, previousDigest, assessmentId, eventId: id, leaf }
  const { idempotencyKey, independent, observed, reportedBy, requestDigest, requestId, type } = report
  yield* sql`
    INSERT INTO outcome_events (organization_id, assessment_id, event_id, type, independent, entities, usd_cents,
      document, salt, request_id, reported_by, request_digest, idempotency_key, created_at)
    VALUES (${organizationId}, ${assessmentId}, ${id}, ${type}, ${independent}, ${observed?.entities ?? null},
      ${observed?.usdCents ?? null}, ${document}, ${salt}, ${requestId}, ${reportedBy}, ${requestDigest}, ${idempotencyKey},
      to_timestamp(0) + ${atMicros}::bigint * interval '1 microsecond')
  `
  yield* sql`
    INSERT INTO outcome_seals (organization_id, sequence, assessment_id, event_id, leaf, previous_digest, entry_digest)
    VALUES (${organizationId}, ${sequence}, ${assessmentId}, ${id}, ${leaf}, ${previousDigest},
      ${outcomeEntryDigest(entry)})
  `
})

/** The history row of an assessment, found by its time. $1 is the organization, $2 the assessment. */
const pastOf = `FROM assessments LEFT JOIN LATERAL ${pastOfEach} AS past ON true
  WHERE assessments.organization_id = $1::uuid AND assessments.assessment_id = $2::uuid`

/** An assessment's part in the sums. Incomplete assessments and reads are in none. */
const selectAssessed = `SELECT (extract(epoch FROM statement_timestamp()) * 1000000)::float8 AS at_micros,
  past.action_class IS NOT NULL AND past.action_class <> 'read' AS counts,
  coalesce(past.scored_entities, 0)::float8 AS entities, coalesce(past.scored_usd_cents, 0)::float8 AS usd_cents
  ${pastOf} LIMIT 1`

/** Corrects the sums of the hour in which the assessment was made. $3 is the name of the agent's sum, $4 the entities, $5 the US cents. */
const addCorrection = `INSERT INTO outcome_sums AS known (organization_id, production, scope, name, hour, entities, usd_cents)
  SELECT organization_id, production, scope, name, date_bin(interval '1 hour', created_at, timestamptz '2000-01-01 00:00:00+00'), $4::bigint, $5::bigint
  FROM (SELECT past.organization_id, past.production, past.created_at,
      past.destination_summed_under AS destination ${pastOf} LIMIT 1) AS counted
    CROSS JOIN LATERAL (VALUES ('agent', $3::text), ('destination', destination), ('organization', '')) AS of (scope, name)
  WHERE name IS NOT NULL ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (organization_id, production, scope, name, hour) DO UPDATE
    SET entities = known.entities + excluded.entities, usd_cents = known.usd_cents + excluded.usd_cents`

const ofAssessment = (sql: Sql, organizationId: string, assessmentId: string) =>
  sql`organization_id = ${organizationId} AND assessment_id = ${assessmentId}`

const selectDocuments = (sql: Sql, organizationId: string, assessmentId: string) => sql`
  SELECT document FROM (
    SELECT event_id, document FROM outcome_events WHERE ${ofAssessment(sql, organizationId, assessmentId)}
    ORDER BY event_id DESC LIMIT ${outcomeEventsListedMax}
  ) AS newest ORDER BY event_id
`

/** Searches the raw text, because a request may contain U+0000, which PostgreSQL's text type cannot store. */
const sessionIn = `substring(convert_from(input, 'UTF8') FROM '"session":"([0-9a-f]{${sessionDigestLength}})"')`

/** $2 is the first id, $3 the last one. */
const selectAsked = `SELECT item ->> 'action_type' AS action_type, item ->> 'agent_id' AS agent_id, session,
    count(*)::float8 AS questions, count(*) FILTER (WHERE agreed)::float8 AS agreed,
    max(assessment_id::text) AS newest_id
  FROM (
    SELECT organization_id, assessment_id, bool_or(type = 'person_agreed') AS agreed
    FROM outcome_events
    WHERE organization_id = $1::uuid AND assessment_id BETWEEN $2::uuid AND $3::uuid AND type LIKE 'person\\_%'
    GROUP BY organization_id, assessment_id ORDER BY assessment_id DESC LIMIT ${overviewQuestionsMax}
  ) AS newest JOIN LATERAL ${rowBeside({ table: "assessments", of: "newest", columns: `item, ${sessionIn} AS session` })} AS assessed ON true
  GROUP BY 1, 2, 3`

const decodeAnswers = decodeRows(
  Schema.Struct({
    document: Schema.Uint8Array,
    requestId: Schema.String,
    requestDigest: Schema.Uint8Array
  })
)

const decodeAssessed = decodeRows(
  Schema.Struct({
    atMicros: Schema.Finite,
    /** Whether it is in the sums. */
    counts: Schema.Boolean,
    entities: Schema.Finite,
    usdCents: Schema.Finite
  })
)

const GroupRow = Schema.Struct({
  type: Schema.Literals(outcomeEventTypes),
  independent: Schema.Boolean,
  events: Schema.Finite,
  entities: Schema.NullOr(Schema.Finite),
  usdCents: Schema.NullOr(Schema.Finite)
})

const decodeGroups = decodeRows(GroupRow)

const countedOf = ({ entities, independent, type, usdCents }: typeof GroupRow.Type): CountedEvent => ({
  type,
  independent,
  observed: entities === null || usdCents === null ? null : { entities, usdCents }
})

const places: PlacesLeft = {
  independent: outcomeIndependentEventsMax,
  byAskers: outcomeAskersEventsMax
}

const leftOf = (groups: ReadonlyArray<typeof GroupRow.Type>, all: PlacesLeft): PlacesLeft => {
  const countOf = (wanted: boolean) =>
    groups.reduce((sum, { events, independent }) => (independent === wanted ? sum + events : sum), 0)
  return { independent: all.independent - countOf(true), byAskers: all.byAskers - countOf(false) }
}

const decodeDocuments = decodeRows(Schema.Struct({ document: Schema.Uint8Array }))

const decodeHead = decodeRows(Schema.Struct({ sequence: Schema.Finite, entryDigest: Schema.Uint8Array }))
