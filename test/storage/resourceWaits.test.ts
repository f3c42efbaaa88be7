/** Waiting reviews and webhook endpoints of one organization do not slow down other organizations. */

import { expect, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { storageTotalMsMax } from "../../src/limits.ts"
import { ReviewRecords } from "../../src/storage/ReviewRecords.ts"
import type { Owner } from "../../src/storage/assessments/AssessmentRecord.ts"
import { writeParameters, writeStatement } from "../../src/storage/assessments/AssessmentRecords.ts"
import { BehaviorSnapshots } from "../../src/storage/behavior/BehaviorSnapshots.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { timeOrderedId } from "../../src/storage/timeOrderedId.ts"
import { EndpointRecords, type StoredEndpoint } from "../../src/storage/webhooks/EndpointRecords.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { assessmentRecord } from "../support/assessmentRecord.ts"
import { superuser } from "../support/eraser.ts"
import { listedRecord } from "../support/reviewed.ts"
import { baseline } from "../support/baseline.ts"

const stack = Layer.mergeAll(BehaviorSnapshots.layer, ReviewRecords.layer, EndpointRecords.layer).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

const organization = (): Owner => ({ organizationId: randomUUID(), mode: "test" })

/** Opens a review and returns its id. */
const notable = Effect.fnUntraced(function* (owner: Owner, unit: number) {
  const record = listedRecord(unit, "critical", true)
  yield* (yield* ModeSql).for(owner.mode).unsafe(writeStatement, writeParameters([{ owner, record }]))
  return record.assessmentId
})

const reject = (owner: Owner, id: string) =>
  Effect.flatMap(Effect.service(ReviewRecords), ({ close }) =>
    close(owner, id, {
      outcome: "risk_rejected",
      note: null,
      by: { keyId: randomUUID(), name: null },
      environments: null
    })
  )

const newEndpoint = (): StoredEndpoint => ({
  id: timeOrderedId(Date.now() * 1_000),
  url: "https://hooks.example/risk",
  events: ["assessment.high"],
  format: "standard" as const,
  minLevel: "low",
  enabled: true,
  description: null,
  createdAt: new Date()
})

const create = (owner: Owner, endpoint = newEndpoint()) =>
  Effect.flatMap(Effect.service(EndpointRecords), (endpoints) =>
    endpoints.create(owner, endpoint, new Uint8Array(32), 200, null)
  )

/** The reads of an assessment before it is scored. */
const readSnapshot = Effect.fnUntraced(function* (owner: Owner, unit: number) {
  const { fingerprint, history } = assessmentRecord(unit)
  const question = {
    ...owner,
    record: { ...history, destinationKey: history.destinationKey ?? null },
    fingerprint,
    baseline
  }
  return yield* (yield* BehaviorSnapshots).read(question, storageTotalMsMax)
})

/** Holds what closings and changes of endpoints of the owner wait for, until `letGo`. */
const holdUp = Effect.fnUntraced(function* (owner: Owner) {
  const sql = (yield* ModeSql).for(owner.mode)
  const { organizationId } = owner
  const [held, letGo] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const turn = `webhook endpoints of ${organizationId} in ${owner.mode}`
  const holding = sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT FROM reviews WHERE organization_id = ${organizationId} FOR UPDATE`
      yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${turn}, 0))`
      yield* Deferred.succeed(held, undefined)
      yield* Deferred.await(letGo)
    })
  )
  const fiber = yield* Effect.forkChild(holding)
  yield* Deferred.await(held)
  return Effect.andThen(Deferred.succeed(letGo, undefined), Fiber.join(fiber))
})

/** The connections that wait for locks, by the name of their pool. */
const watcher = Effect.gen(function* () {
  const sql = yield* superuser
  return Effect.map(
    sql<{ readonly name: string }>`
      SELECT application_name AS name FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'
    `,
    (rows) => rows.map(({ name }) => name)
  )
})

layer(stack, { excludeTestServices: true })("reviews and webhook endpoints that wait", (it) => {
  it.effect("take one connection each, and none that an assessment needs, however many they are", () =>
    Effect.gen(function* () {
      const [flood, neighbour] = [organization(), organization()]
      const ids = yield* Effect.forEach(Array(16).keys(), (unit) => notable(flood, unit))
      const own = yield* notable(neighbour, 1)
      const waiting = yield* watcher
      const letGo = yield* holdUp(flood)
      const closings = yield* Effect.forEach(ids, (id) => Effect.forkChild(reject(flood, id)))
      const creations = yield* Effect.forEach(Array(120), () => Effect.forkChild(create(flood)))
      yield* Effect.repeat(waiting, { until: (names) => names.length >= 2 })

      yield* Effect.forEach(Array(20).keys(), (unit) => readSnapshot(neighbour, unit), { concurrency: 20 })
      yield* notable(neighbour, 2)
      yield* reject(neighbour, own)
      expect(yield* create(neighbour)).toMatchObject({ _tag: "created" })
      const names = yield* waiting
      expect(names.length).toBeLessThanOrEqual(2)
      expect(names.filter((name) => name !== "action-risk test resources")).toEqual([])

      yield* letGo
      yield* Fiber.interruptAll([...closings, ...creations])
    }).pipe(Effect.scoped)
  )

  it.effect("go on once there is nothing to wait for, one after the other", () =>
    Effect.gen(function* () {
      const owner = organization()
      const ids = yield* Effect.forEach(Array(4).keys(), (unit) => notable(owner, unit))
      const waiting = yield* watcher
      const letGo = yield* holdUp(owner)
      const closings = yield* Effect.forkChild(
        Effect.forEach(ids, (id) => reject(owner, id), { concurrency: "unbounded" })
      )
      const endpoint = newEndpoint()
      const creation = yield* Effect.forkChild(create(owner, endpoint))
      const removal = yield* Effect.forkChild(
        Effect.flatMap(Effect.service(EndpointRecords), ({ remove }) => remove(owner, endpoint.id))
      )
      yield* Effect.repeat(waiting, { until: (names) => names.length >= 2 })
      yield* letGo
      yield* Fiber.join(closings)
      const { page } = yield* ReviewRecords
      const closed = yield* page(owner, { limit: 10, before: undefined, state: "closed" })
      expect(closed.map(({ outcome }) => outcome)).toEqual(ids.map(() => "risk_rejected"))
      expect([yield* Fiber.join(creation), yield* Fiber.join(removal)]).toMatchObject([
        { _tag: "created" },
        true
      ])
    }).pipe(Effect.scoped)
  )
})
