/** SQL functions with names like deletions: those that only compute are not deletions, those that delete are. */

import { describe, expect, it } from "vitest"
import { firstOpinionOn } from "../../support/opine.ts"

const scoreOf = (targetResource: string): number =>
  firstOpinionOn({ actionType: "mcp__postgres__query", targetResource, environment: "production" }).actionRisk
    .score

describe("a function that computes is no deletion", () => {
  it.each([
    "SELECT array_remove(arr, 1) FROM orders WHERE id = 1",
    "SELECT array_remove(arr, 1)",
    "SELECT json_remove(doc, '$.a') FROM orders WHERE id = 1",
    "SELECT OBJECT_DELETE(o, 'k') FROM orders WHERE id = 1",
    "SELECT map_delete(m, 'k') FROM orders WHERE id = 1",
    "SELECT ts_delete(v, 'k') FROM docs WHERE id = 1",
    "SELECT delete(attributes, 'k')",
    "SELECT list_drop(l, 1)",
    "SELECT array_drop(l, 1)",
    "SELECT id FROM orders WHERE can_delete(id) AND id = 1",
    "SELECT get_drop_rate()",
    "SELECT remove_accents(name) FROM orders WHERE id = 1",
    "SELECT remove_html(body) FROM orders WHERE id = 1",
    "SELECT purge_score(x) FROM orders WHERE id = 1",
    "SELECT drop_off_rate(x) FROM orders WHERE id = 1"
  ])("%j", (text) => {
    expect(scoreOf(text)).toBeLessThan(40)
  })
})

describe("a function that deletes is one", () => {
  it.each([
    "SELECT delete_user(1)",
    "SELECT purge_tenant()",
    "SELECT users.delete(id, 'now')",
    "SELECT delete('users', 'id = 1')",
    "SELECT get_and_delete_user(1)",
    "SELECT delete_score(1)",
    "SELECT delete_user(id) FROM users",
    "SELECT remove_user(id) FROM users",
    "SELECT array_remove(arr, 1), drop_tenant(2)",
    "EXEC purge_orders is_old"
  ])("%j", (text) => {
    expect(scoreOf(text)).toBeGreaterThanOrEqual(70)
  })
})
