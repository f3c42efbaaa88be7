/**
 * The least that a durable answer can cost, as a process: bare node:http, JSON.parse, and an insert of the same bytes that
 * concurrent requests share. No key, no history, no score, no check.
 */

import { randomUUID } from "node:crypto"
import { createServer, type ServerResponse } from "node:http"
import pg from "pg"
import { listenAndSay, readAll, sendJson } from "./plainHttp.ts"

/** The bytes of an answer of action-risk: the floor answers and stores as many. */
const answer = Buffer.from(process.env["PEER_ANSWER"] ?? "{}")
const together = 64
const writers = 2

const pool = new pg.Pool({ connectionString: process.env["PEER_DATABASE_URL"], max: writers })

interface Waiting {
  readonly body: Buffer
  readonly key: string
  readonly response: ServerResponse
}
let waiting: Array<Waiting> = []
let free = writers

const columns = 4
const insertOf = (rows: number) => ({
  name: `insert-${rows}`,
  text: `INSERT INTO floor.assessments (id, key, input, response) VALUES ${Array.from(
    { length: rows },
    (_, i) => `($${i * columns + 1}, $${i * columns + 2}, $${i * columns + 3}, $${i * columns + 4})`
  ).join(", ")}`
})

/** A flush starts as soon as the one before has returned. */
const flush = async () => {
  if (free === 0 || waiting.length === 0) return
  free--
  const batch = waiting.slice(0, together)
  waiting = waiting.slice(together)
  const values = batch.flatMap(({ body, key }) => [randomUUID(), key, body, answer])
  await pool.query({ ...insertOf(batch.length), values })
  for (const { response } of batch) sendJson(response, answer)
  free++
  void flush()
}

await pool.query("CREATE SCHEMA IF NOT EXISTS floor")
await pool.query(
  "CREATE TABLE IF NOT EXISTS floor.assessments (id uuid PRIMARY KEY, key text, input bytea, response bytea)"
)
listenAndSay(
  createServer(async (request, response) => {
    const body = await readAll(request)
    if (typeof JSON.parse(body.toString()) !== "object") throw new Error("the load sends objects")
    waiting.push({ body, key: String(request.headers["idempotency-key"]), response })
    void flush()
  })
)
