/**
 * How long does a caller wait who is alone?
 *
 * Method: as in assess.ts, with one connection that asks again as soon as it has its answer: so nothing is shared, and every
 * round trip and every turn of the event loop counts. Goal: median ≤ 2.5 × the floor's.
 */

import type { Answer, Question } from "./Question.ts"
import { allAnswered, measureInTurn, type Subject } from "./stored/measureInTurn.ts"
import { openStage, type Stage } from "./stored/openStage.ts"

const timesFloorMax = 2.5

const measureOn = async (stage: Stage): Promise<Answer> => {
  const { key, url } = stage.service
  const subjectOf = (subject: string, at: string): Subject => ({
    subject,
    urls: [at],
    requests: (lap) => ({ run: `${subject}-${lap}`, from: 0, key })
  })
  const floorUrl = (await stage.startPeer("floor")).url
  const rows = await measureInTurn(
    [subjectOf("action-risk, lone", url), subjectOf("floor, lone", floorUrl)],
    {
      atOnce: 1
    }
  )
  const [own = Number.NaN, floor = Number.NaN] = rows.map(({ medianUs }) => medianUs)
  return {
    rows,
    notes: [`the median is ${(own / floor).toFixed(1)} × the floor's`],
    goals: [
      allAnswered(rows),
      { says: `median ≤ ${timesFloorMax} × the floor's`, met: own <= timesFloorMax * floor }
    ]
  }
}

export const loneQuestion: Question = {
  name: "lone",
  asks: "An assessment for a caller who is alone",
  answer: async () => {
    await using stage = await openStage()
    return await measureOn(stage)
  }
}
