/** What is taken for impossible never occurs in any question that a score asks. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Term } from "../../../src/rules/analysis/Term.ts"
import { possibleFacts } from "../../../src/rules/analysis/possibleFacts.ts"
import { beforeFinalMatch } from "../../../src/rules/proof/finalAdjustments.ts"
import type { Facts } from "../../../src/scoring/Facts.ts"
import { converse, type Deliberation, prepareAction } from "../../../src/scoring/evaluate.ts"
import { deliberate, scoreWithRange } from "../../../src/scoring/score.ts"
import type { Question } from "../../oracle/Question.ts"
import { question } from "../../support/arbitrary/question.ts"
import { termHolds } from "../../support/asks.ts"
import { model } from "../../support/draft.ts"
import { policySetOf } from "../../support/policySetOf.ts"
import { propertyRuns, timeoutMs } from "../../support/runs.ts"

const statements: ReadonlyArray<Term> = [possibleFacts(model.numbers)].flatMap((term) =>
  "all" in term ? term.all : [term]
)

const askedBy = (deliberation: Deliberation<unknown>, { policies }: Question): ReadonlyArray<Facts> => {
  const set = policySetOf(policies)
  const questions: Array<Facts> = []
  converse(deliberation, (facts) => {
    questions.push(facts)
    return { rules: model.match(facts), policies: set.match(facts) }
  })
  return questions
}

const broken = (questions: ReadonlyArray<Facts>): ReadonlyArray<Term> =>
  questions.flatMap((facts) => statements.filter((statement) => !termHolds(statement, facts)))

const few = Math.ceil(propertyRuns / 10)

describe(`${statements.length} statements about which facts can be together`, () => {
  it(
    "hold for every question that makes a score, and so does what only the last one may ask",
    { timeout: timeoutMs(propertyRuns) },
    () => {
      fc.assert(
        fc.property(question(), (one) => {
          const questions = askedBy(scoreWithRange(prepareAction(one.action, one.behavior, model)), one)
          expect(broken(questions)).toEqual([])
          const early = questions.slice(0, -1)
          expect(early.filter((facts) => !termHolds(beforeFinalMatch, facts))).toEqual([])
        }),
        { numRuns: propertyRuns }
      )
    }
  )

  it("hold for the questions about missing information too", { timeout: timeoutMs(few) }, () => {
    fc.assert(
      fc.property(question(), (one) => {
        expect(broken(askedBy(deliberate(one.action, one.behavior, model), one))).toEqual([])
      }),
      { numRuns: few }
    )
  })
})
