import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import { expect, it } from "vitest"
import { converse } from "../../src/scoring/Deliberation.ts"
import type { Facts } from "../../src/scoring/Facts.ts"
import { type Reading, readAll, readOne } from "../../src/scoring/Reading.ts"
import { openCase, weigh } from "../../src/scoring/weigh.ts"
import { question } from "../support/arbitrary/question.ts"
import { model } from "../support/draft.ts"
import { policySetOf } from "../support/policySetOf.ts"
import { oracleRuns, timeoutMs } from "../support/runs.ts"

const all: ReadonlyArray<Reading> = ["reference", "least", "ceiling", "open"]

const everyReading = all.flatMap((base) => [
  readAll(base),
  ...all.flatMap((one) => Object.values(readOne(readAll(base), one)))
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
        const shared = openCase(action, behavior, model)
        return everyReading.every((readings) =>
          isDeepStrictEqual(
            converse(weigh(shared, readings), answer),
            converse(weigh(openCase(action, behavior, model), readings), answer)
          )
        )
      }),
      { numRuns: runs }
    )
  }
)

it("what is stated is weighed once however the rest is read", () => {
  const it = openCase(
    { actionType: "file.delete", environment: "staging", agentId: "a", destination: "b", recordsAffected: 1 },
    "unavailable",
    model
  )
  let asked = 0
  const answer = (facts: Facts) => {
    asked++
    return { rules: model.match(facts), policies: { matched: [], incomplete: false } }
  }
  const { agent_id, destination, entities_affected, records_affected } = readOne(readAll("least"), "open")
  for (const readings of [agent_id, destination, records_affected, readAll("least")])
    converse(weigh(it, readings), answer)
  expect(asked).toBe(1)
  converse(weigh(it, entities_affected), answer)
  expect(asked).toBe(2)
})
