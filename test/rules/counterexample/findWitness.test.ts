import { describe, expect, it } from "vitest"
import type { Situation } from "../../../src/rules/cases/Situation.ts"
import { findWitness, scoreIn, shrink } from "../../../src/rules/counterexample/findWitness.ts"
import { editedBook, workingBook } from "../../support/rulebooks.ts"

const wordy: Situation = {
  request: {
    actionType: "contacts.bulk_update",
    environment: "staging",
    agentId: "agent-7",
    entitiesAffected: 787,
    recordsAffected: 1,
    dataClassification: "public",
    reversibility: "fully_reversible",
    privilegeChange: false,
    productionImpact: false
  },
  history: {
    now: "2026-11-16T12:00:00Z",
    earlier: [
      {
        at: "2026-11-10T12:00:00Z",
        request: { actionType: "contacts.bulk_update", environment: "staging", agentId: "agent-7" },
        repeat: { times: 3, every: "1d" }
      }
    ]
  }
}

describe("a shrunk situation", () => {
  it("keeps what the test needs and nothing else, in round numbers", () => {
    const shows = ({ request }: Situation) => (request.entitiesAffected ?? 0) >= 500
    expect(shrink(wordy, shows)).toEqual({
      request: { actionType: "contacts.bulk_update", environment: "staging", entitiesAffected: 700 }
    })
  })

  it("keeps only as much of the history as the test needs", () => {
    const shows = ({ history }: Situation) => history !== undefined
    expect(shrink(wordy, shows).history).toEqual({
      now: "2026-11-16T12:00:00Z",
      earlier: [
        {
          at: "2026-11-10T12:00:00Z",
          request: { actionType: "contacts.bulk_update", environment: "staging" }
        }
      ]
    })
  })
})

describe("a witness", () => {
  const pair = { from: workingBook, to: editedBook(["HIGH_ENTITY_COUNT", '"value":100000}', '"value":500}']) }
  const gap = (situation: Situation) =>
    scoreIn(pair.to, situation).score - scoreIn(pair.from, situation).score

  it("differs at least as much as the situation that it was shrunk from", () => {
    const search = { wanted: [() => true], known: [wordy], boxes: () => [] }
    const witness = findWitness(pair, search)
    expect(gap(wordy)).toBeGreaterThan(0)
    expect((witness?.to.score ?? 0) - (witness?.from.score ?? 0)).toBeGreaterThanOrEqual(gap(wordy))
  })

  it("is constructed from the facts if no known situation shows the difference", () => {
    const many = { entities_affected: { min: 500, max: 999 } }
    const search = { wanted: [(situation: Situation) => gap(situation) > 0], known: [], boxes: () => [many] }
    expect(findWitness(pair, search)?.request.entities_affected).toBeGreaterThanOrEqual(500)
  })

  it("is undefined if no situation shows the difference", () => {
    const search = { wanted: [() => false], known: [wordy], boxes: () => [] }
    expect(findWitness(pair, search)).toBeUndefined()
  })
})
