/** Calls of tools with their arguments, and pairs of them that differ in one argument. */

import type { Action } from "../../src/domain/Action.ts"
import type { Opinion } from "../../src/domain/Opinion.ts"
import type { Json, JsonObject } from "../../src/json/json.ts"
import { score } from "../../src/scoring/score.ts"
import { noHistory } from "./arbitrary/behavior.ts"
import { model } from "./draft.ts"
import { policySetOf } from "./policySetOf.ts"

const policies = policySetOf([])

export const callOf = (name: string, args: Json, more: Partial<Action> = {}): Action => ({
  actionType: `mcp__${name}`,
  environment: "production",
  ...more,
  metadata: { tool_call: { name: name.split("__").at(-1) ?? name, arguments: args } }
})

export const opinionOn = (action: Action): Opinion => score(action, noHistory(action), model, policies)
export const scoreOf = (action: Action): number => opinionOn(action).actionRisk.score

/** The second of each pair differs in one argument, which makes it graver. */
export const pairs: ReadonlyArray<readonly [string, JsonObject, JsonObject]> = [
  ["postgres__query", { sql: "select 1" }, { sql: "delete from orders" }],
  ["shop__refund", { amount: 5, currency: "usd" }, { amount: 5_000_000, currency: "usd" }],
  ["repo__git_push", { branch: "main", force: false }, { branch: "main", force: true }],
  ["repo__git_clean", { dryRun: true, force: true }, { dryRun: false, force: true }],
  ["store__delete_many", { filter: { _id: "a" } }, { filter: {} }],
  ["drive__share_file", { id: "1", role: "reader" }, { id: "1", type: "anyone", role: "writer" }],
  ["cloud__firewall_rule_create", { source: "10.0.0.0/16" }, { source: "0.0.0.0/0" }],
  ["idp__assign_role", { user: "u", role: "viewer" }, { user: "u", role: "super_admin" }],
  ["jobs__manage_job", { action: "get" }, { action: "delete" }],
  [
    "mail__send_batch",
    { emails: [{ to: "a@b.example" }] },
    { emails: Array.from({ length: 40 }, (_, i) => ({ to: `a${i}@b.example` })) }
  ],
  ["app__update_function", { name: "f", verify_jwt: true }, { name: "f", verify_jwt: false }],
  ["vercel__list_env_vars", { project: "p", decrypt: "false" }, { project: "p", decrypt: "true" }],
  ["browser__click", { element: "Show more" }, { element: "Pay now" }],
  ["files__read_file", { path: "/srv/readme.md" }, { path: "/home/ana/.ssh/id_rsa" }]
]
