/** SQL is found however a tool receives it. */

import { describe, expect, it } from "vitest"
import { firstOpinionOn } from "../../support/opine.ts"

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

describe("text around a statement does not hide it", () => {
  it.each([
    "/* /* a */ b */ DROP TABLE users",
    "-- x\rDROP TABLE users",
    "-- x\r/*\nDROP TABLE users -- */",
    "CLOSE c; DROP TABLE users",
    "FETCH c; DROP TABLE users",
    "MOVE c; DROP TABLE users",
    "UNLISTEN *; DROP TABLE users",
    "REASSIGN OWNED BY a TO b; DROP TABLE users",
    "SECURITY LABEL ON TABLE x IS 'y'; DROP TABLE users",
    "UNDROP TABLE x; DROP TABLE users",
    "FLUSH TABLES; DROP TABLE users",
    "LOAD 'x'; DROP TABLE users",
    "HANDLER x OPEN; DROP TABLE users",
    "NOVEL WORDS; DROP TABLE users",
    "SELECT 1 DROP TABLE users",
    "USE prod DROP TABLE users",
    "SET NOCOUNT ON DELETE users",
    "SELECT id FROM orders WHERE id = 1 DELETE FROM users",
    '{"sql":"{\\"sql\\":\\"DROP TABLE users\\"}"}',
    "/* DROP TABLE users",
    "{DROP TABLE users}"
  ])("%j", (text) => {
    expect(scoreOf("mcp__mssql__query", text)).toBeGreaterThanOrEqual(70)
  })

  it.each([
    "SELECT delete FROM audit WHERE id = 1",
    "SELECT id, delete FROM audit WHERE id = 1",
    "SELECT a.delete FROM audit a WHERE id = 1",
    "show me how to drop table columns"
  ])("a read stays one: %j", (text) => {
    expect(scoreOf("mcp__mssql__query", text)).toBeLessThan(40)
  })
})

describe("a statement is only text to a tool that searches, sends messages or edits", () => {
  it.each([
    ["git_commit", '{"message":"DELETE FROM users is now logged"}'],
    ["Grep", '{"pattern":"DELETE FROM users","path":"src"}'],
    ["Grep", "DELETE FROM users"],
    ["slack.post_message", "DROP TABLE users ran last night;"],
    ["slack.post_message", '{"text":"DROP TABLE users ran last night"}'],
    ["jira.create_issue", '{"title":"DROP TABLE users fails"}'],
    ["github.create_issue", '{"body":"DROP TABLE users fails"}'],
    ["TodoWrite", '{"content":"DROP TABLE users"}'],
    ["memory.save", "DROP TABLE users;"],
    ["web_search", '{"query":"DROP TABLE IF EXISTS syntax"}'],
    ["docs.search", "DROP TABLE IF EXISTS;"],
    ["search_code", '{"query":"DROP TABLE users"}'],
    ["sentry.search_issues", '{"query":"DROP TABLE users"}'],
    ["Write", '{"content":"DROP TABLE x;"}'],
    ["apply_patch", '{"content":"DROP TABLE x;"}'],
    ["Edit", '{"content":"DROP TABLE x;"}'],
    ["validate_sql", "DROP TABLE x"],
    ["format_sql", "DROP TABLE x"],
    ["lint_sql", "DROP TABLE x"],
    ["sql.parse", "DROP TABLE x"]
  ])("%s %j", (tool, text) => {
    expect(scoreOf(tool, text)).toBeLessThan(60)
  })

  it.each([
    "postgres.query",
    "run_query",
    "execute_sql",
    "search_sql",
    "search_and_execute",
    "write_and_run_sql",
    "save_query",
    "search_database",
    "postgres.search",
    "validate_and_run_sql",
    "run_code",
    "frobnicate_sql",
    "mcp__postgres__write",
    "mcp__postgres__save_note"
  ])("but is executed by %s", (tool) => {
    for (const text of ["DROP TABLE users", '{"query":"DROP TABLE users"}'])
      expect(scoreOf(tool, text)).toBeGreaterThanOrEqual(70)
  })

  it("and by a tool of a database, whatever it is called", () => {
    const opinion = firstOpinionOn({
      actionType: "write",
      targetSystem: "postgres",
      targetResource: "DROP TABLE users;",
      environment: "production"
    })
    expect(opinion.actionRisk.score).toBeGreaterThanOrEqual(70)
  })
})
