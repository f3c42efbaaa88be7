/**
 * How long does one opinion take, from request to result, pure?
 *
 * Method: every calibration case is scored in turn by one process on one core: normalize, complete, dimensions, facts,
 * rules, blast radius, action risk, range, missing information, control and summary. Goal: median ≤ 25 µs, p99 ≤ 100 µs.
 */

import type { Question } from "./Question.ts"
import { measure } from "./measure.ts"
import { edition, policySet, situations } from "./situations.ts"

const medianUsMax = 25
const p99UsMax = 100

/** The next situation each time, so that no single one is learnt by heart. */
const inTurn = () => {
  let at = 0
  return () => {
    const situation = situations[at++ % situations.length]
    return situation && edition.score(situation.action, situation.behavior, policySet)
  }
}

let evaluations = 0
const counting = edition.withMatch((facts) => {
  evaluations++
  return edition.match(facts)
})

export const scoreQuestion: Question = {
  name: "score",
  asks: "One opinion from request to result, pure",
  answer: async () => {
    for (const { action, behavior } of situations) counting.score(action, behavior, policySet)
    const rows = await measure([{ subject: "action-risk", run: inTurn(), each: 1 }])
    const [row] = rows
    return {
      rows,
      notes: [
        `${situations.length} requests, ${(evaluations / situations.length).toFixed(1)} evaluations of the model for each`
      ],
      goals: [
        { says: `median ≤ ${medianUsMax} µs`, met: row !== undefined && row.medianUs <= medianUsMax },
        { says: `p99 ≤ ${p99UsMax} µs`, met: row !== undefined && row.p99Us <= p99UsMax }
      ]
    }
  }
}
