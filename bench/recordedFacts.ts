/** One record of facts for each situation: the one that its score is made of. */

import type { Facts } from "../src/scoring/Facts.ts"
import { edition, policySet, situations } from "./situations.ts"

export const recordedFacts: ReadonlyArray<Facts> = situations.map(({ action, behavior }) => {
  const asked: Array<Facts> = []
  const listening = edition.withMatch((facts) => {
    asked.push(facts)
    return edition.match(facts)
  })
  listening.score(action, behavior, policySet)
  const [first] = asked
  if (first === undefined) throw new Error("the score asked nothing")
  return first
})
