/** For each milder edit of the working rules the proof finds a request that falls. Edits that are not milder are proven. */

import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { isFall, moveBetween, type ScoreAndControl } from "../../../src/rules/ScoreAndControl.ts"
import type { Rulebook } from "../../../src/rules/Rulebook.ts"
import { type Situation, snapshotOf } from "../../../src/rules/cases/Situation.ts"
import type { Witness } from "../../../src/rules/counterexample/findWitness.ts"
import { readCorpus } from "../../../src/rules/corpus/Corpus.ts"
import { callsOfLexicon } from "../../../src/rules/corpus/namedCalls.ts"
import { SituationFile } from "../../../src/rules/files/caseFiles.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { type Proof, proveNotLower } from "../../../src/rules/proof/proveNotLower.ts"
import { editedBook, starterBook, workingBook } from "../../support/rulebooks.ts"
import { milder, milderAmounts, milderWords, mixed, weaker } from "./milder.ts"
import { score } from "../../../src/scoring/score.ts"

/** The calls that the lexicon itself names: they show each edit here, and the others take seconds. */
const samples = { ...readCorpus(packageRoot), calls: callsOfLexicon }
const decode = Schema.decodeUnknownSync(SituationFile)

const reportedOf = ({ policies, release: { model } }: Rulebook, situation: Situation): ScoreAndControl => {
  const { actionRisk, recommendedControl } = score(
    situation.request,
    snapshotOf(situation, model),
    model,
    policies.policySet
  )
  return { score: actionRisk.score, control: recommendedControl.type }
}

const reportedIn = (book: Rulebook, { history, request }: Witness): ScoreAndControl =>
  reportedOf(book, decode(history === undefined ? { request } : { request, history }))

/** Whether the proof shows a witness that falls by the scorer itself, with what the scorer reports. */
const showsFall = (from: Rulebook, to: Rulebook, { holds, witness }: Proof): boolean => {
  if (holds || witness === undefined) return false
  const reported = { from: reportedIn(from, witness), to: reportedIn(to, witness) }
  expect({ from: witness.from, to: witness.to }).toEqual(reported)
  return isFall(moveBetween(reported.from, reported.to))
}

const hazardOf = (code: string): string => {
  const factor = workingBook.release.files.factors.find(({ name }) => name === code)
  return /"hazard_bp":\d+/.exec(JSON.stringify(factor?.json))?.[0] ?? ""
}

/** Each compares two rulebooks in full, some of them with a lexicon of their own. */
const timeout = 120_000

describe("the proof that nothing falls", { timeout }, () => {
  it("holds between a release and itself, without a sample", () => {
    const proof = proveNotLower(workingBook, editedBook(), samples)
    expect(proof).toEqual({ holds: true, covers: expect.stringMatching(/^every request/) })
  })

  it.each(milder)("fails by a request for %s, and holds for the reverse", (_, edit) => {
    const edited = editedBook(edit)
    expect(showsFall(workingBook, edited, proveNotLower(workingBook, edited, samples))).toBe(true)
    expect(proveNotLower(edited, workingBook, samples)).toMatchObject({ holds: true })
  })

  it.each(weaker)("fails by a request with a weaker control and an equal score for %s", (_, edit) => {
    const edited = editedBook(edit)
    const proof = proveNotLower(workingBook, edited, samples)
    expect(showsFall(workingBook, edited, proof)).toBe(true)
    expect(proof.witness?.to.score).toBe(proof.witness?.from.score)
    expect(proveNotLower(edited, workingBook, samples)).toMatchObject({ holds: true })
  })

  it("fails for a new factor of volume that lets a staged execution take the place of a confirmation", () => {
    const says = JSON.stringify({ fact: "entities_affected", operator: "greaterThanInclusive", value: 100 })
    const edited = editedBook(["HIGH_ENTITY_COUNT", says, says.replace("100", "50")])
    const proof = proveNotLower(workingBook, edited, samples)
    expect(showsFall(workingBook, edited, proof)).toBe(true)
    expect([proof.witness?.from.control, proof.witness?.to.control]).toEqual([
      "HUMAN_CONFIRMATION_RECOMMENDED",
      "STAGED_EXECUTION_RECOMMENDED"
    ])
  })

  it("is not decided where a factor becomes more severe and may then rest only on an assumption", () => {
    const says = JSON.stringify({ fact: "records_affected", operator: "greaterThanInclusive", value: 10_000 })
    const edited = editedBook(["DATA_DESTRUCTION", says, says.replace("10000", "5000")])
    expect(proveNotLower(workingBook, edited, samples)).toMatchObject({
      holds: false,
      unproven: ["DATA_DESTRUCTION"]
    })
  })

  it.each([...milderWords, ...milderAmounts])(
    "fails by a request for %s, and is not decided for the reverse",
    (_, edit) => {
      const edited = editedBook(edit)
      expect(showsFall(workingBook, edited, proveNotLower(workingBook, edited, samples))).toBe(true)
      expect(proveNotLower(edited, workingBook, samples)).toMatchObject({
        holds: false,
        unproven: expect.arrayContaining([expect.stringMatching(/^(lexicon$|knowledge\.|ruleset\.)/)])
      })
    }
  )

  it.each(mixed)("fails both ways for %s", (_, edit) => {
    const edited = editedBook(edit)
    expect(showsFall(workingBook, edited, proveNotLower(workingBook, edited, samples))).toBe(true)
    expect(showsFall(edited, workingBook, proveNotLower(edited, workingBook, samples))).toBe(true)
  })

  it("finds witnesses without any sample", () => {
    const edited = editedBook(["mass-irreversible-change-in-production", null])
    expect(showsFall(workingBook, edited, proveNotLower(workingBook, edited))).toBe(true)
  })

  it("holds without a rule that moves no score and no control", () => {
    expect(proveNotLower(workingBook, editedBook(["INSUFFICIENT_CONTEXT", null]))).toMatchObject({
      holds: true
    })
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

  it("proves the rules under changed knowledge, says how many calls it read, and rules no other call out", () => {
    const raised = editedBook([
      "stripe",
      `"accounts.reject":{"class":"access","impact":"high"`,
      `"accounts.reject":{"class":"access","impact":"critical"`
    ])
    const proof = proveNotLower(workingBook, raised, samples)
    expect(proof).toMatchObject({
      holds: false,
      unproven: ["lexicon"],
      sampled: { requests: expect.any(Number) }
    })
    expect(proof.covers).toMatch(
      /^not decided: 1 file of the lexicon.* 1 are read differently, none falls.*: every request/
    )
    const both = editedBook(
      ["stripe", `"accounts.reject":{"class":"access"`, `"accounts.reject":{"class":"write"`],
      ["DESTINATION_STEP_UP", hazardOf("DESTINATION_STEP_UP"), `"hazard_bp":0`]
    )
    expect(proveNotLower(workingBook, both, samples).unproven).toEqual(["knowledge.access-as-write"])
    expect(proveNotLower(workingBook, both, samples).covers).toContain("read alike: one request")
  })

  it("does not treat other reasons as a change of knowledge", () => {
    const reworded = editedBook([
      "stripe",
      `"accounts.reject":{`,
      `"accounts.reject":{"why":"It ends a business.",`
    ])
    expect(proveNotLower(workingBook, reworded, samples)).toMatchObject({ holds: true })
  })

  it("compares policies too", () => {
    const book = starterBook()
    const gone = starterBook(["large-payments-need-a-second-approval", null])
    expect(proveNotLower(book, book)).toMatchObject({ holds: true })
    expect(proveNotLower(gone, book)).toMatchObject({ holds: true })
    const rule = book.policies.rules.find(({ match }) => (match.floor ?? 0) > 0)
    if (rule === undefined) throw new Error("no starter policy raises a floor")
    const lowered = starterBook([rule.match.rule, `"score":${rule.match.floor}`, `"score":1`])
    expect(showsFall(book, lowered, proveNotLower(book, lowered, samples))).toBe(true)
    expect(proveNotLower(lowered, book)).toMatchObject({ holds: true })
    const weakened = starterBook([
      "admin-grants-are-reviewed",
      "HUMAN_REVIEW_RECOMMENDED",
      "HUMAN_CONFIRMATION_RECOMMENDED"
    ])
    expect(showsFall(book, weakened, proveNotLower(book, weakened, samples))).toBe(true)
    expect(proveNotLower(weakened, book)).toMatchObject({ holds: true })
  })
})
