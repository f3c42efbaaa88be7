/** What if, replay and explanation over HTTP, on the whole service with a real database. */

import { expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { AssessmentExplanation, Replay, WhatIf } from "../../src/api/Explanations.ts"
import { ListeningServer } from "../../src/server/HttpServer.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { fullService, newKey, newOrganization } from "../support/fullService.ts"

const request = {
  action_type: "hubspot.contacts.export",
  environment: "production",
  agent_id: "crm-cleaner",
  destination: "sftp://files.partner.example/inc"
}

/** The fields of these answers taken together; each has its part. */
interface Body {
  readonly assessment_id: string
  readonly action_risk: { readonly score: number }
  readonly summary: string
  readonly risk_factors: ReadonlyArray<{ readonly code: string; readonly severity: string }>
  readonly evidence: { readonly result_digest: string }
  readonly input: object
  readonly recorded: object
  readonly opinion: Pick<Body, "action_risk" | "summary">
  readonly equal: boolean
  readonly recomputed_digest: string
  readonly rules: ReadonlyArray<object>
  readonly error: { readonly details: ReadonlyArray<{ readonly field: string }> }
}

interface Answer {
  readonly status: number
  readonly json: Body
}

const ask = Effect.fnUntraced(function* (key: string, path: string, body?: object, method = "POST") {
  const { url } = yield* ListeningServer
  return yield* Effect.promise(async (): Promise<Answer> => {
    const answer = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: answer.status, json: (await answer.json()) as Body }
  })
})

const assessed = Effect.gen(function* () {
  const owner = yield* newOrganization(`org-${randomUUID().slice(0, 8)}`)
  const key = yield* newKey(owner, "test", ["assess", "read", "explain"])
  const { json } = yield* ask(key, "actions/assess", request)
  return { owner, key, answer: json, path: `assessments/${json.assessment_id}` }
})

const fits = (schema: Schema.Constraint, json: unknown) => Schema.is(Schema.toEncoded(schema))(json)

layer(fullService(), { excludeTestServices: true, timeout: "60 seconds" })("an explanation", (it) => {
  it.effect("of what other statements would have changed is the opinion on them, and leaves no trace", () =>
    Effect.gen(function* () {
      const { answer, key, owner, path } = yield* assessed
      const changes = {
        records_affected: 3,
        entities_affected: 3,
        data_classification: "public",
        agent_id: null
      }
      const { json, status } = yield* ask(key, `${path}/what-if`, { changes })
      expect([status, fits(WhatIf, json)]).toEqual([200, true])
      expect(json.recorded).toMatchObject({ action_risk: answer.action_risk })
      expect(json.opinion.action_risk.score).toBeLessThan(answer.action_risk.score)
      expect(json.input).not.toHaveProperty("agent_id")
      const same = yield* ask(key, `${path}/what-if`, { changes: {} })
      expect(same.json.opinion.action_risk).toEqual(answer.action_risk)
      expect(same.json.opinion.summary).toBe(answer.summary)
      const sql = (yield* ModeSql).for("test")
      expect(yield* sql`SELECT FROM assessments WHERE organization_id = ${owner.id}`).toHaveLength(1)
    })
  )

  it.effect("refuses every wrong change at once, and nothing is changed by a field that does not exist", () =>
    Effect.gen(function* () {
      const { key, path } = yield* assessed
      const changes = { records_affected: 1.5, colour: "red", environment: null }
      const { json, status } = yield* ask(key, `${path}/what-if`, { changes })
      expect(status).toBe(422)
      const fields = json.error.details.map(({ field }) => field)
      expect(fields).toEqual(["colour", "environment", "records_affected"])
      const statuses = [
        yield* ask(key, `${path}/what-if`, {}),
        yield* ask(key, `${path}/what-if`, { changes: [] }),
        yield* ask(key, `${path}/what-if`, { changes: {}, more: 1 }),
        yield* ask(key, `${path}/replay`, { more: 1 })
      ].map((answer) => answer.status)
      expect(statuses).toEqual([422, 422, 422, 422])
    })
  )

  it.effect("replays to the digest that was recorded with the answer", () =>
    Effect.gen(function* () {
      const { key, path } = yield* assessed
      const { json, status } = yield* ask(key, `${path}/replay`)
      const { json: evidence } = yield* ask(key, path, undefined, "GET")
      expect([status, fits(Replay, json), json.equal]).toEqual([200, true, true])
      expect(json.recomputed_digest).toBe(evidence.evidence.result_digest)
    })
  )

  it.effect("names every rule with the values that it saw, and the raised ones hold", () =>
    Effect.gen(function* () {
      const { answer, key, path } = yield* assessed
      const { json, status } = yield* ask(key, `${path}/explanation`, undefined, "GET")
      expect([status, fits(AssessmentExplanation, json)]).toEqual([200, true])
      const rules = json.rules
      const factors = answer.risk_factors
      expect(factors.length).toBeGreaterThan(3)
      for (const { code, severity } of factors)
        expect(rules).toContainEqual(expect.objectContaining({ code, gives: severity, result: true }))
    })
  )

  it.effect("is for keys of scope explain, of the same organization and mode", () =>
    Effect.gen(function* () {
      const { owner, path } = yield* assessed
      const reader = yield* newKey(owner, "test", ["assess", "read", "reviews"])
      const live = yield* newKey(owner, "live", ["explain", "read"])
      const other = yield* newKey(yield* newOrganization(`org-${randomUUID().slice(0, 8)}`), "test", [
        "explain",
        "read"
      ])
      const asked = (key: string) =>
        Effect.all([
          ask(key, `${path}/what-if`, { changes: {} }),
          ask(key, `${path}/explanation`, undefined, "GET"),
          ask(key, `${path}/replay`)
        ]).pipe(Effect.map((answers) => answers.map(({ status }) => status)))
      expect(yield* asked(reader)).toEqual([403, 403, 200])
      expect(yield* asked(live)).toEqual([404, 404, 404])
      expect(yield* asked(other)).toEqual([404, 404, 404])
    })
  )
})
