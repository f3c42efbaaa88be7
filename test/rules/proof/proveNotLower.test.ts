/** For each milder edit of the working rules the proof finds a request that scores lower. Edits that are no milder are proven. */

import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import type { Rulebook } from "../../../src/rules/Rulebook.ts"
import { type Situation, snapshotOf } from "../../../src/rules/cases/Situation.ts"
import type { Witness } from "../../../src/rules/counterexample/findWitness.ts"
import { readSampleSituations } from "../../../src/rules/counterexample/sampleSituations.ts"
import { SituationFile } from "../../../src/rules/files/caseFiles.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { type Proof, proveNotLower } from "../../../src/rules/proof/proveNotLower.ts"
import { editedBook, starterBook, workingBook } from "../../support/rulebooks.ts"
import { milder, milderWords, mixed } from "./milder.ts"
import { score } from "../../../src/scoring/score.ts"

const samples = readSampleSituations(packageRoot)
const decode = Schema.decodeUnknownSync(SituationFile)

const scoreOf = ({ policies, release: { model } }: Rulebook, situation: Situation): number =>
  score(situation.request, snapshotOf(situation, model), model, policies.policySet).actionRisk.score

const scoreIn = (book: Rulebook, { history, request }: Witness): number =>
  scoreOf(book, decode(history === undefined ? { request } : { request, history }))

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

/** Each compares two rulebooks in full, some of them with a lexicon of their own. */
const timeout = 120_000

describe("the proof that nothing scores lower", { timeout }, () => {
  it("holds between a release and itself, without a sample", () => {
    const proof = proveNotLower(workingBook, editedBook(), samples)
    expect(proof).toEqual({ holds: true, covers: expect.stringMatching(/^every request/) })
  })

  it.each(milder)("fails by a request for %s, and holds for the reverse", (_, edit) => {
    const edited = editedBook(edit)
    expect(isFall(workingBook, edited, proveNotLower(workingBook, edited, samples))).toBe(true)
    expect(proveNotLower(edited, workingBook, samples)).toMatchObject({ holds: true })
  })

  it.each(milderWords)(
    "fails by a request in the words of %s, and is not decided for the reverse",
    (_, edit) => {
      const edited = editedBook(edit)
      expect(isFall(workingBook, edited, proveNotLower(workingBook, edited, samples))).toBe(true)
      expect(proveNotLower(edited, workingBook, samples)).toMatchObject({
        holds: false,
        unproven: [expect.stringMatching(/^lexicon\./)]
      })
    }
  )

  it.each(mixed)("fails both ways for %s", (_, edit) => {
    const edited = editedBook(edit)
    expect(isFall(workingBook, edited, proveNotLower(workingBook, edited, samples))).toBe(true)
    expect(isFall(edited, workingBook, proveNotLower(edited, workingBook, samples))).toBe(true)
  })

  it("finds witnesses without any sample", () => {
    const edited = editedBook(["mass-irreversible-change-in-production", null])
    expect(isFall(workingBook, edited, proveNotLower(workingBook, edited))).toBe(true)
  })

  it("holds without a rule that carries no points", () => {
    for (const code of ["DATA_CLASSIFICATION_UNKNOWN", "DIFFICULT_TO_REVERSE", "INSUFFICIENT_CONTEXT"]) {
      expect([code, proveNotLower(workingBook, editedBook([code, null]))]).toMatchObject([
        code,
        { holds: true }
      ])
    }
  })

  it("holds for another spelling of the same condition", () => {
    const says = JSON.stringify({
      fact: "entities_affected",
      operator: "greaterThanInclusive",
      value: 100_000
    })
    const instead = JSON.stringify({ fact: "entities_affected", operator: "greaterThan", value: 99_999 })
    const respelled = editedBook(["HIGH_ENTITY_COUNT", says, instead])
    expect(proveNotLower(workingBook, respelled)).toMatchObject({ holds: true })
    expect(proveNotLower(respelled, workingBook)).toMatchObject({ holds: true })
  })

  it("says that it could not decide if only a fault could show the difference", () => {
    const edited = editedBook(["ruleset", `"incomplete_score_min":40`, `"incomplete_score_min":30`])
    expect(proveNotLower(workingBook, edited)).toEqual({
      holds: false,
      covers: expect.stringContaining("ruleset.incomplete_score_min"),
      unproven: ["ruleset.incomplete_score_min"]
    })
  })

  it("says what it proved of a changed entry and how many requests it tried, the same ones every time", () => {
    const edited = editedBook([
      "stripe",
      `"accounts.reject":{"class":"access","impact":"high"`,
      `"accounts.reject":{"class":"access","impact":"critical"`
    ])
    const proof = proveNotLower(workingBook, edited)
    expect(proof).toMatchObject({ holds: true, sampled: { requests: expect.any(Number) } })
    expect(proof.covers).toMatch(/1 changed entry of the lexicon.* pairs? of readings.* not proven$/)
    expect(proveNotLower(workingBook, edited)).toEqual(proof)
  })

  it("holds in neither direction for an entry of another class: none is riskier in everything", () => {
    const edited = editedBook([
      "stripe",
      `"accounts.reject":{"class":"access"`,
      `"accounts.reject":{"class":"write"`
    ])
    expect(isFall(workingBook, edited, proveNotLower(workingBook, edited, samples))).toBe(true)
    expect(proveNotLower(edited, workingBook, samples)).toMatchObject({
      holds: false,
      unproven: ["lexicon.providers.stripe"]
    })
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
