/** A process that asks for assessments at a steady rate, whatever becomes of those before, and prints what it was told. */

import type { Asking, Told } from "./Asking.ts"
import { openConnection, type Response } from "./connection.ts"

const asking = JSON.parse(process.argv[2] ?? "") as Asking
const url = new URL(asking.url)
const tickMs = 2
/** As many as callers with pools of their own keep open together; what finds none free waits for one, on the clock. */
const connections = 512

const requestOf = (key: string, n: number): string => {
  const body =
    `{"action_type":"customer.update","environment":"staging","agent_id":"agent ${n % 20}"` +
    `,"entities_affected":${n % 50},"metadata":{"n":${n}}}`
  return (
    `POST /api/v1/actions/assess HTTP/1.1\r\nhost: ${url.host}\r\nauthorization: Bearer ${key}\r\n` +
    `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  )
}

const isEnvelope = (text: string): boolean =>
  /"code":"(?:ASSESSMENT_UNAVAILABLE|RATE_LIMITED)"/.test(text) &&
  text.includes(`"retryable":true`) &&
  /\r\nretry-after: [1-9]/i.test(text)

type Connection = Awaited<ReturnType<typeof openConnection>>

// Opened beforehand: a backlog of connections is the kernel's, which answers nobody.
const free: Array<Connection> = await Promise.all(
  Array.from({ length: connections }, () => openConnection(url))
)
const queue: Array<(connection: Connection) => void> = []
const started = performance.now()

const take = (use: (connection: Connection) => void) => {
  // In turn: none is idle for so long that the service closes it.
  const connection = free.shift()
  if (connection === undefined) queue.push(use)
  else use(connection)
}

const give = async (connection: Connection, kept: boolean) => {
  const one = kept ? connection : await openConnection(url)
  const next = queue.shift()
  if (next === undefined) free.push(one)
  else next(one)
}

const note = (told: Told, response: Response | null, askedMs: number): void => {
  const timed = [performance.now() - started, performance.now() - askedMs] as const
  if (response === null) told.unanswered++
  else if (response.status === 200) {
    told.answered.push(timed)
    if (!/svc-risk-opinion: full/i.test(response.text)) told.incomplete++
  } else if (isEnvelope(response.text)) told.refused.push(timed)
  else told.otherwise.push(response.text.slice(0, 1_000))
}

const ask = (key: string, told: Told): Promise<void> =>
  new Promise((resolve) => {
    const askedMs = performance.now()
    const request = requestOf(key, told.asked++)
    take((connection) =>
      connection(request, (response) => {
        note(told, response, askedMs)
        void give(connection, response !== null)
        resolve()
      })
    )
  })

/** Without a rate, each of `atOnce` asks again as soon as it was answered. */
const run = async ({ atOnce, key, perSecond, seconds }: Asking["flows"][number]): Promise<Told> => {
  const told: Told = { asked: 0, answered: [], incomplete: 0, refused: [], otherwise: [], unanswered: 0 }
  const beganMs = performance.now()
  const endMs = beganMs + seconds * 1_000
  if (perSecond === null) {
    const one = async () => {
      while (performance.now() < endMs) await ask(key, told)
    }
    await Promise.all(Array.from({ length: atOnce }, one))
    return told
  }
  const open: Array<Promise<void>> = []
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const now = Math.min(performance.now(), endMs)
      const due = Math.floor(((now - beganMs) / 1_000) * perSecond)
      while (told.asked < due) open.push(ask(key, told))
      if (now < endMs) return
      clearInterval(timer)
      resolve()
    }, tickMs)
  })
  await Promise.all(open)
  return told
}

const told = await Promise.all(asking.flows.map(run))
process.stdout.write(JSON.stringify(told), () => process.exit(0))
