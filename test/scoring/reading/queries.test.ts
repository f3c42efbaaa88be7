/** Query languages other than SQL, wherever a call states a text in one: as its resource, or in its JSON. */

import { describe, expect, it } from "vitest"
import { firstOpinionOn } from "../../support/opine.ts"

const answerTo = (actionType: string, targetResource: string, targetSystem?: string) =>
  firstOpinionOn({
    actionType,
    targetResource,
    environment: "production",
    ...(targetSystem === undefined ? {} : { targetSystem })
  }).actionRisk
const levelOf = (...call: Parameters<typeof answerTo>) => answerTo(...call).level

describe("a tool that is said to query destroys what its text destroys", () => {
  it.each([
    ["mongodb_query", "db.users.drop()"],
    ["mongodb_query", '{"drop":"users"}'],
    ["mcp__mongodb__run", '{"query":"db.users.deleteMany({})"}'],
    ["neo4j_query", "MATCH (n) DETACH DELETE n"],
    ["read_neo4j_cypher", "MATCH (n:Person) DETACH DELETE n"],
    ["graph_tool", '{"cypher":"MATCH (n) DETACH DELETE n"}'],
    ["query_database", "MATCH (n) DETACH DELETE n"],
    ["gremlin_query", "g.V().drop()"],
    ["redis.get", "FLUSHALL"],
    ["redis_query", "FLUSHALL"],
    ["sparql_query", "CLEAR ALL"],
    ["sparql_query", "DROP GRAPH <http://example.org/g>"],
    ["elasticsearch_query", 'POST /users/_delete_by_query {"query":{"match_all":{}}}'],
    ["https_request", 'POST http://es:9200/users/_delete_by_query {"query":{"match_all":{}}}'],
    ["https_request", "DELETE http://es:9200/orders"],
    ["kql_query", ".drop table Users"],
    ["query", ".drop table Users"],
    ["splunk_search", "index=main | delete"],
    ["influx_query", "DROP MEASUREMENT cpu"],
    ["aql_query", "FOR u IN users REMOVE u IN users"],
    ["postgres_query", "\\! rm -rf /"],
    ["psql", "\\! rm -rf /"]
  ])("%s of %s is critical", (name, text) => {
    expect(levelOf(name, text)).toBe("critical")
  })

  it.each([
    ["mongodb.aggregate", '[{"$match":{}},{"$out":"users"}]'],
    ["mongodb_query", 'db.users.aggregate([{$match:{}},{$out:"users"}])'],
    ["elasticsearch_query", 'POST /users/_delete_by_query {"query":{"term":{"id":3}}}']
  ])("%s of %s is at least high", (name, text) => {
    expect(answerTo(name, text).score).toBeGreaterThanOrEqual(70)
  })

  it("and less where the text says to which things", () => {
    expect(levelOf("gremlin_query", "g.V().has('id',1).drop()")).toBe("moderate")
    expect(levelOf("run_cypher", "MATCH (n:Person {id: 3}) SET n.name = 'x'")).toBe("low")
  })

  it("is asked by the words of the server and of the system too", () => {
    expect(levelOf("mcp__neo4j__run", "MATCH (n) DETACH DELETE n")).toBe("critical")
    expect(levelOf("run", "MATCH (n) DETACH DELETE n", "neo4j")).toBe("critical")
  })
})

describe("what only reads stays low", () => {
  it.each([
    ["neo4j.execute_cypher", "MATCH (n:Person) RETURN n LIMIT 5"],
    ["sparql_query", "SELECT ?delete WHERE { ?s ?p ?delete }"],
    ["query_prometheus", "sum(rate(http_requests_total[5m])) by (job)"],
    ["jq_query", "del(.users)"],
    ["kql_query", "Users | where action == 'drop' | take 10"],
    ["splunk_search", "index=main | stats count"],
    ["mongodb_query", '{"find":"users"}'],
    ["dynamodb.query", '{"TableName":"orders","Key":{"id":"drop"}}'],
    ["cache.get", "config", "redis"],
    ["mcp__redis__get", "user:1"],
    ["mcp__elasticsearch__search", '{"index":"logs","query":{"match":{"action":"delete"}}}'],
    ["hasura.graphql", 'query{search_users(args:{q:"x"}){id}}', "hasura"],
    ["Grep", "DETACH DELETE"],
    ["context7.query-docs", "drop table in influx"],
    ["query_knowledge_base", "delete account policy"],
    ["summarize", "mutation { deleteUser }"]
  ])("%s of %s", (...call: Parameters<typeof answerTo>) => {
    expect(levelOf(...call)).toBe("low")
  })
})

describe("a shell with a target system named after a database", () => {
  // A system named `neo4j` made the text a query, and its shell command was ignored.
  it("is made no milder by what the text means in that database's language", () => {
    for (const text of ["show x; ./wipe.sh", "match x; ./wipe.sh", "MATCH (n) RETURN n; rm -rf /"])
      expect(answerTo("Bash", text, "neo4j").score).toBeGreaterThanOrEqual(answerTo("Bash", text).score)
  })
})

describe("a statement that reaches every row by a query of its own", () => {
  it.each([
    ["DELETE FROM orders WHERE id IN (SELECT id FROM orders)"],
    ["DELETE FROM orders WHERE user_id IN (SELECT id FROM users)"]
  ])("%s is critical", (text) => {
    expect(levelOf("execute_sql", text)).toBe("critical")
  })

  it.each([
    ["DELETE FROM orders WHERE user_id IN (SELECT id FROM banned_users)"],
    ["DELETE FROM orders WHERE user_id IN (SELECT id FROM users WHERE banned)"]
  ])("%s is not", (text) => {
    expect(levelOf("execute_sql", text)).toBe("moderate")
  })
})

describe("a command that is longer than a resource can be", () => {
  const safe = `git status ${"src/module ".repeat(40)}`
  const cut = (text: string) => text.slice(0, 240)
  const whole = (text: string) =>
    firstOpinionOn({
      actionType: "Bash",
      targetResource: cut(text),
      environment: "production",
      metadata: { command: text }
    }).actionRisk

  it("is read whole where its beginning is the resource", () => {
    expect(whole(safe).level).toBe("low")
    expect(whole(`${safe} && rm -rf /`).level).toBe("critical")
  })

  it("and lowers nothing where it begins differently", () => {
    const other = firstOpinionOn({
      actionType: "Bash",
      targetResource: cut(`rm -rf / ${safe}`),
      environment: "production",
      metadata: { command: safe }
    })
    expect(other.actionRisk.level).toBe("critical")
  })
})
