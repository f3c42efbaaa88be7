/** A process that requests assessments at a steady rate, whether or not earlier ones are answered, and prints the answers. */

import type { Asking, Told } from "./Asking.ts"
import type { Response } from "./connection.ts"
import { openPool, type Pool } from "./pool.ts"

const asking = JSON.parse(process.argv[2] ?? "") as Asking
const tickMs = 2

const requestOf = (host: string, key: string, n: number): string => {
  const body =
    `{"action_type":"customer.update","environment":"staging","agent_id":"agent ${n % 20}"` +
    `,"entities_affected":${n % 50},"metadata":{"n":${n}}}`
  return (
    `POST /api/v1/actions/assess HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\n` +
    `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  )
}

const isEnvelope = (text: string): boolean =>
  /"code":"(?:ASSESSMENT_UNAVAILABLE|RATE_LIMITED)"/.test(text) &&
  text.includes(`"retryable":true`) &&
  /\r\nretry-after: [1-9]/i.test(text)

const pools = new Map<string, Pool>()
for (const { url } of asking.flows) if (!pools.has(url)) pools.set(url, await openPool(url))
const started = performance.now()

const note = (told: Told, response: Response | null, askedMs: number): void => {
  const timed = [performance.now() - started, performance.now() - askedMs] as const
  if (response === null) told.unanswered++
  else if (response.status === 200) {
    told.answered.push(timed)
    if (!/svc-risk-opinion: full/i.test(response.text)) told.incomplete++
  } else if (isEnvelope(response.text)) told.refused.push(timed)
  else told.otherwise.push(response.text.slice(0, 1_000))
}

const ask = ({ give, host, take }: Pool, key: string, told: Told): Promise<void> =>
  new Promise((resolve) => {
    const askedMs = performance.now()
    const request = requestOf(host, key, told.asked++)
    take((connection) =>
      connection(request, (response) => {
        note(told, response, askedMs)
        void give(connection, response !== null)
        resolve()
      })
    )
  })

/** Without a rate, each of `atOnce` sends the next request as soon as it gets an answer. */
const run = async ({ atOnce, key, perSecond, seconds, url }: Asking["flows"][number]): Promise<Told> => {
  const pool = pools.get(url) ?? (await openPool(url))
  const told: Told = { asked: 0, answered: [], incomplete: 0, refused: [], otherwise: [], unanswered: 0 }
  const beganMs = performance.now()
  const endMs = beganMs + seconds * 1_000
  if (perSecond === null) {
    const one = async () => {
      while (performance.now() < endMs) await ask(pool, key, told)
    }
    await Promise.all(Array.from({ length: atOnce }, one))
    return told
  }
  const open: Array<Promise<void>> = []
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const now = Math.min(performance.now(), endMs)
      const due = Math.floor(((now - beganMs) / 1_000) * perSecond)
      while (told.asked < due) open.push(ask(pool, key, told))
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
