/**
 * How many assessments a second are answered over HTTP, each durably stored before its answer?
 *
 * Method: three processes on one PostgreSQL of the bench's own with its durability on. `action-risk serve` as installed;
 * the floor (peers/floor.ts), which inserts the same bytes with shared commits and does nothing else; the naive service
 * (peers/naive.ts). A fourth process asks with 64 connections, no two bodies alike, each under a key of its own. All are
 * warmed up, then measured in turn, several rounds. After each load the rows are counted. Then action-risk and the floor
 * answer one and the same steady rate, half of what action-risk reached, latency counted from when a request was due.
 * Goals: ≥ 0.5 × floor, ≥ 6 × naive, p99 at half load ≤ 2 × the floor's.
 */

import type { Answer, Question } from "./Question.ts"
import { allAnswered, assessmentsAt, measureInTurn } from "./stored/measureInTurn.ts"
import { onStage, type Stage } from "./stored/openStage.ts"
import { connections, seconds } from "./stored/settings.ts"

const floorShareMin = 0.5
const timesNaiveMin = 6
const timesFloorTailMax = 2

/** Connections are cut when a load ends: a request in progress then may have been stored without an answer. */
const checking = ({ database }: Stage) => {
  let loads = 0
  return async (answered: number) => {
    loads++
    const stored = (await database.countStored()) - 1
    if (stored < answered || stored > answered + loads * connections)
      throw new Error(`${answered} assessments were answered and ${stored} are stored`)
  }
}

const measureOn = async (stage: Stage): Promise<Answer> => {
  const { key, url } = stage.service
  const subjectOf = (subject: string, at: string) => assessmentsAt(subject, { key, urls: [at] })
  const floorUrl = (await stage.startPeer("floor")).url
  const naiveUrl = (await stage.startPeer("naive")).url
  const full = await measureInTurn([
    { ...subjectOf("action-risk", url), check: checking(stage) },
    subjectOf("floor", floorUrl),
    subjectOf("naive", naiveUrl)
  ])
  const [own, floor, naive] = full.map(({ perSecond }) => perSecond)
  if (own === undefined || floor === undefined || naive === undefined) throw new Error("three are measured")
  const half = await measureInTurn(
    [subjectOf("action-risk, half load", url), subjectOf("floor, same load", floorUrl)],
    { perSecond: own / 2, lapSeconds: seconds / 2 }
  )
  const [ownTail = Number.NaN, floorTail = Number.NaN] = half.map(({ p99Us }) => p99Us)
  const share = own / floor
  const timesNaive = own / naive
  return {
    rows: [...full, ...half],
    notes: [
      "every answered assessment is stored",
      `${share.toFixed(2)} × the floor, ${timesNaive.toFixed(1)} × the naive service; at half load p99 is ${(ownTail / floorTail).toFixed(1)} × the floor's`
    ],
    goals: [
      allAnswered([...full, ...half]),
      { says: `≥ ${floorShareMin} × the floor`, met: share >= floorShareMin },
      { says: `≥ ${timesNaiveMin} × the naive service`, met: timesNaive >= timesNaiveMin },
      {
        says: `p99 at half load ≤ ${timesFloorTailMax} × the floor's`,
        met: ownTail <= timesFloorTailMax * floorTail
      }
    ]
  }
}

export const assessQuestion: Question = {
  name: "assess",
  asks: "Assessments over HTTP, each durably stored before its answer",
  answer: onStage(measureOn)
}
