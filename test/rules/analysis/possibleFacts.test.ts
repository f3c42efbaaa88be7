/** No score matches facts that the analysis takes to be impossible. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Term } from "../../../src/rules/analysis/Term.ts"
import { possibleFacts } from "../../../src/rules/analysis/possibleFacts.ts"
import { beforeFinalMatch } from "../../../src/rules/proof/finalAdjustments.ts"
import type { Facts } from "../../../src/scoring/Facts.ts"
import type { PolicySet } from "../../../src/scoring/Model.ts"
import type { Model } from "../../../src/scoring/edition1/Model.ts"
import { prepareAction, score, scoreWithRange } from "../../../src/scoring/edition1/score.ts"
import type { Question } from "../../oracle/Question.ts"
import { question } from "../../support/arbitrary/question.ts"
import { termHolds } from "../../support/asks.ts"
import { propertyRuns, timeoutMs } from "../../support/depth.ts"
import { model } from "../../support/edition1.ts"
import { policySetOf } from "../../support/policySetOf.ts"

const statements: ReadonlyArray<Term> = [possibleFacts(model.numbers)].flatMap((term) =>
  "all" in term ? term.all : [term]
)

/** The facts that a score matches, in order; `run` scores the question. */
const matchedFacts = (
  run: (question: Question, model: Model, policies: PolicySet) => unknown,
  question: Question
): ReadonlyArray<Facts> => {
  const matched: Array<Facts> = []
  const match = (facts: Facts) => {
    matched.push(facts)
    return model.match(facts)
  }
  run(question, { ...model, match }, policySetOf(question.policies))
  return matched
}

const broken = (questions: ReadonlyArray<Facts>): ReadonlyArray<Term> =>
  questions.flatMap((facts) => statements.filter((statement) => !termHolds(statement, facts)))

const few = Math.ceil(propertyRuns / 10)

describe(`${statements.length} statements about which facts can be together`, () => {
  it(
    "hold for all facts that a score matches, and only the last match has facts of the opinion",
    { timeout: timeoutMs(propertyRuns) },
    () => {
      fc.assert(
        fc.property(question(), (one) => {
          const questions = matchedFacts(
            ({ action, behavior }, model, policies) =>
              scoreWithRange(prepareAction(action, behavior, model, policies)),
            one
          )
          expect(broken(questions)).toEqual([])
          const early = questions.slice(0, -1)
          expect(early.filter((facts) => !termHolds(beforeFinalMatch, facts))).toEqual([])
        }),
        { numRuns: propertyRuns }
      )
    }
  )

  it("hold for the facts that missing information is measured with too", { timeout: timeoutMs(few) }, () => {
    fc.assert(
      fc.property(question(), (one) => {
        const questions = matchedFacts(
          ({ action, behavior }, model, policies) => score(action, behavior, model, policies),
          one
        )
        expect(broken(questions)).toEqual([])
      }),
      { numRuns: few }
    )
  })
})
