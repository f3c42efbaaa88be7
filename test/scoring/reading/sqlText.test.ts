/** SQL is found in whatever way a tool is given it. */

import { describe, expect, it } from "vitest"
import { firstOpinionOn } from "../../support/next.ts"

const scoreOf = (actionType: string, targetResource: string): number =>
  firstOpinionOn({ actionType, targetResource, environment: "production" }).actionRisk.score

describe("a statement that drops a schema is critical", () => {
  it.each([
    "DROP SCHEMA public CASCADE;",
    "COMMIT; DROP SCHEMA public CASCADE;",
    "END; DROP SCHEMA public CASCADE",
    "SET x = 1; DROP SCHEMA public CASCADE",
    "-- read only\nDROP SCHEMA public CASCADE",
    "# read only\nDROP SCHEMA public CASCADE",
    "/* read only */ DROP SCHEMA public CASCADE",
    '{"sql":"DROP SCHEMA public CASCADE"}',
    '{"options":{"limit":10},"query":"-- x\\nDROP SCHEMA public CASCADE"}',
    '{"sql":"DR\\u004fP SCHEMA public CASCADE"}',
    '{"a":{"statements":["SELECT 1","DROP SCHEMA public CASCADE"]}}',
    "```sql\nDROP SCHEMA public CASCADE\n```",
    '"DROP SCHEMA public CASCADE"',
    "sql=DROP SCHEMA public CASCADE",
    "\u200bDROP SCHEMA public CASCADE"
  ])("%j", (text) => {
    expect(scoreOf("mcp__postgres__query", text)).toBeGreaterThanOrEqual(90)
    expect(scoreOf("query_database", text)).toBeGreaterThanOrEqual(90)
  })

  it("for a tool that says that it reads, too", () => {
    expect(scoreOf("select_rows", "DROP SCHEMA public CASCADE")).toBeGreaterThanOrEqual(90)
    expect(scoreOf("db.read", "COMMIT; DROP SCHEMA public CASCADE")).toBeGreaterThanOrEqual(90)
  })
})

describe("what only looks like SQL", () => {
  it.each([
    ["mcp__postgres__query", "SELECT id FROM orders WHERE created_at > now() - interval '1 day'"],
    ["query_database", '{"sql":"SELECT count(*) FROM users"}'],
    ["search_docs", "how to drop a table in postgres"],
    ["search_docs", "delete from cart button"],
    ["web_search", "update my resume set in a serif font"]
  ])("stays low: %s %j", (tool, text) => {
    expect(scoreOf(tool, text)).toBeLessThan(40)
  })
})
