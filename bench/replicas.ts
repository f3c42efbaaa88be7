/**
 * What do two replicas on one database answer, next to one?
 *
 * Method: one and two `action-risk serve` on the same PostgreSQL, which share their rate limits through it, in turn under
 * the same 64 connections. Every assessment that was answered is stored once, whichever replica answered it. Goal: ≥ 1.3 ×
 * one replica; on a machine with two cores PostgreSQL, the load and two replicas share those, and the figure says little.
 */

import { availableParallelism } from "node:os"
import type { Answer, Question } from "./Question.ts"
import { allAnswered, assessmentsAt, measureInTurn } from "./stored/measureInTurn.ts"
import { openDatabase, type OwnDatabase } from "./stored/database.ts"
import { type Service, startReplica, startService } from "./stored/service.ts"
import { connections } from "./stored/settings.ts"

const timesOneMin = 1.3
/** Two replicas, PostgreSQL and the load each need one. */
const coresMin = 4

const measureOn = async (database: OwnDatabase, one: Service, other: Service): Promise<Answer> => {
  let loads = 0
  let answered = 0
  const subjectOf = (subject: string, replicas: ReadonlyArray<Service>) => {
    let before = 0
    return {
      ...assessmentsAt(subject, { key: one.key, urls: replicas.map(({ url }) => url) }),
      check: async (soFar: number) => {
        loads++
        answered += soFar - before
        before = soFar
        const stored = await database.countStored()
        if (stored < answered || stored > answered + loads * connections)
          throw new Error(`${answered} assessments were answered and ${stored} are stored`)
      }
    }
  }
  const rows = await measureInTurn([subjectOf("one replica", [one]), subjectOf("two replicas", [one, other])])
  const times = (rows[1]?.perSecond ?? Number.NaN) / (rows[0]?.perSecond ?? Number.NaN)
  const cores = availableParallelism()
  return {
    rows,
    notes: [
      "every answered assessment is stored once",
      `two replicas answer ${times.toFixed(2)} × one, on ${cores} cores`
    ],
    goals: [
      allAnswered(rows),
      cores < coresMin
        ? { says: `exact; too few cores to gain from a second replica (${cores} of ${coresMin})`, met: true }
        : { says: `≥ ${timesOneMin} × one replica`, met: times >= timesOneMin }
    ]
  }
}

/** The first service on a database makes the key that replicas know too. */
const firstKey = async (database: OwnDatabase): Promise<string> => {
  await using service = await startService(database)
  return service.key
}

export const replicasQuestion: Question = {
  name: "replicas",
  asks: "Two replicas on one database, next to one",
  answer: async () => {
    await using database = await openDatabase()
    const key = await firstKey(database)
    await using one = await startReplica(database, key)
    await using other = await startReplica(database, key)
    return await measureOn(database, one, other)
  }
}
