/** The arguments of a tool in the evidence: they are exported, found and erased like every other field. */

import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { Eraser } from "../../src/evidence/Eraser.ts"
import { selectErasable } from "../../src/evidence/Erasures.ts"
import { exportEvidence } from "../../src/evidence/exportEvidence.ts"
import { AssessmentRecords } from "../../src/storage/assessments/AssessmentRecords.ts"
import { caller } from "../support/assessCall.ts"
import { eraser, sealAsOlder, superuser } from "../support/eraser.ts"
import { jsonOf } from "../support/jsonOf.ts"
import { assess, useCase } from "../support/useCase.ts"

const person = "jane.doe@example.net"

const refund = (amount: number) => ({
  tool_call: {
    name: "create_refund",
    server: "stripe",
    arguments: { charge: "ch_1", amount, currency: "usd", receipt_email: person }
  }
})

const stored = Effect.gen(function* () {
  const asker = caller()
  const { body } = yield* assess({
    caller: asker,
    action: {
      actionType: "mcp__stripe__create_refund",
      environment: "production",
      metadata: refund(5_000_000)
    }
  })
  yield* sealAsOlder
  const answer = jsonOf(body)
  return { asker, answer }
})

/** The rows of an organization in test mode that contain a text. */
const holding = Effect.fnUntraced(function* (organizationId: string, text: string) {
  const sql = yield* superuser
  const tables = yield* sql<{ readonly name: string }>`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'test' AND column_name = 'organization_id' ORDER BY 1
  `
  const found: Array<string> = []
  for (const { name } of tables) {
    const rows = yield* sql<{ readonly text: string }>`
      SELECT row_to_json(of)::text AS text FROM ${sql(name)} AS of WHERE organization_id = ${organizationId}
    `
    const hex = Buffer.from(text).toString("hex")
    if (rows.some((row) => row.text.includes(text) || row.text.includes(hex))) found.push(name)
  }
  return found
}, Effect.scoped)

layer(Layer.merge(AssessmentRecords.layer, eraser).pipe(Layer.provideMerge(useCase())))(
  "the arguments of a tool",
  (it) => {
    it.effect("are in an export, and are found by a text in them", () =>
      Effect.gen(function* () {
        const { answer, asker } = yield* stored
        const selected = selectErasable(asker, { before: null, agent: null, containing: person })
        expect(yield* Stream.runCollect(selected)).toMatchObject([{ assessmentId: answer.assessment_id }])
        const [line] = yield* Stream.runCollect(exportEvidence(asker, { since: null, until: null }))
        expect(jsonOf(line ?? new Uint8Array()).input.metadata).toEqual(refund(5_000_000))
      })
    )

    it.effect("are erased from every table", () =>
      Effect.gen(function* () {
        const { answer, asker } = yield* stored
        expect(yield* holding(asker.organizationId, person)).toContain("assessments")
        const { erase } = yield* Eraser
        yield* erase({ ...asker, mode: "test" }, [answer.assessment_id], "request")
        expect(yield* holding(asker.organizationId, person)).toEqual([])
      })
    )
  }
)
