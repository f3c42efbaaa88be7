/**
 * What do dead webhook receivers cost those who ask for assessments?
 *
 * Method: two services as in assess.ts, each with a PostgreSQL of its own. The organization of one has no endpoints. That
 * of the other has a hundred, as many as it may, whose receivers, in a process of their own, refuse the connection, never
 * answer, or send a byte of a header a second. They want `assessment.incomplete`, and there were two hundred of those: the
 * relay is at its twenty thousand deliveries all the time, and the load makes no more of them. Both services are asked at
 * one and the same steady rate, half of what the first one reaches, in turn, several rounds; latency counts from when a
 * request was due. Afterwards the outbox must hold attempts that failed, and nothing delivered.
 * Goal: median ≤ 1.1 × that without endpoints.
 *
 * The last row has no goal: all hundred want every assessment, and each is a hundred rows more to write, whatever their
 * receivers are like.
 */

import type { Answer, Question } from "./Question.ts"
import { type DeadEndpoints, startDeadEndpoints } from "./stored/endpoints.ts"
import { allAnswered, assessmentsAt, measureInTurn } from "./stored/measureInTurn.ts"
import { openStage, type Stage } from "./stored/openStage.ts"
import { assessRequest } from "./stored/requests.ts"

const endpoints = 100
const backlog = 200
const medianTimesMax = 1.1

const subjectOf = (subject: string, { service: { key, url } }: Stage) =>
  assessmentsAt(subject, { key, urls: [url] })

/** Incomplete assessments by drill, each sent to every endpoint that subscribes to them. */
const fillOutbox = async ({ service: { key, url } }: Stage): Promise<void> => {
  for (let i = 0; i < backlog; i++) {
    const { body = "", headers, method, path } = assessRequest("backlog", i, key)
    const answer = await fetch(url + path, {
      method,
      headers: { ...headers, "svc-drill": "incomplete" },
      body
    })
    if (answer.status !== 200) throw new Error(`a drill was answered ${answer.status}`)
    await answer.arrayBuffer()
  }
}

interface Outbox {
  readonly delivered: number
  readonly attempts: number
  readonly waiting: number
}

const outboxOf = async ({ database }: Stage): Promise<Outbox> => {
  const { rows } = await database.owner.query<Outbox>(`
    SELECT count(*) FILTER (WHERE status = 'delivered')::int AS delivered, coalesce(sum(attempts), 0)::int AS attempts,
      count(*) FILTER (WHERE next_attempt_at IS NOT NULL)::int AS waiting
    FROM test.webhook_deliveries
  `)
  const [outbox] = rows
  if (outbox === undefined || outbox.delivered > 0 || outbox.attempts < endpoints)
    throw new Error(`endpoints that are dead were not tried, or answered: ${JSON.stringify(outbox)}`)
  return outbox
}

const measureOn = async (alone: Stage, beside: Stage, dead: DeadEndpoints): Promise<Answer> => {
  const [full] = await measureInTurn([subjectOf("no endpoints", alone)])
  if (full === undefined) throw new Error("one is measured")
  await fillOutbox(beside)
  const half = await measureInTurn(
    [
      subjectOf("no endpoints, half load", alone),
      subjectOf(`${endpoints} dead endpoints, same load`, beside)
    ],
    { perSecond: full.perSecond / 2 }
  )
  const { attempts, waiting } = await outboxOf(beside)
  await dead.want(["assessment.completed"])
  const told = await measureInTurn([subjectOf(`each told to ${endpoints}, full load`, beside)])
  const [aloneUs = Number.NaN, besideUs = Number.NaN] = half.map(({ medianUs }) => medianUs)
  const times = besideUs / aloneUs
  const rows = [full, ...half, ...told]
  return {
    rows,
    notes: [
      `${attempts} attempts failed and ${waiting} deliveries waited at the end of the half load; nothing was delivered`,
      `the median beside dead endpoints is ${times.toFixed(2)} × the one without`
    ],
    goals: [
      allAnswered(rows),
      { says: `median ≤ ${medianTimesMax} × that without endpoints`, met: times <= medianTimesMax }
    ]
  }
}

export const webhooksQuestion: Question = {
  name: "webhooks",
  asks: "Assessments over HTTP while a hundred webhook receivers are dead",
  answer: async () => {
    const environment = { WEBHOOK_ALLOW_INSECURE: "loopback" }
    await using alone = await openStage(environment)
    await using beside = await openStage(environment)
    await using dead = await startDeadEndpoints(beside, endpoints, ["assessment.incomplete"])
    return await measureOn(alone, beside, dead)
  }
}
