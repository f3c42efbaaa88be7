/** The whole service with json-rules-engine behind it, asked by many at once. */

import { describe, expect, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import type { AssessmentResponse } from "../../src/api/AssessmentResponse.ts"
import { encodeAssessment } from "../../src/assessment/encode.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { readRecord } from "../../src/rules/history/readBlock.ts"
import { loadPolicySet } from "../../src/rules/policies/loadPolicySet.ts"
import { ListeningServer } from "../../src/server/HttpServer.ts"
import { fullService, newKey, newOrganization } from "../support/fullService.ts"
import { newestRelease } from "../support/newestRelease.ts"
import { score } from "../../src/scoring/score.ts"

const service = fullService({ RULE_ENGINE: "reference" })

const askers = 8
const questions = 200

const folder = `${packageRoot}/examples/requests`
const examples = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file): Readonly<Record<string, unknown>> => JSON.parse(readFileSync(`${folder}/${file}`, "utf8")))

/** Fields that examples leave out; a missing field takes three more evaluations. */
const stated = {
  agent_id: "agent-7",
  data_classification: "internal",
  reversibility: "mostly_reversible",
  privilege_change: false,
  production_impact: false,
  financial_value: 20,
  currency: "USD"
}

/** Each example in many sizes; one in five says no more than the example. */
const question = (i: number) => ({
  ...(i % 5 === 0 ? {} : stated),
  ...examples[i % examples.length],
  records_affected: 3 ** (i % 13),
  entities_affected: 2 ** (i % 17)
})

const { model } = newestRelease()
const { policySet } = loadPolicySet(packageRoot, "starter")

/** The compiled engine's answer to the same action with the same history, without the parts that differ between exchanges. */
const recompute = (evidence: string) => {
  const { action, behavior } = Result.getOrThrowWith(readRecord(evidence, 0, evidence.length), Error)
  const opinion = score(action, behavior, model, policySet)
  const timing = { total: 0, validation: 0, behavior: 0, scoring: 0, policy: 0 }
  const stored: AssessmentResponse = JSON.parse(evidence)
  const {
    processing_time_ms: _,
    timing: __,
    ...result
  } = encodeAssessment(opinion, {
    riskEngineVersion: stored.risk_engine_version,
    policyVersion: stored.policy_version,
    assessmentId: stored.assessment_id,
    actionId: stored.action_id,
    requestId: stored.request_id,
    mode: "test",
    createdAtMicros: Date.parse(stored.created_at) * 1_000,
    timing
  })
  return result
}

describe("the service on the reference engine", () => {
  it.live(
    `answers ${questions} questions of ${askers} at once, each as the compiled engine does`,
    () =>
      Effect.gen(function* () {
        const { url } = yield* ListeningServer
        const key = yield* newKey(yield* newOrganization("referee"))
        const ask = async (path: string, body?: unknown): Promise<string> => {
          const response = await fetch(`${url}/api/v1/${path}`, {
            method: body === undefined ? "GET" : "POST",
            headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
            ...(body === undefined ? {} : { body: JSON.stringify(body) })
          })
          const text = await response.text()
          // A machine that is busy with other tests may exceed the time limit of an opinion; the test then retries.
          if (response.status === 503) return ask(path, body)
          expect(response.status).toBe(200)
          return text
        }
        const answers = yield* Effect.forEach(
          Array.from({ length: questions }, (_, i) => question(i)),
          (body) => Effect.promise(() => ask("actions/assess", body)),
          { concurrency: askers }
        )
        const levels = new Set<string>()
        for (const text of answers) {
          const answer: AssessmentResponse = JSON.parse(text)
          const evidence = yield* Effect.promise(() => ask(`assessments/${answer.assessment_id}`))
          expect(answer).toMatchObject(JSON.parse(JSON.stringify(recompute(evidence))))
          if (answer.assessment_status === "complete") levels.add(answer.action_risk.level)
        }
        expect([...levels].toSorted()).toEqual(["critical", "high", "low", "moderate"])
      }).pipe(Effect.provide(service)),
    60_000
  )
})
