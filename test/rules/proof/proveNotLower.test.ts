/** For each milder edit of the shipped release the proof finds a request that scores lower. Edits that are no milder are proven. */

import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import type { Rulebook } from "../../../src/rules/Rulebook.ts"
import { snapshotOf } from "../../../src/rules/cases/Situation.ts"
import type { Witness } from "../../../src/rules/counterexample/findWitness.ts"
import { readSampleSituations } from "../../../src/rules/counterexample/sampleSituations.ts"
import { SituationFile } from "../../../src/rules/files/caseFiles.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { type Proof, proveNotLower } from "../../../src/rules/proof/proveNotLower.ts"
import { firstBook, ruleBook, starterBook } from "../../support/rulebooks.ts"
import { milder, milderWords, mixed } from "./milder.ts"

const samples = readSampleSituations(packageRoot)
const decode = Schema.decodeUnknownSync(SituationFile)

const scoreIn = ({ policies, release: { edition } }: Rulebook, { history, request }: Witness): number => {
  const situation = decode(history === undefined ? { request } : { request, history })
  return edition.score(situation.request, snapshotOf(situation, edition), policies.policySet).actionRisk.score
}

/** The scores that both rulebooks report for the witness; empty without a witness. */
const rescored = (from: Rulebook, to: Rulebook, { witness }: Proof): ReadonlyArray<number> =>
  witness === undefined ? [] : [scoreIn(from, witness), scoreIn(to, witness)]

/** Whether the proof shows a witness that the scorer itself scores lower. */
const isFall = (from: Rulebook, to: Rulebook, proof: Proof): boolean => {
  const [before = 0, after = 0] = rescored(from, to, proof)
  return (
    !proof.holds && after < before && before === proof.witness?.fromScore && after === proof.witness.toScore
  )
}

const ofVerbs = /verb/

describe("the proof that nothing scores lower", () => {
  it("holds between a release and itself, without a sample", () => {
    const proof = proveNotLower(firstBook, ruleBook(), samples)
    expect(proof).toEqual({ holds: true, covers: expect.stringMatching(/^every request/) })
  })

  it.each(milder)("fails by a request for %s, and holds the other way round", (what, edit) => {
    const edited = ruleBook(edit)
    expect(isFall(firstBook, edited, proveNotLower(firstBook, edited, samples))).toBe(true)
    // A riskier verb also hides milder verbs beside it, so the other way round is no pure rise.
    if (ofVerbs.test(what)) return
    expect(proveNotLower(edited, firstBook, samples)).toMatchObject({ holds: true })
  })

  it.each(milderWords)("fails by a request in the words of %s", (_, edit) => {
    const edited = ruleBook(edit)
    expect(isFall(firstBook, edited, proveNotLower(firstBook, edited, samples))).toBe(true)
  })

  it("does not hold if verbs of more classes can be single: no sample tries all of their names", () => {
    const edited = ruleBook(["words", `"never_single":["destroy",`, `"never_single":[`])
    expect(proveNotLower(firstBook, edited, samples)).toMatchObject({ holds: false })
  })

  it.each(mixed)("fails both ways for %s", (_, edit) => {
    const edited = ruleBook(edit)
    expect(isFall(firstBook, edited, proveNotLower(firstBook, edited, samples))).toBe(true)
    expect(isFall(edited, firstBook, proveNotLower(edited, firstBook, samples))).toBe(true)
  })

  it("finds witnesses without any sample", () => {
    const edited = ruleBook(["HIGH_RECORD_COUNT", null])
    expect(isFall(firstBook, edited, proveNotLower(firstBook, edited))).toBe(true)
  })

  it("holds without a rule whose work other rules do", () => {
    for (const code of ["DATA_CLASSIFICATION_UNKNOWN", "DIFFICULT_TO_REVERSE", "INSUFFICIENT_CONTEXT"]) {
      expect([code, proveNotLower(firstBook, ruleBook([code, null]))]).toMatchObject([code, { holds: true }])
    }
  })

  it("holds for another spelling of the same condition", () => {
    const says = JSON.stringify({ fact: "entities_affected", operator: "greaterThanInclusive", value: 1_000 })
    const instead = JSON.stringify({ fact: "entities_affected", operator: "greaterThan", value: 999 })
    const respelled = ruleBook(["HIGH_ENTITY_COUNT", says, instead])
    expect(proveNotLower(firstBook, respelled)).toMatchObject({ holds: true })
    expect(proveNotLower(respelled, firstBook)).toMatchObject({ holds: true })
  })

  it("says that it could not decide if only a fault could show the difference", () => {
    const edited = ruleBook(["ruleset", `"incomplete_score_min":40`, `"incomplete_score_min":30`])
    const proof = proveNotLower(firstBook, edited)
    expect(proof).toEqual({ holds: false, covers: expect.stringContaining("ruleset.incomplete_score_min") })
  })

  it("says how many requests it tried if words changed, the same ones every time", () => {
    const edited = ruleBook(["words", `"dozens",`, `"dozens","oodles",`])
    const proof = proveNotLower(firstBook, edited)
    expect(proof).toMatchObject({ holds: true, sampled: { seed: expect.any(Number) } })
    expect(proof.covers).toMatch(/the lexicons differ.* \d+ pairs? of readings/)
    expect(proof.sampled?.requests).toBeGreaterThan(100)
    expect(proveNotLower(firstBook, edited)).toEqual(proof)
  })

  it("compares policies too", () => {
    const book = starterBook()
    const gone = starterBook(["large-payments-need-a-second-approval", null])
    expect(proveNotLower(book, book)).toMatchObject({ holds: true })
    expect(proveNotLower(gone, book)).toMatchObject({ holds: true })
    const rule = book.policies.rules.find(({ match }) => (match.floor ?? 0) > 0)
    if (rule === undefined) throw new Error("no starter policy raises a floor")
    const lowered = starterBook([rule.match.rule, `"score":${rule.match.floor}`, `"score":1`])
    expect(isFall(book, lowered, proveNotLower(book, lowered, samples))).toBe(true)
    expect(proveNotLower(lowered, book)).toMatchObject({ holds: true })
  })
})
