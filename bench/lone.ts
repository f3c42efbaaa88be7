/**
 * How long does a caller wait who is alone?
 *
 * Method: as in assess.ts, with one connection that asks again as soon as it has its answer: so nothing is shared, and every
 * round trip and every turn of the event loop counts. Goal: median ≤ 2.5 × the floor's.
 */

import type { Answer, Question } from "./Question.ts"
import { allAnswered, assessmentsAt, measureInTurn } from "./stored/measureInTurn.ts"
import { onStage, type Stage } from "./stored/openStage.ts"

const timesFloorMax = 2.5

const measureOn = async (stage: Stage): Promise<Answer> => {
  const { key, url } = stage.service
  const floor = await stage.startPeer("floor")
  const rows = await measureInTurn(
    [
      assessmentsAt("action-risk, lone", { key, urls: [url] }),
      assessmentsAt("floor, lone", { key, urls: [floor.url] })
    ],
    { atOnce: 1 }
  )
  const [own = Number.NaN, least = Number.NaN] = rows.map(({ medianUs }) => medianUs)
  return {
    rows,
    notes: [`the median is ${(own / least).toFixed(1)} × the floor's`],
    goals: [
      allAnswered(rows),
      { says: `median ≤ ${timesFloorMax} × the floor's`, met: own <= timesFloorMax * least }
    ]
  }
}

export const loneQuestion: Question = {
  name: "lone",
  asks: "An assessment for a caller who is alone",
  answer: onStage(measureOn)
}
