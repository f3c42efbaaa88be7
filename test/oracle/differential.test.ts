/** The scorer and the oracle answer every random question alike: two hands wrote them from the same document. */

import fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import { expect, it } from "vitest"
import type { Opinion } from "../../src/domain/Opinion.ts"
import { namesEverything, namesProduction, normalize } from "../../src/scoring/edition1/lexicon/normalize.ts"
import { score } from "../../src/scoring/edition1/score.ts"
import { question } from "../support/arbitrary/question.ts"
import { actionTypes, destinations, targetResources, targetSystems } from "../support/arbitrary/vocabulary.ts"
import { oracleRuns, seed, timeoutMs } from "../support/depth.ts"
import { model } from "../support/edition1.ts"
import { policySetOf } from "../support/policySetOf.ts"
import type { Question } from "./Question.ts"
import { opinion } from "./opinion.ts"

/** All that the oracle has an answer to: everything but sentences and the canonical name. */
const comparable = (scored: Opinion) => ({
  complete: scored.complete,
  actionCategory: scored.actionCategory,
  actionRisk: scored.actionRisk,
  blastRadius: scored.blastRadius,
  riskFactors: scored.riskFactors.map(({ code, severity, category }) => ({ code, severity, category })),
  recommendedControl: { type: scored.recommendedControl.type, priority: scored.recommendedControl.priority },
  recommendations: scored.recommendations,
  behavioralContext: scored.behavioralContext,
  policyContext: scored.policyContext.map(({ rule, effect }) => ({ rule, effect })),
  assumptions: scored.assumptions,
  missingInformation: scored.missingInformation
})

const scored = ({ action, behavior, policies }: Question) =>
  comparable(score(action, behavior, model, policySetOf(policies)))

it.each(actionTypes)(
  "the lexicon reads `$text` as a person does",
  ({ text, class: verb, extent, ...known }) => {
    const { takesAway: _, ...flags } = known
    const { type: __, ...read } = normalize({ actionType: text }, model.lexicon)
    const unflagged = {
      dataStore: false,
      admin: false,
      credential: false,
      alsoExports: false,
      safeguardWeakened: 0
    }
    expect(read).toEqual({ ...unflagged, class: verb, extent, ...flags })
  }
)

it.each([...targetSystems, ...targetResources])(
  "the lexicon reads the target `$text` as a person does",
  (word) => {
    const read = normalize({ actionType: "order.delete", targetResource: word.text }, model.lexicon)
    expect(read).toMatchObject({
      dataStore: word.dataStore ?? false,
      admin: word.admin ?? false,
      safeguardWeakened: word.safeguard ?? 0
    })
    expect(namesProduction(word.text, model.lexicon)).toBe(word.production ?? false)
    expect(namesEverything(word.text, model.lexicon)).toBe(word.everything ?? false)
  }
)

it.each(destinations)(
  "the lexicon reads the destination `$text` as a person does",
  ({ text, production }) => {
    expect(namesProduction(text, model.lexicon)).toBe(production ?? false)
  }
)

it(
  `the scorer agrees with the oracle on ${oracleRuns} random questions`,
  { timeout: timeoutMs(oracleRuns) },
  () => {
    console.info(`oracle: seed ${seed}, ${oracleRuns} questions`)
    const agree = (asked: Question): boolean => isDeepStrictEqual(scored(asked), opinion(asked))
    const found = fc.check(fc.property(question(), agree), { numRuns: oracleRuns })
    const [smallest] = found.counterexample ?? []
    // Vitest's own comparison explains well and is slow: only the smallest difference is shown to it.
    expect({ report: fc.defaultReportMessage(found), opinion: smallest && scored(smallest) }).toEqual({
      report: undefined,
      opinion: smallest && opinion(smallest)
    })
  }
)
