import { Schema } from "effect"
import { isDeepStrictEqual } from "node:util"
import { describe, expect, it } from "vitest"
import { isFall, isRise, moveBetween } from "../../../src/rules/ScoreAndControl.ts"
import type { Rulebook } from "../../../src/rules/Rulebook.ts"
import { type Situation, snapshotOf } from "../../../src/rules/cases/Situation.ts"
import type { Witness } from "../../../src/rules/counterexample/findWitness.ts"
import { readCorpus } from "../../../src/rules/corpus/Corpus.ts"
import { callsOfLexicon } from "../../../src/rules/corpus/namedCalls.ts"
import type { Change } from "../../../src/rules/diff/Diff.ts"
import { changesBetween, diffRulebooks } from "../../../src/rules/diff/diffRulebooks.ts"
import { SituationFile } from "../../../src/rules/files/caseFiles.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { editedBook, starterBook, workingBook } from "../../support/rulebooks.ts"
import { type EditCase, policyEdits, ruleEdits } from "./edits.ts"
import { knowledgeEdits, numberEdits, otherEdits } from "./numberEdits.ts"
import { score } from "../../../src/scoring/score.ts"

const samples = { ...readCorpus(packageRoot), calls: callsOfLexicon }
const decode = Schema.decodeUnknownSync(SituationFile)

const situationOf = (witness: Witness): Situation => {
  const { from: _from, to: _to, ...situation } = witness
  return decode(situation)
}

const opinionIn = ({ policies, release: { model } }: Rulebook, situation: Situation) =>
  score(situation.request, snapshotOf(situation, model), model, policies.policySet)

const onlyChange = (from: Rulebook, to: Rulebook): Change => {
  const { changes } = diffRulebooks(from, to, samples)
  const [change] = changes
  if (change === undefined || changes.length > 1) throw new Error(`one change, not ${changes.length}`)
  return change
}

const opposite = { stricter: "looser", looser: "stricter", moved: "moved", text: "text" } as const

/** The claim of the witness, and what both rulebooks report for it; undefined without a witness. */
const confirmed = ({ witness }: Change, from: Rulebook, to: Rulebook) => {
  if (witness === undefined) return undefined
  const situation = situationOf(witness)
  const [before, after] = [opinionIn(from, situation), opinionIn(to, situation)]
  return {
    claimed: [witness.from, witness.to],
    reported: [before, after].map(({ actionRisk, recommendedControl }) => ({
      score: actionRisk.score,
      control: recommendedControl.type
    })),
    move: moveBetween(witness.from, witness.to),
    differs: !isDeepStrictEqual(before, after)
  }
}

const findingsOn = (base: Rulebook, edited: Rulebook, one: EditCase) => {
  const change = onlyChange(base, edited)
  const seen = confirmed(change, base, edited)
  return {
    change,
    back: changesBetween(edited, base).map(({ code, kind }) => ({ code, kind })),
    shown: seen === undefined ? "nothing" : seen.move.points === 0 ? "the same score" : "another score",
    isReported: seen === undefined || isDeepStrictEqual(seen.claimed, seen.reported),
    differs: seen === undefined || seen.differs,
    fallsWhereStricter: one.kind === "stricter" && seen !== undefined && isFall(seen.move),
    risesWhereLooser: one.kind === "looser" && seen !== undefined && isRise(seen.move)
  }
}

const expected = (one: EditCase) => ({
  change: { code: one.code, kind: one.kind },
  back: [{ code: one.code, kind: opposite[one.kind] }],
  shown: one.kind === "text" ? "nothing" : one.sameScore === true ? "the same score" : "another score",
  isReported: true,
  differs: true,
  fallsWhereStricter: false,
  risesWhereLooser: false
})

describe("the difference between two rulebooks", { timeout: 120_000 }, () => {
  it("is none between a rulebook and itself", () => {
    expect(diffRulebooks(workingBook, workingBook, samples).changes).toEqual([])
    expect(diffRulebooks(workingBook, editedBook(), samples).changes).toEqual([])
  })

  it("is the same every time, ascending by code", () => {
    const edited = editedBook(...[...ruleEdits, ...numberEdits].slice(0, 1).map(({ edit }) => edit), [
      "words",
      '"superuser",',
      ""
    ])
    const first = diffRulebooks(workingBook, edited, samples)
    expect(diffRulebooks(workingBook, edited, samples)).toEqual(first)
    expect(first.changes.map(({ code }) => code)).toEqual([
      "HIGH_ENTITY_COUNT",
      "knowledge.access",
      "lexicon"
    ])
  })

  it.each([...ruleEdits, ...numberEdits, ...otherEdits])("$kind: $what", (one) => {
    const found = findingsOn(workingBook, editedBook(one.edit), one)
    expect(found).toMatchObject(expected(one))
    expect(found.change.summary).toContain(one.says)
  })

  it.each(policyEdits)("$kind in a policy set: $what", (one) => {
    const found = findingsOn(starterBook(), starterBook(one.edit), one)
    expect(found).toMatchObject(expected(one))
    expect(found.change.summary).toContain(one.says)
  })

  it("shows a request with a weaker or a stronger control where no score moves", () => {
    const says = JSON.stringify({ fact: "entities_affected", operator: "greaterThanInclusive", value: 1_000 })
    const edited = editedBook(["HIGH_ENTITY_COUNT", says, says.replace("1000", "3000")])
    const [looser, stricter] = [onlyChange(workingBook, edited), onlyChange(edited, workingBook)]
    expect([looser.kind, stricter.kind]).toEqual(["looser", "stricter"])
    expect(confirmed(looser, workingBook, edited)?.move).toEqual({ points: 0, steps: expect.any(Number) })
    expect(confirmed(looser, workingBook, edited)?.move.steps).toBeLessThan(0)
    expect(confirmed(stricter, edited, workingBook)?.move.steps).toBeGreaterThan(0)
  })

  it("calls a change moved that raises a factor and lets a staged execution take the place of a confirmation", () => {
    const says = JSON.stringify({ fact: "entities_affected", operator: "greaterThanInclusive", value: 100 })
    const edited = editedBook(["HIGH_ENTITY_COUNT", says, says.replace("100", "50")])
    const { kind, risingWitness, witness } = onlyChange(workingBook, edited)
    expect([kind, witness?.from.control, witness?.to.control]).toEqual([
      "moved",
      "HUMAN_CONFIRMATION_RECOMMENDED",
      "STAGED_EXECUTION_RECOMMENDED"
    ])
    expect(risingWitness && isRise(moveBetween(risingWitness.from, risingWitness.to))).toBe(true)
  })

  it("is in meaning, and not only in words, for the subject of a factor: by it an assumption may not count", () => {
    const edited = editedBook(["HIGH_ENTITY_COUNT", `"about":"reach",`, ""])
    expect(changesBetween(workingBook, edited)).toMatchObject([
      { code: "HIGH_ENTITY_COUNT", kind: "stricter" }
    ])
    expect(changesBetween(edited, workingBook)).toMatchObject([{ code: "HIGH_ENTITY_COUNT", kind: "looser" }])
  })

  it.each(knowledgeEdits)("what is read: $what", ({ changes, edit, says }) => {
    const found = diffRulebooks(workingBook, editedBook(edit), samples).changes
    expect(found.map(({ code, kind }) => `${code} ${kind}`)).toEqual(changes)
    expect(found.flatMap(({ details, summary }) => [summary, ...details]).join("\n")).toContain(says)
    const seen = found.flatMap((change) => confirmed(change, workingBook, editedBook(edit)) ?? [])
    expect(
      seen.filter(({ claimed, differs, reported }) => !differs || !isDeepStrictEqual(claimed, reported))
    ).toEqual([])
  })

  it("describes numbers, rules and rates together as it describes each alone", () => {
    const edits = [ruleEdits, numberEdits, otherEdits].flatMap(([one]) => (one === undefined ? [] : [one]))
    const found = changesBetween(workingBook, editedBook(...edits.map(({ edit }) => edit)))
    const alone = edits.flatMap(({ edit }) => changesBetween(workingBook, editedBook(edit)))
    const said = ({ code, kind, summary }: { code: string; kind: string; summary: string }) =>
      `${code} ${kind} ${summary}`
    expect(found.map(said)).toEqual(alone.map(said).toSorted())
  })

  it("shows of a change that moves both ways a request for each", () => {
    const anchors: EditCase["edit"] = ["ruleset", "[10,1000],[100,3000]", "[10,900],[100,3100]"]
    const { risingWitness, witness } = onlyChange(workingBook, editedBook(anchors))
    expect(witness && isFall(moveBetween(witness.from, witness.to))).toBe(true)
    expect(risingWitness && isRise(moveBetween(risingWitness.from, risingWitness.to))).toBe(true)
  })
})
