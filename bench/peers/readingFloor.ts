/**
 * The least that reading can cost, as a process: bare node:http and the equivalent select for each request, on the tables
 * of action-risk itself. No key, no check, no evidence form.
 */

import { createServer, type IncomingMessage } from "node:http"
import pg from "pg"
import { searchPattern } from "../../src/storage/assessments/listAssessments.ts"
import { greatestId, idAtCursor } from "../../src/storage/timeOrderedId.ts"
import { listenAndSay, readAll, sendJson } from "./plainHttp.ts"

const pool = new pg.Pool({
  connectionString: process.env["PEER_DATABASE_URL"],
  max: 10,
  options: "-c search_path=test,public"
})
const organization = process.env["PEER_ORGANIZATION"] ?? ""

const responseByKey = {
  name: "by-key",
  text: `SELECT held.input_digest, response FROM idempotency_keys AS held
    JOIN assessments USING (organization_id, assessment_id) WHERE organization_id = $1 AND key = $2`
}
const evidenceById = {
  name: "by-id",
  text: `SELECT assessments.*, seals.* FROM assessments LEFT JOIN seals USING (organization_id, assessment_id)
    WHERE organization_id = $1 AND assessment_id = $2`
}
const page = (name: string, condition: string) => ({
  name,
  text: `SELECT assessment_id, item::text FROM assessments WHERE organization_id = $1 AND assessment_id < $2 ${condition}
    ORDER BY assessment_id DESC LIMIT $3`
})
const pageOfAll = page("page", "")
const pageOfFound = page("found", "AND search LIKE $4")

const listed = async (query: URLSearchParams): Promise<string> => {
  const before = idAtCursor(query.get("cursor") ?? "") ?? greatestId
  const q = query.get("q")
  const values = [organization, before, Number(query.get("limit") ?? 25) + 1]
  const { rows } = await pool.query(
    q === null ? { ...pageOfAll, values } : { ...pageOfFound, values: [...values, searchPattern(q)] }
  )
  return `[${rows.map(({ item }) => item).join(",")}]`
}

const read = async (request: IncomingMessage): Promise<Buffer | string> => {
  const url = new URL(request.url ?? "", "http://floor")
  if (request.method === "POST") {
    JSON.parse((await readAll(request)).toString())
    const { rows } = await pool.query({
      ...responseByKey,
      values: [organization, request.headers["idempotency-key"]]
    })
    return rows[0].response
  }
  if (url.pathname === "/api/v1/actions") return listed(url.searchParams)
  const { rows } = await pool.query({
    ...evidenceById,
    values: [organization, url.pathname.split("/").at(-1)]
  })
  return rows[0].response
}

// The usual index for such a search. The one of action-risk knows organizations apart.
await pool.query("CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public")
await pool.query("CREATE INDEX IF NOT EXISTS floor_by_search ON assessments USING gin (search gin_trgm_ops)")
listenAndSay(
  createServer(async (request, response) => {
    sendJson(response, await read(request))
  })
)
