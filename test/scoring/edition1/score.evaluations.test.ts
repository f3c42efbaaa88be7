/** Bounds that differ only in stated fields share one evaluation. */

import fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import { expect, it } from "vitest"
import type { Facts } from "../../../src/scoring/Facts.ts"
import { allFieldsAt, type FieldBound, oneFieldAt } from "../../../src/scoring/edition1/FieldBounds.ts"
import { evaluate, prepareAction } from "../../../src/scoring/edition1/score.ts"
import { question } from "../../support/arbitrary/question.ts"
import { oracleRuns, timeoutMs } from "../../support/depth.ts"
import { model } from "../../support/edition1.ts"
import { policySetOf } from "../../support/policySetOf.ts"

const all: ReadonlyArray<FieldBound> = ["reference", "least", "ceiling", "open"]

const everyBounds = all.flatMap((base) => [
  allFieldsAt(base),
  ...all.flatMap((one) => Object.values(oneFieldAt(allFieldsAt(base), one)))
])

const runs = Math.ceil(oracleRuns / 100)

it(
  "an evaluation that several bounds share equals the evaluation that each of them has alone",
  { timeout: timeoutMs(oracleRuns) },
  () => {
    fc.assert(
      fc.property(question(), ({ action, behavior, policies }) => {
        const prepare = () => prepareAction(action, behavior, model, policySetOf(policies))
        const shared = prepare()
        return everyBounds.every((bounds) =>
          isDeepStrictEqual(evaluate(shared, bounds), evaluate(prepare(), bounds))
        )
      }),
      { numRuns: runs }
    )
  }
)

it("bounds of stated fields make no second evaluation", () => {
  let matched = 0
  const match = (facts: Facts) => {
    matched++
    return model.match(facts)
  }
  const prepared = prepareAction(
    { actionType: "file.delete", environment: "staging", agentId: "a", destination: "b", recordsAffected: 1 },
    "unavailable",
    { ...model, match },
    policySetOf([])
  )
  const { agent_id, destination, entities_affected, records_affected } = oneFieldAt(
    allFieldsAt("least"),
    "open"
  )
  for (const bounds of [agent_id, destination, records_affected, allFieldsAt("least")])
    evaluate(prepared, bounds)
  expect(matched).toBe(1)
  evaluate(prepared, entities_affected)
  expect(matched).toBe(2)
})
