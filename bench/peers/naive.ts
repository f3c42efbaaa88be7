/**
 * The service as one would write it first, as a process: Fastify, json-rules-engine with the rules of the served release,
 * and for each request one count of the agent's last hour and one insert. Its facts come ready made, which is in its favour.
 */

import Fastify from "fastify"
import { randomUUID } from "node:crypto"
import pg from "pg"
import { recordedFacts, rules } from "../situations.ts"
import { jsonRulesEngine } from "./jsonRulesEngine.ts"

const pool = new pg.Pool({ connectionString: process.env["PEER_DATABASE_URL"], max: 10 })
const answer = JSON.parse(process.env["PEER_ANSWER"] ?? "{}")
const engine = jsonRulesEngine([...rules.factors, ...rules.typologies])
let asked = 0

await pool.query("CREATE SCHEMA IF NOT EXISTS naive")
await pool.query(`
  CREATE TABLE IF NOT EXISTS naive.assessments (
    id uuid PRIMARY KEY, key text UNIQUE, agent_id text, created_at timestamptz NOT NULL DEFAULT now(),
    request jsonb NOT NULL, response jsonb NOT NULL
  )
`)
await pool.query("CREATE INDEX IF NOT EXISTS by_agent ON naive.assessments (agent_id, created_at)")

const fastify = Fastify()
// oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Fastify awaits its handlers, unlike Express.
fastify.post("/api/v1/actions/assess", async (request) => {
  const action = request.body as { readonly agent_id?: string }
  const { rows } = await pool.query(
    "SELECT count(*) FROM naive.assessments WHERE agent_id = $1 AND created_at > now() - interval '1 hour'",
    [action.agent_id]
  )
  const facts = recordedFacts[asked++ % recordedFacts.length]
  const matched = facts && (await engine.match(facts))
  const response = { ...answer, assessment_id: randomUUID(), matched, last_hour: Number(rows[0]?.count) }
  await pool.query(
    "INSERT INTO naive.assessments (id, key, agent_id, request, response) VALUES ($1, $2, $3, $4, $5)",
    [response.assessment_id, request.headers["idempotency-key"], action.agent_id, action, response]
  )
  return response
})
console.log(JSON.stringify({ url: await fastify.listen({ port: 0, host: "127.0.0.1" }) }))
