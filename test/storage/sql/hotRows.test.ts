/** The statements that requests and deliveries wait for return rows of their hand-written types. */

import { expect, layer } from "@effect/vitest"
import { Array, Effect, Layer, Redacted, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import { reviewOutcomes } from "../../../src/domain/Review.ts"
import { webhookEventTypes, webhookFormats } from "../../../src/domain/WebhookEvent.ts"
import { Seals } from "../../../src/evidence/Seals.ts"
import { ApiKeys, type FoundKey, KeyHasher } from "../../../src/storage/ApiKeys.ts"
import { Organizations } from "../../../src/storage/Organizations.ts"
import { type CountRow, RateLimits } from "../../../src/storage/RateLimits.ts"
import { Secrets } from "../../../src/storage/Secrets.ts"
import type { StoredAnswer } from "../../../src/storage/assessments/AssessmentRecord.ts"
import {
  type ListedPage,
  selectMatches,
  selectPages
} from "../../../src/storage/assessments/listAssessments.ts"
import { selectAnswers } from "../../../src/storage/assessments/storedAnswers.ts"
import {
  type EvidenceRow,
  type SealableRow,
  selectEvidence,
  selectEvidencePage,
  writeParameters,
  writeStatement,
  type WrittenRow
} from "../../../src/storage/assessments/AssessmentRecords.ts"
import { type BaselineWindowRow, selectBaselineWindow } from "../../../src/storage/behavior/BaselineWindow.ts"
import { type EstablishedRow, selectEstablished } from "../../../src/storage/behavior/BehaviorSnapshots.ts"
import {
  todayParameters,
  type TodayRow,
  todayStatement
} from "../../../src/storage/behavior/todaysActivity.ts"
import type { PlacedRow } from "../../../src/storage/sql/BatchedStatement.ts"
import { ControlSql } from "../../../src/storage/sql/Sql.ts"
import { TestSql } from "../../support/modeSql.ts"
import { greatestId, leastId } from "../../../src/storage/timeOrderedId.ts"
import { type MarkedRow, markTogether } from "../../../src/storage/webhooks/AttemptResult.ts"
import { type ClaimedRow, claimStart, claimStatement } from "../../../src/storage/webhooks/ClaimedDelivery.ts"
import { WebhookSecrets } from "../../../src/storage/webhooks/WebhookSecrets.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { type Overrides, assessmentRecord } from "../../support/assessmentRecord.ts"
import { roomForAll } from "../../support/outboxTests.ts"
import { newEndpoint, queue } from "../../support/queued.ts"
import { baseline } from "../../support/baseline.ts"

type Rows = Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>

/**
 * Holds where every row has exactly these columns, each with a value of its type. Every column has a value in some row, so
 * that none passes because it is always null; `alwaysNull` lists the exceptions.
 */
const haveShape =
  <Row>(
    columns: { readonly [Column in keyof Row]-?: Schema.Codec<Row[Column], unknown> },
    alwaysNull: ReadonlyArray<keyof Row> = []
  ) =>
  (rows: ReadonlyArray<unknown>): void => {
    const decode = Schema.decodeUnknownSync(Schema.Array(Schema.Struct(columns)), {
      onExcessProperty: "error"
    })
    const decoded: ReadonlyArray<Readonly<Record<string, unknown>>> = decode(rows)
    expect(decoded.length).toBeGreaterThan(0)
    const withoutValue = Object.keys(columns).filter((column) => decoded.every((row) => row[column] === null))
    expect(withoutValue).toEqual(alwaysNull)
  }

const {
  Array: list,
  Boolean: boolean,
  Date: date,
  Finite: number,
  Int: int,
  NullOr: orNull,
  String: text
} = Schema
const { Uint8Array: bytes } = Schema

const write = Effect.fnUntraced(function* (organizationId: string, records: ReadonlyArray<Overrides>) {
  const sql = yield* TestSql
  const batch = records.map((overrides, i) => ({
    owner: { organizationId, mode: "test" as const },
    record: assessmentRecord(i + 1, overrides)
  }))
  const rows = yield* sql.unsafe(writeStatement, writeParameters(batch))
  return { rows, records: batch.map(({ record }) => record) }
})

const answerColumns = {
  assessmentId: text,
  requestId: text,
  inputDigest: bytes,
  complete: boolean,
  response: bytes
}

const evidenceColumns = {
  assessmentId: text,
  response: bytes,
  resultDigest: bytes,
  input: bytes,
  inputDigest: bytes,
  behaviorSnapshot: orNull(bytes),
  rulesDigest: bytes,
  policyDigest: bytes,
  sequence: orNull(int),
  previousDigest: orNull(bytes),
  entryDigest: orNull(bytes),
  sealedAt: orNull(date)
}

const pageColumns = { itemsJson: text, lastId: orNull(text) }

const pace = Schema.Struct({ p95PerHour: orNull(int), days: int, hours: int })

const dayMicros = 86_400_000_000

/** A client that keeps the rows of its statements. */
const keepingRows = (sql: SqlClient.SqlClient, kept: globalThis.Array<unknown>): SqlClient.SqlClient =>
  new Proxy(sql, {
    apply: (target, self, args) => {
      const statement: Rows = Reflect.apply(target, self, args)
      return Effect.tap(statement, (rows) => Effect.sync(() => kept.push(...rows)))
    }
  })

const peppers = Layer.succeed(Secrets, { keyPeppers: [Redacted.make("pepper")] })
const stores = Layer.mergeAll(
  Seals.layer,
  Organizations.layer,
  ApiKeys.layer.pipe(Layer.provideMerge(KeyHasher.layer.pipe(Layer.provide(peppers)))),
  WebhookSecrets.layer.pipe(Layer.provide(peppers))
).pipe(Layer.provideMerge(TestDatabase.layer))

layer(stores)("the rows of", (it) => {
  it.effect("the statement that writes assessments", () =>
    Effect.gen(function* () {
      const { rows } = yield* write(randomUUID(), [{}, {}])
      haveShape<WrittenRow>({ written: orNull(list(int)), announced: boolean })(rows)
    })
  )

  it.effect("the lookup by idempotency key", () =>
    Effect.gen(function* () {
      const organizationId = randomUUID()
      yield* write(organizationId, [{ idempotencyKey: "a" }, { idempotencyKey: "b" }])
      const lookups = ["b", "unknown", "a"].map((key) => ({ organizationId, key }))
      const rows = yield* selectAnswers(yield* TestSql, lookups)
      haveShape<StoredAnswer & PlacedRow & { readonly committed_at: string | null }>(
        { place: int, ...answerColumns, committed_at: orNull(text) },
        ["committed_at"]
      )(rows)
      expect(rows.map(({ place }) => place).toSorted()).toEqual([1, 3])
    })
  )

  it.effect("the two reads of evidence, sealed or not", () =>
    Effect.gen(function* () {
      const organizationId = randomUUID()
      const sealed = yield* write(organizationId, [{ behaviorSnapshot: Buffer.from("{}") }])
      yield* (yield* Seals).seal("test", 100)
      const unsealed = yield* write(organizationId, [{}])
      const sql = yield* TestSql
      const lookups = [...sealed.records, ...unsealed.records].map(({ assessmentId }) => ({
        organizationId,
        assessmentId
      }))
      const found = yield* selectEvidence(sql, lookups)
      expect(found.length).toBe(2)
      haveShape<EvidenceRow & PlacedRow>({ place: int, ...evidenceColumns })(found)
      const range = { from: leastId, before: greatestId }
      const page = yield* selectEvidencePage(sql, organizationId, range, null, 10)
      expect(page.length).toBe(2)
      haveShape<SealableRow>({
        ...evidenceColumns,
        createdAt: text,
        salt: bytes,
        inputLeaf: orNull(bytes),
        resultLeaf: orNull(bytes),
        snapshotLeaf: orNull(bytes)
      })(page)
    })
  )

  it.effect("the list and the search of assessments, with and without a next page", () =>
    Effect.gen(function* () {
      const organizationId = randomUUID()
      yield* write(organizationId, [{ search: "a heron" }, { search: "a heron" }])
      const sql = yield* TestSql
      const lookup = { organizationId, before: undefined, limit: 1 }
      const pages = yield* selectPages(sql, [lookup, { ...lookup, organizationId: randomUUID() }])
      haveShape<ListedPage & PlacedRow>({ place: int, ...pageColumns })(pages)
      const matches = yield* selectMatches(sql, [
        { ...lookup, text: "heron" },
        { ...lookup, text: "egret" }
      ])
      haveShape<ListedPage & PlacedRow>({ place: int, ...pageColumns })(matches)
    })
  )

  it.effect("the two reads of behavior, with and without a history", () =>
    Effect.gen(function* () {
      const organizationId = randomUUID()
      const nowMicros = Date.now() * 1_000
      const history = { actionCategory: "financial", destinationKey: "acme.example", agentId: "a" } as const
      const ago = (days: number) => ({ createdAtMicros: nowMicros - days * dayMicros, history })
      const answered = { ...ago(0), idempotencyKey: "answered" }
      const { records } = yield* write(organizationId, [answered, ago(2), ago(3), ago(4)])
      const sql = yield* TestSql
      const windows = yield* Effect.forEach([organizationId, randomUUID()], (id) =>
        selectBaselineWindow(sql, { organizationId: id, production: false, changesOnly: false, baseline })
      )
      haveShape<BaselineWindowRow>({
        until: text,
        revision: number,
        medians: Schema.Record(text, Schema.Struct({ units: int, median: orNull(int) })),
        pace,
        agentPaces: Schema.Record(text, pace),
        usualDay: Schema.Struct({ days: int, entities: int, usdCents: int }),
        atMicros: number
      })(windows.flat())
      expect(windows.flat()).toMatchObject([{ pace: { days: 3 } }, { pace: { days: 0 } }])
      const established = yield* selectEstablished(
        sql,
        {
          organizationId,
          production: false,
          changesOnly: false,
          baseline,
          until: new Date(nowMicros / 1_000).toISOString().slice(0, 10),
          atMicros: nowMicros
        },
        { name: "", without: false },
        100
      )
      haveShape<EstablishedRow>({
        name: text,
        lastDay: orNull(text),
        established: boolean,
        isLast: boolean,
        names: int,
        rows: int
      })(established)
      expect(established).toMatchObject([{ name: "acme.example", established: true }])
      const queries = [organizationId, randomUUID()].flatMap((id) =>
        records.slice(0, 1).map(({ fingerprint, history }) => ({
          organizationId: id,
          baseline,
          record: history,
          fingerprint,
          key: "answered"
        }))
      )
      const activity = yield* sql.unsafe(todayStatement, todayParameters(queries))
      haveShape<TodayRow>({
        until: text,
        at_micros: int,
        revision: number,
        units_lately: number,
        last_hour: number,
        destination_days: int,
        destination_hours: int,
        largest_entities: number,
        largest_usd_cents: number,
        agent_entities: number,
        agent_usd_cents: number,
        destination_entities: number,
        destination_usd_cents: number,
        organization_entities: number,
        organization_usd_cents: number,
        action_type_seen: boolean,
        action_type_seen_lately: boolean,
        agent_seen: boolean,
        destination_seen_lately: boolean,
        answered: boolean
      })(activity)
      expect(activity).toMatchObject([{ answered: true }, { answered: false }])
    })
  )

  it.effect("the claim and the marking of deliveries", () =>
    Effect.gen(function* () {
      const sql = yield* TestSql
      const organizationId = randomUUID()
      const previous = { secret: "whsec_previous", hoursLeft: 1 }
      const pinged = yield* newEndpoint({ organizationId, previous })
      yield* newEndpoint({ organizationId, events: ["assessment.completed", "review.closed"] })
      yield* queue(pinged, 2)
      yield* write(organizationId, [
        { level: "high", item: { environment: "staging", action_type: "customer.read" } }
      ])
      yield* sql`
        UPDATE reviews SET outcome = 'escalated', closed_at = now() WHERE organization_id = ${organizationId}
      `
      const erased = sql`SELECT event_id FROM webhook_events WHERE type = 'ping' ORDER BY event_id LIMIT 1`
      yield* sql`DELETE FROM webhook_events WHERE event_id = (${erased})`
      const token = randomUUID()
      const claim = sql.unsafe<ClaimedRow>(claimStatement, [
        claimStart.organizationId,
        claimStart.endpointId,
        [],
        10,
        token,
        JSON.stringify(roomForAll),
        "-infinity"
      ])
      const rows = yield* claim
      expect(rows.length).toBe(3)
      haveShape<ClaimedRow>(
        {
          // A value only where more endpoints wait than one claim looks at.
          nextOrganizationId: orNull(text),
          nextEndpointId: orNull(text),
          stray: boolean,
          organizationId: text,
          deliveryId: text,
          endpointId: text,
          eventId: text,
          attempts: int,
          token: text,
          url: text,
          format: Schema.Literals(webhookFormats),
          secret: bytes,
          previousSecret: orNull(bytes),
          type: orNull(Schema.Literals(webhookEventTypes)),
          createdAt: orNull(date),
          assessmentId: orNull(text),
          data: Schema.Json,
          response: orNull(bytes),
          environment: Schema.Json,
          actionType: Schema.Json,
          outcome: orNull(Schema.Literals(reviewOutcomes))
        },
        ["nextOrganizationId", "nextEndpointId"]
      )(rows)
      expect(yield* claim).toMatchObject([{ stray: false, deliveryId: null }])

      const results = rows.map((row, i) => ({
        organizationId,
        deliveryId: row.deliveryId,
        token,
        url: row.url,
        outcome: i === 0 ? ("gone" as const) : ("unmade" as const),
        answered: i === 0 ? 410 : null,
        nextAttemptMs: null
      }))
      const marked = yield* markTogether(sql, results)
      expect(marked.length).toBe(3)
      haveShape<MarkedRow>({
        place: int,
        disabled: orNull(Schema.Literals(["gone", "failing"])),
        organizationId: text,
        endpointId: text
      })(marked)
    })
  )

  it.effect("the count of requests", () =>
    Effect.gen(function* () {
      const counted: globalThis.Array<unknown> = []
      const sql = keepingRows(yield* ControlSql, counted)
      const limits = RateLimits.layerPostgres.pipe(Layer.provide(Layer.succeed(ControlSql, sql)))
      yield* Effect.provide(
        Effect.flatMap(RateLimits, ({ spendKey }) => spendKey("a", 5)),
        limits
      )
      haveShape<CountRow>({ subject: text, window_ms: int, requests: int })(counted)
    })
  )

  it.effect("the lookup of a key by its hash", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { hashes } = yield* KeyHasher
      const organization = yield* (yield* Organizations).create({ slug: "a", name: "A", policySet: "none" })
      const everywhere = { mode: "test", scopes: ["assess"], environments: null, expiresAt: null } as const
      const here = { ...everywhere, name: "Ada", environments: ["staging"], expiresAt: new Date() } as const
      const created = yield* Effect.forEach([everywhere, here], (key) => keys.create(organization, key))
      yield* keys.revoke(created[1]?.id ?? "")
      const lookups = yield* Effect.forEach(created, ({ key }) => keys.findByHash(hashes(key)[0]))
      const found = Array.getSomes(lookups)
      expect(found.length).toBe(2)
      haveShape<FoundKey>({
        caller: Schema.Struct({
          organizationId: text,
          organization: text,
          mode: Schema.Literals(["test", "live"]),
          keyId: text,
          keyName: orNull(text),
          scopes: list(Schema.Literals(["assess"])),
          environments: orNull(list(Schema.Literals(["staging"]))),
          policySet: text
        }),
        expiresAt: orNull(date),
        revokedAt: orNull(date)
      })(found)
    })
  )
})
