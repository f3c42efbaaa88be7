/** Calls with the arguments of their tools: what they mean, and that none of them lowers what the call means without them. */

import { describe, expect, it } from "vitest"
import type { Action } from "../../../../src/domain/Action.ts"
import type { Json, JsonObject } from "../../../../src/json/json.ts"
import { readCall } from "../../../../src/scoring/reading/readCall.ts"
import { model } from "../../../support/draft.ts"
import { callOf, opinionOn, pairs, scoreOf } from "../../../support/toolCalls.ts"
import { processorMs } from "../../../support/processorMs.ts"

const levelOf = (name: string, args: Json): string => opinionOn(callOf(name, args)).actionRisk.level

describe("the arguments of a tool", () => {
  it.each(pairs)("of %s raise it", (name, mild, grave) => {
    expect(scoreOf(callOf(name, grave))).toBeGreaterThan(scoreOf(callOf(name, mild)))
  })

  it("state an amount in the units of their server", () => {
    const minor = readCall(callOf("stripe__create_refund", { amount: 5000, currency: "usd" }), model.lexicon)
    const major = readCall(
      callOf("shop__create_refund", { amount: "5,000.00", currency: "usd" }),
      model.lexicon
    )
    expect(minor.toldBy?.amounts).toEqual([{ value: 50, currency: "usd", path: "$.amount" }])
    expect(major.toldBy?.amounts).toEqual([{ value: 5000, currency: "usd", path: "$.amount" }])
  })

  it("multiply a price by the quantity next to it", () => {
    const { toldBy } = readCall(
      callOf("shop__create_invoice", {
        items: [{ quantity: "4", unit_amount: { currency_code: "USD", value: "30.00" } }]
      }),
      model.lexicon
    )
    expect(toldBy?.amounts.map(({ value }) => value)).toEqual([120])
  })

  it("say the same in camel, snake, kebab and Pascal, wrapped, and as JSON in a string", () => {
    const ways: ReadonlyArray<JsonObject> = [
      { forcePush: true, branch: "main" },
      { force_push: true, branch: "main" },
      { "force-push": "true", branch: "main" },
      { ForcePush: true, Branch: "main" },
      { params: { force_push: true, branch: "main" } },
      { params: '{"force_push": true, "branch": "main"}' }
    ]
    expect(new Set(ways.map((args) => scoreOf(callOf("repo__git_push", args)))).size).toBe(1)
  })

  it.each(["python train.py", "pnpm frobnicate", "git status", "rm -rf ~"])(
    "give `%s` the score that it has as the resource of a shell",
    (command) => {
      const { metadata: _, ...asked } = callOf("Bash", {})
      const inResource = { ...asked, actionType: "claude_code.Bash", targetResource: command }
      expect(scoreOf({ ...callOf("Bash", { command }), actionType: "claude_code.Bash" })).toBe(
        scoreOf(inResource)
      )
    }
  )

  it("name no deed in a text for people", () => {
    expect(levelOf("notes__add_note", { body: "rm -rf / and drop table orders" })).toBe("low")
  })

  it("name no thing by the name of a parameter", () => {
    expect(levelOf("cache__get", { key: "feature:banner" })).toBe("low")
    expect(
      levelOf("azure__sql_server_firewall-rule_create", {
        "start-ip-address": "0.0.0.0",
        "end-ip-address": "255.255.255.255"
      })
    ).toBe("critical")
  })

  it("prove nothing by a dry run that the tool does not know", () => {
    const args = { id: "1" }
    expect(scoreOf(callOf("crm__delete_customers", { ...args, dry_run: true }))).toBeGreaterThanOrEqual(
      scoreOf(callOf("crm__delete_customers", args))
    )
  })

  it("contradict a stated figure that is smaller, and give way to none that is larger", () => {
    const args = { amount: 9_000_000, currency: "usd" }
    const alone = opinionOn(callOf("shop__refund", args))
    const smaller = opinionOn(callOf("shop__refund", args, { financialValue: 1, currency: "USD" }))
    expect(smaller.actionRisk.score).toBeGreaterThanOrEqual(alone.actionRisk.score)
    expect(smaller.riskFactors.map(({ code }) => code)).toContain("CONTRADICTORY_INPUT")
  })

  it("belong to the tool of the call, where `action_type` names another one", () => {
    const named: Action = {
      actionType: "get_customer",
      environment: "production",
      metadata: { tool_call: { name: "delete_database", arguments: {} } }
    }
    const opinion = opinionOn(named)
    expect(opinion.actionRisk.score).toBeGreaterThanOrEqual(scoreOf(callOf("db__delete_database", {})))
    expect(opinion.riskFactors.map(({ code }) => code)).toContain("COMMAND_CONTRADICTS_TYPE")
  })
})

describe("malformed arguments", () => {
  const bare = scoreOf({ actionType: "mcp__crm__delete_customer", environment: "production" })
  const deep = (levels: number): Json => (levels === 0 ? { role: "owner" } : { a: deep(levels - 1) })
  const odd: ReadonlyArray<readonly [string, Json]> = [
    ["48 KB in one string", { id: "x".repeat(48_000) }],
    ["20,000 elements", { ids: Array.from({ length: 20_000 }, (_, i) => i) }],
    ["20,000 objects", { items: Array.from({ length: 20_000 }, (_, i) => ({ id: i })) }],
    ["32 levels", deep(30)],
    ["`__proto__`", JSON.parse('{"__proto__": {"dry_run": true}, "constructor": "x"}') as Json],
    ["a number of 300 digits", { amount: "9".repeat(300) }],
    ["keys of control and bidi characters", { "\u0000\u202e": "x", "dry\u200b_run": true }],
    ["SQL in a title", { title: "DROP TABLE orders; --" }],
    ["a negative amount", { amount: -5, currency: "usd" }],
    ["amounts in two currencies", { amount: 5, currency: "usd", fee: { amount: 7, currency: "jpy" } }],
    ["a list", [1, 2, 3]],
    ["a number", 7],
    ["null", null]
  ]
  it.each(odd)("give an opinion that is no lower: %s", (_, args) => {
    expect(scoreOf(callOf("crm__delete_customer", args))).toBeGreaterThanOrEqual(bare)
  })

  it.each([
    ["a text", "delete"],
    ["a list", [1]],
    ["a name that is none", { name: 7, arguments: {} }]
  ])("leave a call unread that has no such shape: %s", (_, call) => {
    const opinion = opinionOn({
      actionType: "get_customer",
      environment: "production",
      metadata: { tool_call: call as Json }
    })
    expect(opinion.actionRisk.confidence).toBeLessThanOrEqual(0.5)
  })

  it("leave the rest unread where the budget ends", () => {
    const { toldBy, unread } = readCall(
      callOf("crm__update_customers", { items: Array.from({ length: 500 }, (_, id) => ({ id })) }),
      model.lexicon
    )
    expect(toldBy?.unread).toEqual(["$.items[64]"])
    expect(unread).toBe(true)
  })

  it.each([
    ["a text", { body: "word ".repeat(8000) }],
    [
      "a list of objects",
      { items: Array.from({ length: 700 }, (_, id) => ({ id, name: `thing ${id}`, price: "12.50" })) }
    ],
    [
      "an object of keys",
      Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`a_setting_${i}_name`, `value ${i}`]))
    ],
    ["code", { sql: `select ${"a, ".repeat(12_000)} b from t` }]
  ])("take a bounded time of 40 KB: %s", (_, args) => {
    const action = callOf("crm__update_records", args)
    const times = Array.from({ length: 15 }, () => processorMs(() => opinionOn(action)))
    // Four times what a quiet machine needs at most.
    expect(Math.min(...times)).toBeLessThanOrEqual(20)
  })
})
