/** Which reviews are overdue by the database's clock, and that each is reported once. */

import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { webhookSweepBatchMax } from "../../../src/limits.ts"
import { writeParameters, writeStatement } from "../../../src/storage/assessments/AssessmentRecords.ts"
import { closeStatement } from "../../../src/storage/ReviewRecords.ts"
import { ModeSql } from "../../../src/storage/sql/Sql.ts"
import { remindOfReviews } from "../../../src/storage/webhooks/queueDeliveries.ts"
import { describeOutbox } from "../../support/outboxTests.ts"
import { deliveriesOf, mode, newEndpoint } from "../../support/queued.ts"
import { listedRecord } from "../../support/reviewed.ts"

const dueHours = 24

const sqlOfTests = Effect.map(ModeSql, (clients) => clients.for(mode))

/** Opened so many minutes ago. */
const openReview = Effect.fnUntraced(function* (
  organizationId: string,
  unit: number,
  minutes: number,
  level: "moderate" | "high" | "critical" = "high"
) {
  const sql = yield* sqlOfTests
  const record = listedRecord(unit, level, level !== "moderate")
  yield* sql.unsafe(writeStatement, writeParameters([{ owner: { organizationId, mode }, record }]))
  yield* sql`
    UPDATE reviews SET opened_at = now() - ${`${minutes} minutes`}::interval
    WHERE organization_id = ${organizationId} AND assessment_id = ${record.assessmentId}
  `
  return record.assessmentId
})

const remind = remindOfReviews(mode, dueHours)

const eventsOf = (organizationId: string) =>
  Effect.map(deliveriesOf({ organizationId }), (rows) =>
    rows.flatMap(({ eventId, type }) => (type === "review.overdue" ? [eventId] : [])).toSorted()
  )

const eventOf = (assessmentId: string) => `evt_${assessmentId.replaceAll("-", "")}_overdue`

describeOutbox("a reminder of a review", (onEmptyOutbox) => {
  onEmptyOutbox(
    "is queued once, when the review has been open for its hours",
    Effect.gen(function* () {
      const organizationId = randomUUID()
      yield* newEndpoint({ organizationId, events: ["review.overdue"] })
      yield* openReview(organizationId, 1, dueHours * 60 - 1)
      const due = yield* openReview(organizationId, 2, dueHours * 60 + 1)
      expect(yield* remind).toEqual({ overdue: 1, announced: true })
      expect(yield* eventsOf(organizationId)).toEqual([eventOf(due)])
      expect(yield* remind).toEqual({ overdue: 0, announced: false })
      expect(yield* eventsOf(organizationId)).toEqual([eventOf(due)])
    })
  )

  onEmptyOutbox(
    "is not queued for a review that is closed, below the level of the endpoint, or of another organization",
    Effect.gen(function* () {
      const organizationId = randomUUID()
      const sql = yield* sqlOfTests
      const strict = yield* newEndpoint({ organizationId, events: ["review.overdue"] })
      yield* sql`UPDATE webhook_endpoints SET least_rank = 3 WHERE endpoint_id = ${strict.endpointId}`
      yield* newEndpoint({ organizationId, events: ["review.opened"] })
      yield* newEndpoint({ events: ["review.overdue"] })
      const closed = yield* openReview(organizationId, 1, dueHours * 60 + 1, "critical")
      yield* sql.unsafe(closeStatement, [organizationId, closed, "escalated", null, null, null, null])
      yield* openReview(organizationId, 2, dueHours * 60 + 1)
      const told = yield* openReview(organizationId, 3, dueHours * 60 + 1, "critical")
      expect(yield* remind).toEqual({ overdue: 2, announced: true })
      expect(yield* eventsOf(organizationId)).toEqual([eventOf(told)])
    })
  )

  onEmptyOutbox(
    "does not come late to those who subscribe after it was due",
    Effect.gen(function* () {
      const organizationId = randomUUID()
      yield* openReview(organizationId, 1, dueHours * 60 + 1)
      expect(yield* remind).toEqual({ overdue: 1, announced: false })
      yield* newEndpoint({ organizationId, events: ["review.overdue"] })
      expect(yield* remind).toEqual({ overdue: 0, announced: false })
      expect(yield* eventsOf(organizationId)).toEqual([])
    })
  )

  onEmptyOutbox(
    "is queued once although two processes look at the same moment, and in limited steps",
    Effect.gen(function* () {
      const organizationId = randomUUID()
      const sql = yield* sqlOfTests
      yield* newEndpoint({ organizationId, events: ["review.overdue"] })
      const count = webhookSweepBatchMax + 5
      const records = Array.from({ length: count }, (_, i) => listedRecord(i, "high", true))
      for (let from = 0; from < count; from += 64) {
        const batch = records
          .slice(from, from + 64)
          .map((record) => ({ owner: { organizationId, mode }, record }))
        yield* sql.unsafe(writeStatement, writeParameters(batch))
      }
      yield* sql`UPDATE reviews SET opened_at = now() - interval '2 days' WHERE organization_id = ${organizationId}`
      const rounds = yield* Effect.all([remind, remind, remind], { concurrency: "unbounded" })
      rounds.push(yield* remind)
      expect(rounds.every(({ overdue }) => overdue <= webhookSweepBatchMax)).toBe(true)
      expect(rounds.reduce((sum, { overdue }) => sum + overdue, 0)).toBe(count)
      expect(new Set(yield* eventsOf(organizationId)).size).toBe(count)
    })
  )
})
