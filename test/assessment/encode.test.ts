import { expect, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Result } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { readActionRequest } from "../../src/api/AssessmentRequest.ts"
import { Assess } from "../../src/assessment/Assess.ts"
import { Assessments } from "../../src/assessment/Assessments.ts"
import { Scorer } from "../../src/assessment/Scorer.ts"
import { encodeAssessment, type encodeSnapshot } from "../../src/assessment/encode.ts"
import { AppConfig } from "../../src/config.ts"
import type { BehaviorSnapshot } from "../../src/domain/Behavior.ts"
import { readRecordedSnapshot } from "../../src/rules/history/recordedInput.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { assessCall, caller } from "../support/assessCall.ts"
import { jsonOf } from "../support/jsonOf.ts"
import { openedRules } from "../support/openedRules.ts"

const settings = AppConfig.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({}))))

const services = Layer.mergeAll(Assess.layer, Assessments.layer).pipe(
  Layer.provideMerge(Scorer.layer.pipe(Layer.provide([settings, openedRules]))),
  Layer.provideMerge(TestDatabase.layer)
)

const folder = `${import.meta.dirname}/../../examples/requests`

const examples = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file) => JSON.parse(readFileSync(`${folder}/${file}`, "utf8")))

const accepted = (body: Parameters<typeof readActionRequest>[0]) =>
  Result.getOrThrowWith(readActionRequest(body, true), (problems) => new Error(JSON.stringify(problems)))

/** From evidence back to the input of the score, as a replay reads it. */
const decodeSnapshot = (wire: ReturnType<typeof encodeSnapshot>): BehaviorSnapshot =>
  Result.getOrThrowWith(
    readRecordedSnapshot(JSON.parse(JSON.stringify(wire))),
    (problem) => new Error(problem)
  )

layer(services)("stored evidence", (it) => {
  it.effect("gives the stored result when it is computed again", () =>
    Effect.gen(function* () {
      expect(examples.length).toBeGreaterThanOrEqual(12)
      const asker = caller()
      const scorer = yield* Scorer
      // Twice, with additions the second time, so that later ones have a history.
      const bodies = examples.flatMap((body) => [body, { ...body, records_affected: 3 }])
      for (const drill of [null, "incomplete"] as const) {
        for (const body of bodies) {
          const call = assessCall({ ...accepted(body), caller: asker, drill })
          const answer = yield* (yield* Assess).assess(call)
          const read = yield* (yield* Assessments).get(asker, jsonOf(answer.body).assessment_id)
          const { evidence, input, ...stored } = jsonOf(read.body)
          const snapshot = evidence.behavior_snapshot as ReturnType<typeof encodeSnapshot> | null
          const again = yield* scorer.score(
            accepted(JSON.parse(JSON.stringify(input))).action,
            snapshot === null ? "unavailable" : decodeSnapshot(snapshot),
            asker.policySet
          )
          const recomputed = encodeAssessment(again.opinion, {
            riskEngineVersion: scorer.riskEngineVersion,
            policyVersion: again.policyVersion,
            assessmentId: stored.assessment_id,
            actionId: stored.action_id,
            requestId: stored.request_id,
            mode: "test",
            createdAtMicros: Date.parse(stored.created_at) * 1_000,
            timing: { total: 0, validation: 0, behavior: 0, scoring: 0, policy: 0 }
          })
          const { processing_time_ms: _, timing: __, ...result } = stored
          expect(recomputed).toMatchObject(result)
          expect(stored.assessment_status).toBe(drill === null ? "complete" : "incomplete")
        }
      }
    })
  )
})
