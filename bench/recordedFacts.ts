/** One record of facts for each situation: the one that its score is made of. */

import type { Facts } from "../src/scoring/Facts.ts"
import { score } from "../src/scoring/edition1/score.ts"
import { model, policySet, situations } from "./situations.ts"

export const recordedFacts: ReadonlyArray<Facts> = situations.map(({ action, behavior }) => {
  const asked: Array<Facts> = []
  const listening = {
    ...model,
    match: (facts: Facts) => {
      asked.push(facts)
      return model.match(facts)
    }
  }
  score(action, behavior, listening, policySet)
  const [first] = asked
  if (first === undefined) throw new Error("the score asked nothing")
  return first
})
