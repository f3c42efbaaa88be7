/** Stores the outcome events of both modes: appended once, sealed at once, and counted in the sums of 24 hours. */

import { Context, Effect, Layer, Schema } from "effect"
import { PgTypes } from "@effect/sql-pg"
import type { SqlClient, SqlError } from "effect/sql"
import { randomBytes } from "node:crypto"
import type { Sum } from "../domain/Behavior.ts"
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
import { decodeRows, rowBeside } from "./sql/rows.ts"
import { makeOneAtATime, ResourceSql } from "./sql/Sql.ts"
import { timeOrderedId } from "./timeOrderedId.ts"

export interface OutcomeToStore extends CountedEvent {
  /** The name under which the sums count the assessed action. */
  readonly summedUnder: string
  readonly requestId: string
  /** The id of the API key that reports it. */
  readonly reportedBy: string
  readonly requestDigest: Uint8Array
  readonly idempotencyKey: string | null
  /** The event as it is answered and sealed. */
  readonly documentOf: (given: {
    readonly id: string
    readonly sums: SumsEffect
    /** ISO 8601 UTC with milliseconds. */
    readonly createdAt: string
  }) => Uint8Array
}

export interface StoredOutcome {
  readonly document: Uint8Array
  /** Of the request that reported it. */
  readonly requestId: string
}

type Appended =
  | (StoredOutcome & { readonly _tag: "stored"; readonly replayed: boolean })
  | { readonly _tag: "unknown" }
  /** The API key has reported another event of the assessment under the idempotency key. */
  | { readonly _tag: "reused" }
  /** The assessment has as many events as keys of this kind may report. */
  | { readonly _tag: "full" }

/** Assessments of one kind about which a person was asked. */
export interface AskedAbout {
  readonly actionType: string
  readonly agentId: string | null
  /** The digest of the agent's run; null where none is stated. */
  readonly session: string | null
  readonly questions: number
  readonly agreed: number
  readonly newestId: string
}

export class OutcomeRecords extends Context.Service<OutcomeRecords>()("action-risk/storage/OutcomeRecords", {
  make: Effect.gen(function* () {
    const clients = yield* ResourceSql
    const oneAtATime = makeOneAtATime()

    /** `assessmentId` is a UUID. */
    const append = Effect.fn("OutcomeRecords.append")((
      owner: Owner,
      assessmentId: string,
      report: OutcomeToStore
    ) => {
      const sql = clients.for(owner)
      const work = Effect.gen(function* () {
        yield* seeOutcomesOf(sql, owner.organizationId)
        yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${outcomesLockName(owner)}, 0))`
        return yield* appendLocked(sql, owner, assessmentId, report)
      })
      return oneAtATime(owner, clients.inTurn(owner, sql.withTransaction(work)))
    })

    /** Documents of the newest `outcomeEventsListedMax` events, oldest first. */
    const list = Effect.fn("OutcomeRecords.list")(function* (owner: Owner, assessmentId: string) {
      const sql = clients.for(owner)
      const reading = Effect.andThen(
        seeOutcomesOf(sql, owner.organizationId),
        decodeDocuments(sql.unsafe(selectDocuments, [owner.organizationId, assessmentId]))
      )
      const rows = yield* clients.inTurn(owner, sql.withTransaction(reading))
      return rows.map(({ document }) => document)
    })

    /** The newest `overviewQuestionsMax` questions to people about assessments between two ids, by action, agent and session. */
    const asked = Effect.fn("OutcomeRecords.asked")((owner: Owner, from: string, to: string) => {
      const sql = clients.for(owner)
      const { organizationId } = owner
      const reading = Effect.andThen(
        seeOutcomesOf(sql, organizationId),
        decodeAsked(sql.unsafe(selectAsked, [organizationId, from, to]))
      )
      return clients.inTurn(owner, sql.withTransaction(reading))
    })

    return { append, list, asked }
  })
}) {
  /** Needs `ResourceSql`. */
  static readonly layer = Layer.effect(OutcomeRecords, OutcomeRecords.make)
}

/** Erasing takes this lock too. Otherwise an event could be stored while its assessment is erased. */
export const outcomesLockName = ({ mode, organizationId }: Owner): string =>
  `outcome events of ${organizationId} in ${mode}`

/**
 * For the rest of the transaction, only the rows of one organization are there in the tables of outcome events. `SET LOCAL` and not
 * `set_config`: a distributed database gives only the former to the server of the rows. It takes no parameter.
 */
export const seeOutcomesOf = (sql: SqlClient.SqlClient, organizationId: string) =>
  sql.unsafe(`SET LOCAL action_risk.organization = '${organizationId.replaceAll("'", "''")}'`).unprepared

const appendLocked = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  owner: Owner,
  assessmentId: string,
  reported: OutcomeToStore
): Effect.fn.Return<Appended, SqlError.SqlError> {
  const { organizationId } = owner
  if (reported.idempotencyKey !== null) {
    const key = [organizationId, assessmentId, reported.reportedBy, reported.idempotencyKey]
    const [first] = yield* decodeAnswers(sql.unsafe(selectByKey, key))
    if (first !== undefined)
      return Buffer.compare(first.requestDigest, reported.requestDigest) === 0
        ? { _tag: "stored", replayed: true, document: first.document, requestId: first.requestId }
        : { _tag: "reused" }
  }
  const [assessed] = yield* decodeAssessed(sql.unsafe(selectAssessed, [organizationId, assessmentId]))
  if (assessed === undefined) return { _tag: "unknown" }
  const groups = yield* decodeGroups(sql.unsafe(selectGroups, [organizationId, assessmentId]))
  const events = groups.map(countedOf)
  const { atMicros } = assessed
  const own = { entities: assessed.entities, usdCents: assessed.usdCents }
  const exactLeft = leftOf(groups, { independent: outcomeExactEventsMax, byAskers: outcomeExactEventsMax })
  const report = { ...reported, observed: countedFigures(own, events, exactLeft, reported) }
  if (!mayBeAppended(own, events, leftOf(groups, places), report)) return { _tag: "full" }
  const before = sumsCorrection(own, events)
  const after = sumsCorrection(own, [...events, report])
  const id = timeOrderedId(atMicros)
  const document = report.documentOf({
    id,
    sums: assessed.counts ? sumsEffectOf(before, after) : "unchanged",
    createdAt: new Date(Math.floor(atMicros / 1_000)).toISOString()
  })
  yield* insertSealed(sql, owner, assessmentId, { id, atMicros, document, report })
  if (assessed.counts) yield* correctSums(sql, organizationId, assessmentId, report, before, after)
  return { _tag: "stored", replayed: false, document, requestId: report.requestId }
})

interface NewEvent {
  readonly id: string
  readonly atMicros: number
  readonly document: Uint8Array
  readonly report: OutcomeToStore
}

const saltBytes = 16

const insertSealed = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  owner: Owner,
  assessmentId: string,
  { atMicros, document, id, report }: NewEvent
) {
  const { mode, organizationId } = owner
  const [head] = yield* decodeHead(sql.unsafe(selectHead, [organizationId]))
  const sequence = (head?.sequence ?? 0) + 1
  const previousDigest = head?.entryDigest ?? firstOutcomeDigest
  const salt = randomBytes(saltBytes)
  const leaf = outcomeLeaf(salt, document)
  const entry = { organizationId, mode, sequence, previousDigest, assessmentId, eventId: id, leaf }
  const { idempotencyKey, independent, observed, reportedBy, requestDigest, requestId, type } = report
  yield* sql.unsafe(insertEvent, [
    organizationId,
    assessmentId,
    id,
    type,
    independent,
    bigint(observed?.entities),
    bigint(observed?.usdCents),
    document,
    salt,
    requestId,
    reportedBy,
    requestDigest,
    idempotencyKey,
    bigint(atMicros)
  ])
  yield* sql.unsafe(insertSeal, [
    organizationId,
    bigint(sequence),
    assessmentId,
    id,
    leaf,
    previousDigest,
    outcomeEntryDigest(entry)
  ])
})

const bigint = (figure: number | undefined) => (figure === undefined ? null : PgTypes.int8(BigInt(figure)))

/** In the hour of the assessment, so that the correction leaves the sums together with what it corrects. */
const correctSums = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organizationId: string,
  assessmentId: string,
  { summedUnder }: OutcomeToStore,
  before: Sum,
  after: Sum
) {
  const entities = after.entities - before.entities
  const usdCents = after.usdCents - before.usdCents
  if (entities === 0 && usdCents === 0) return
  const added = [PgTypes.int8(BigInt(entities)), PgTypes.int8(BigInt(usdCents))]
  yield* sql.unsafe(addCorrection, [organizationId, assessmentId, summedUnder, ...added])
})

/** The history row of an assessment, found by its time: $1 organization, $2 assessment. */
const pastOf = `FROM assessments LEFT JOIN LATERAL (
    SELECT * FROM history
    WHERE history.organization_id = assessments.organization_id AND history.created_at = assessments.created_at
      AND history.assessment_id = assessments.assessment_id
    LIMIT 1
  ) AS past ON true
  WHERE assessments.organization_id = $1::uuid AND assessments.assessment_id = $2::uuid`

/** What the assessment is in the sums: an incomplete one and a read are in none. */
const selectAssessed = `SELECT (extract(epoch FROM statement_timestamp()) * 1000000)::float8 AS at_micros,
  past.action_class IS NOT NULL AND past.action_class <> 'read' AS counts,
  coalesce(past.scored_entities, 0)::float8 AS entities, coalesce(past.scored_usd_cents, 0)::float8 AS usd_cents
  ${pastOf} LIMIT 1`

/** $3 the name of the agent's sum, $4 entities, $5 US cents. */
const addCorrection = `INSERT INTO outcome_sums AS known (organization_id, production, scope, name, hour, entities, usd_cents)
  SELECT organization_id, production, scope, name, date_bin(interval '1 hour', created_at, timestamptz '2000-01-01 00:00:00+00'), $4::bigint, $5::bigint
  FROM (SELECT past.organization_id, past.production, past.created_at,
      past.destination_summed_under AS destination ${pastOf} LIMIT 1) AS counted
    CROSS JOIN LATERAL (VALUES ('agent', $3::text), ('destination', destination), ('organization', '')) AS of (scope, name)
  WHERE name IS NOT NULL ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (organization_id, production, scope, name, hour) DO UPDATE
    SET entities = known.entities + excluded.entities, usd_cents = known.usd_cents + excluded.usd_cents`

const selectByKey = `SELECT document, request_id, request_digest, ${afterStandby} FROM outcome_events
  WHERE organization_id = $1::uuid AND assessment_id = $2::uuid AND reported_by = $3::uuid AND idempotency_key = $4::text`

const ofAssessment = "WHERE organization_id = $1::uuid AND assessment_id = $2::uuid"

/** One row for each kind of event: the sums depend on the largest figures alone, however many events there are. */
const selectGroups = `SELECT type, independent, count(*)::float8 AS events,
    max(entities)::float8 AS entities, max(usd_cents)::float8 AS usd_cents
  FROM outcome_events ${ofAssessment} GROUP BY type, independent`

const selectDocuments = `SELECT document FROM (
    SELECT event_id, document FROM outcome_events ${ofAssessment} ORDER BY event_id DESC LIMIT ${outcomeEventsListedMax}
  ) AS newest ORDER BY event_id`

/** The text is searched, because a request may hold U+0000, which no text of PostgreSQL can. */
const sessionIn = `substring(convert_from(input, 'UTF8') FROM '"session":"([0-9a-f]{${sessionDigestLength}})"')`

/** $2 the first id, $3 the last one. */
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

const decodeAsked = decodeRows(
  Schema.Struct({
    actionType: Schema.String,
    agentId: Schema.NullOr(Schema.String),
    session: Schema.NullOr(Schema.String),
    questions: Schema.Finite,
    agreed: Schema.Finite,
    newestId: Schema.String
  }).pipe(Schema.encodeKeys({ actionType: "action_type", agentId: "agent_id", newestId: "newest_id" }))
)

const selectHead = `SELECT sequence::float8, entry_digest FROM outcome_seals WHERE organization_id = $1::uuid
  ORDER BY outcome_seals.sequence DESC LIMIT 1`

const insertEvent = `INSERT INTO outcome_events (organization_id, assessment_id, event_id, type, independent, entities, usd_cents,
    document, salt, request_id, reported_by, request_digest, idempotency_key, created_at)
  VALUES ($1::uuid, $2::uuid, $3::uuid, $4::text, $5::boolean, $6::bigint, $7::bigint, $8::bytea, $9::bytea, $10::text,
    $11::uuid, $12::bytea, $13::text, to_timestamp(0) + $14::bigint * interval '1 microsecond')`

const insertSeal = `INSERT INTO outcome_seals (organization_id, sequence, assessment_id, event_id, leaf, previous_digest,
    entry_digest)
  VALUES ($1::uuid, $2::bigint, $3::uuid, $4::uuid, $5::bytea, $6::bytea, $7::bytea)`

const decodeAnswers = decodeRows(
  Schema.Struct({
    document: Schema.Uint8Array,
    requestId: Schema.String,
    requestDigest: Schema.Uint8Array
  }).pipe(Schema.encodeKeys({ requestId: "request_id", requestDigest: "request_digest" }))
)

const decodeAssessed = decodeRows(
  Schema.Struct({
    atMicros: Schema.Finite,
    /** Whether it is in the sums. */
    counts: Schema.Boolean,
    entities: Schema.Finite,
    usdCents: Schema.Finite
  }).pipe(Schema.encodeKeys({ atMicros: "at_micros", usdCents: "usd_cents" }))
)

const GroupRow = Schema.Struct({
  type: Schema.Literals(outcomeEventTypes),
  independent: Schema.Boolean,
  events: Schema.Finite,
  entities: Schema.NullOr(Schema.Finite),
  usdCents: Schema.NullOr(Schema.Finite)
}).pipe(Schema.encodeKeys({ usdCents: "usd_cents" }))

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

const decodeHead = decodeRows(
  Schema.Struct({ sequence: Schema.Finite, entryDigest: Schema.Uint8Array }).pipe(
    Schema.encodeKeys({ entryDigest: "entry_digest" })
  )
)
