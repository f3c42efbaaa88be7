/** What is taken for impossible never occurs in any question that a score asks. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { possible } from "../../../src/rules/analysis/possible.ts"
import type { Term } from "../../../src/rules/analysis/Term.ts"
import { firstQuestions } from "../../../src/rules/proof/lastQuestion.ts"
import { deliberate } from "../../../src/scoring/deliberate.ts"
import { converse, type Deliberation } from "../../../src/scoring/Deliberation.ts"
import type { Facts } from "../../../src/scoring/Facts.ts"
import { settle } from "../../../src/scoring/settle.ts"
import { openCase } from "../../../src/scoring/weigh.ts"
import type { Question } from "../../oracle/Question.ts"
import { question } from "../../support/arbitrary/question.ts"
import { termHolds } from "../../support/asks.ts"
import { model } from "../../support/draft.ts"
import { policySetOf } from "../../support/policySetOf.ts"
import { propertyRuns, timeoutMs } from "../../support/runs.ts"

const statements: ReadonlyArray<Term> = [possible(model.numbers)].flatMap((term) =>
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
          const questions = askedBy(settle(openCase(one.action, one.behavior, model)), one)
          expect(broken(questions)).toEqual([])
          const early = questions.slice(0, -1)
          expect(early.filter((facts) => !termHolds(firstQuestions, facts))).toEqual([])
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
