/** Reviews over HTTP, in the whole service: opened by assessments, closed once, and invisible to other organizations' keys. */

import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Scope } from "../../src/domain/Caller.ts"
import { ask, fullService, newKey, newOrganization } from "../support/fullService.ts"

const scopes: ReadonlyArray<Scope> = ["assess", "read", "reviews"]

const wipe = {
  action_type: "database.drop",
  environment: "production",
  target_resource: "customers",
  reversibility: "irreversible"
}
const glance = {
  action_type: "calendar.read",
  environment: "development",
  data_classification: "public",
  records_affected: 1,
  entities_affected: 0,
  reversibility: "fully_reversible",
  privilege_change: false,
  production_impact: false
}

layer(fullService(), { excludeTestServices: true, timeout: "60 seconds" })("reviews over HTTP", (it) => {
  it.effect("are opened by what is notable, and closed once", () =>
    Effect.gen(function* () {
      const owner = yield* newOrganization("careful")
      const key = yield* newKey(owner, "test", scopes)
      const low = yield* ask(key, "/actions/assess", glance)
      const critical = yield* ask(key, "/actions/assess", wipe)
      const incomplete = yield* ask(key, "/actions/assess", glance, { "svc-drill": "incomplete" })
      expect([low.body.action_risk.level, critical.body.action_risk.level, incomplete.body.status]).toEqual([
        "low",
        "critical",
        "incomplete"
      ])
      const open = yield* ask(key, "/reviews?state=open")
      expect(open.body.data).toMatchObject([
        { id: incomplete.body.assessment_id, reasons: expect.arrayContaining(["incomplete"]) },
        { id: critical.body.assessment_id, reasons: ["level"] }
      ])

      const { assessment_id: id } = critical.body
      const close = (closing: object) => ask(key, `/reviews/${id}/close`, closing)
      const first = yield* close({ outcome: "risk_rejected", note: "never asked for" })
      expect(first).toMatchObject({
        status: 200,
        body: {
          id,
          assessment_id: id,
          state: "closed",
          outcome: "risk_rejected",
          note: "never asked for",
          action_type: "database.drop",
          action_risk: { level: "critical" },
          environment_mode: "test",
          request_id: first.headers.get("svc-request-id"),
          disclaimer: critical.body.disclaimer,
          links: { assessment: `/api/v1/assessments/${id}` }
        }
      })
      const { request_id: _, ...review } = first.body
      for (const again of [{ outcome: "risk_rejected" }, { outcome: "risk_rejected", note: "another" }])
        expect(yield* close(again)).toMatchObject({ status: 200, body: review })
      expect(yield* close({ outcome: "risk_accepted" })).toMatchObject({
        status: 422,
        body: { error: { code: "VALIDATION_FAILED", details: [{ field: "outcome" }] } }
      })
      expect(yield* ask(key, `/reviews/${id}`)).toMatchObject({ status: 200, body: review })
      const assessment = yield* ask(key, review.links.assessment.slice("/api/v1".length))
      expect(assessment.body).toMatchObject({ assessment_id: id, action_risk: review.action_risk })
      const closed = yield* ask(key, "/reviews?state=closed&limit=1")
      expect(closed.body).toMatchObject({ data: [{ id }], has_more: false, next_cursor: null })
    })
  )

  it.effect("are not there for another organization, another mode, or a key without the scope", () =>
    Effect.gen(function* () {
      const owner = yield* newOrganization("one")
      const key = yield* newKey(owner, "test", scopes)
      const { assessment_id: id } = (yield* ask(key, "/actions/assess", wipe)).body
      const strangers = [
        yield* newKey(yield* newOrganization("two"), "test", scopes),
        yield* newKey(owner, "live", scopes)
      ]
      for (const stranger of strangers) {
        expect(yield* ask(stranger, `/reviews/${id}`)).toMatchObject({ status: 404 })
        expect(yield* ask(stranger, `/reviews/${id}/close`, { outcome: "escalated" })).toMatchObject({
          status: 404
        })
        expect((yield* ask(stranger, "/reviews")).body.data).toEqual([])
      }
      const scopeless = yield* newKey(owner, "test", ["assess", "read", "webhooks"])
      expect(yield* ask(scopeless, `/reviews/${id}`)).toMatchObject({ status: 403 })
      expect(yield* ask(key, `/reviews/${id}`)).toMatchObject({ status: 200, body: { state: "open" } })
    })
  )

  it.effect("stay open for a key that covers other environments", () =>
    Effect.gen(function* () {
      const owner = yield* newOrganization("staged")
      const key = yield* newKey(owner, "test", scopes)
      const { assessment_id: id } = (yield* ask(key, "/actions/assess", wipe)).body
      const sandbox = yield* newKey(owner, "test", scopes, ["sandbox"])
      const close = (by: string) => ask(by, `/reviews/${id}/close`, { outcome: "risk_rejected" })
      const refused = { status: 422, body: { error: { code: "INVALID_ENVIRONMENT" } } }
      expect(yield* close(sandbox)).toMatchObject(refused)
      expect(yield* ask(sandbox, `/reviews/${id}`)).toMatchObject({ status: 200, body: { state: "open" } })
      const production = yield* newKey(owner, "test", scopes, ["production"])
      expect(yield* close(production)).toMatchObject({ status: 200, body: { state: "closed" } })
      expect(yield* close(sandbox)).toMatchObject(refused)
    })
  )
})
