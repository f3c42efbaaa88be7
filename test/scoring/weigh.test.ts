import fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import { expect, it } from "vitest"
import type { Facts } from "../../src/scoring/Facts.ts"
import { allFieldsAt, type FieldBound, oneFieldAt } from "../../src/scoring/FieldBounds.ts"
import { converse, evaluate, prepareAction } from "../../src/scoring/evaluate.ts"
import { question } from "../support/arbitrary/question.ts"
import { model } from "../support/draft.ts"
import { policySetOf } from "../support/policySetOf.ts"
import { oracleRuns, timeoutMs } from "../support/runs.ts"

const all: ReadonlyArray<FieldBound> = ["reference", "least", "ceiling", "open"]

const everyReading = all.flatMap((base) => [
  allFieldsAt(base),
  ...all.flatMap((one) => Object.values(oneFieldAt(allFieldsAt(base), one)))
])

const runs = Math.ceil(oracleRuns / 100)

it(
  "an evaluation that several readings share is the one that each has alone",
  { timeout: timeoutMs(oracleRuns) },
  () => {
    fc.assert(
      fc.property(question(), ({ action, behavior, policies }) => {
        const { match } = policySetOf(policies)
        const answer = (facts: Facts) => ({ rules: model.match(facts), policies: match(facts) })
        const shared = prepareAction(action, behavior, model)
        return everyReading.every((readings) =>
          isDeepStrictEqual(
            converse(evaluate(shared, readings), answer),
            converse(evaluate(prepareAction(action, behavior, model), readings), answer)
          )
        )
      }),
      { numRuns: runs }
    )
  }
)

it("what is stated is weighed once however the rest is read", () => {
  const it = prepareAction(
    { actionType: "file.delete", environment: "staging", agentId: "a", destination: "b", recordsAffected: 1 },
    "unavailable",
    model
  )
  let asked = 0
  const answer = (facts: Facts) => {
    asked++
    return { rules: model.match(facts), policies: { matched: [], incomplete: false } }
  }
  const { agent_id, destination, entities_affected, records_affected } = oneFieldAt(
    allFieldsAt("least"),
    "open"
  )
  for (const readings of [agent_id, destination, records_affected, allFieldsAt("least")])
    converse(evaluate(it, readings), answer)
  expect(asked).toBe(1)
  converse(evaluate(it, entities_affected), answer)
  expect(asked).toBe(2)
})
