/** Laws of a tool's arguments: the order of keys never matters, and nothing that a server claims about its tool makes a call milder. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Action } from "../../src/domain/Action.ts"
import { isRecord, type Json, type JsonObject } from "../../src/json/json.ts"
import { readCall } from "../../src/scoring/reading/readCall.ts"
import { timeoutMs, tries } from "../support/depth.ts"
import { model } from "../support/draft.ts"
import { callOf, opinionOn, pairs, scoreOf } from "../support/toolCalls.ts"
import { processorMs } from "../support/processorMs.ts"

const shuffled = (json: Json): Json => {
  if (Array.isArray(json)) return (json as ReadonlyArray<Json>).map(shuffled)
  if (typeof json !== "object" || json === null) return json
  return Object.fromEntries(
    Object.entries(json as JsonObject)
      .toReversed()
      .map(([key, value]) => [key, shuffled(value)])
  )
}

const anyCall = fc.constantFrom(
  ...pairs.flatMap(([name, mild, grave]) => [[name, mild] as const, [name, grave] as const])
)
const anyValue: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom(
    "test",
    "draft",
    "dry run",
    "read",
    "viewer",
    "tmp",
    "all",
    "production",
    "https://example.com/x",
    "DROP TABLE x",
    "",
    "true"
  ),
  fc.boolean(),
  fc.integer(),
  fc.constant({}),
  fc.constant([]),
  fc.array(fc.constantFrom("a", "test"), { maxLength: 5 })
)

describe("laws of arguments", () => {
  it("the order of keys never matters", () => {
    fc.assert(
      fc.property(anyCall, anyValue, ([name, args], value) => {
        const more = { ...args, extra_thing: value, other: { b: 1, a: "x" } }
        expect(opinionOn(callOf(name, shuffled(more)))).toEqual(opinionOn(callOf(name, more)))
      })
    )
  })

  it("one more argument of unknown role never lowers", () => {
    fc.assert(
      fc.property(
        anyCall,
        fc.constantFrom("zqx", "frobnication", "aaaWidgetry", "q_gizmo"),
        anyValue,
        ([name, args], key, value) => {
          expect(scoreOf(callOf(name, { ...args, [key]: value }))).toBeGreaterThanOrEqual(
            scoreOf(callOf(name, args))
          )
        }
      )
    )
  })

  it("stating as a field what the arguments said changes nothing", () => {
    for (const [name, mild, grave] of pairs)
      for (const args of [mild, grave]) {
        const action = callOf(name, args)
        const { toldBy } = readCall(action, model.lexicon)
        const [amount] = toldBy?.amounts ?? []
        const stated: Action = {
          ...action,
          ...(toldBy?.entities === undefined ? {} : { entitiesAffected: toldBy.entities.value }),
          ...(amount === undefined
            ? {}
            : {
                financialValue: amount.value,
                ...(amount.currency === undefined ? {} : { currency: amount.currency })
              })
        }
        expect(scoreOf(stated)).toBe(scoreOf(action))
      }
  })
})

/** Opaque names, which only a schema can explain. */
const opaque = ["zqx", "p1", "frobnication"] as const
const opaqueValue = fc.oneof(
  anyValue,
  fc.constantFrom<Json>("ls -l", "select 1", "rm -rf /", "ana@shop.example", "public", 5, 5_000_000)
)
const claimed = fc.constantFrom(
  ..."Sql|Shell Command|Amount|Dry Run|Preview|Draft|Filter|Recipient|Path|Role|Force|Title|Limit|Action|Currency|Note".split(
    "|"
  ),
  "email",
  "uri",
  "password",
  "date-time"
)
const anySchema = fc
  .dictionary(
    fc.constantFrom(...opaque, "branch", "amount", "sql"),
    fc.record({ title: claimed, format: claimed, type: fc.constant("string") }, { requiredKeys: [] })
  )
  .map((properties): JsonObject => ({ type: "object", properties: properties as JsonObject }))
const anyAnnotations: fc.Arbitrary<Json> = fc.oneof(
  fc.dictionary(
    fc.constantFrom("destructiveHint", "readOnlyHint", "openWorldHint", "idempotentHint", "dryRun", "title"),
    fc.oneof(fc.boolean(), anyValue)
  ) as fc.Arbitrary<JsonObject>,
  anyValue
)
/** Tools that no catalogue has, some of them by names that say nothing. */
const anyTool = fc.constantFrom(
  "shop__refund",
  "mail__send_batch",
  "acme__frobnicate",
  "acme__get_status",
  "acme__run_thing",
  "acme__manage_thing",
  "acme__delete_preview",
  "acme__update_record",
  "postgres__query"
)

const claiming = (action: Action, claims: JsonObject): Action => {
  const call = action.metadata?.["tool_call"]
  return {
    ...action,
    metadata: { tool_call: { ...(isRecord(call) ? (call as JsonObject) : {}), ...claims } }
  }
}

describe("claims of a server about its tool", () => {
  const runs = tries(4_000)
  it(
    "never lower, as annotations or as titles and formats in the schema",
    { timeout: timeoutMs(runs) },
    () => {
      fc.assert(
        fc.property(
          anyTool,
          fc.constantFrom("development" as const, "production" as const),
          fc.dictionary(fc.constantFrom(...opaque, "branch", "amount", "sql"), opaqueValue),
          anyAnnotations,
          anySchema,
          (name, environment, args, annotations, schema) => {
            const plain = callOf(name, args as JsonObject, { environment })
            const claims = { annotations, input_schema: schema }
            expect(scoreOf(claiming(plain, claims))).toBeGreaterThanOrEqual(scoreOf(plain))
          }
        ),
        { numRuns: runs }
      )
    }
  )

  const destructive = { annotations: { destructiveHint: true, readOnlyHint: true } }
  const lives = { annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false } }

  it("raise a tool that no catalogue has where they call it destructive, and only then", () => {
    for (const name of ["acme__get_gizmo", "acme__preview_gizmo", "acme__add_gizmo"]) {
      const plain = callOf(name, {})
      expect(opinionOn(plain).actionRisk.level).toBe("low")
      expect(opinionOn(claiming(plain, destructive)).actionRisk.level).toBe("moderate")
      expect(opinionOn(claiming(plain, lives))).toEqual(opinionOn(plain))
    }
    const listed = callOf("github__create_issue", { title: "x" })
    expect(opinionOn(claiming(listed, destructive))).toEqual(opinionOn(listed))
  })

  it("name code that the name of its parameter does not", () => {
    const plain = callOf("acme__frobnicate", { p1: "DELETE FROM orders" })
    const titled = claiming(plain, { input_schema: { properties: { p1: { title: "Sql" } } } })
    expect(opinionOn(plain).actionRisk.level).toBe("moderate")
    expect(opinionOn(titled).actionRisk.level).toBe("critical")
  })

  it("are read within a budget", () => {
    const plain = callOf("acme__frobnicate", { p1: "x", p2: "y" })
    const properties = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [`p${at}`, { title: "Sql ".repeat(50), properties: {} }])
    )
    const times = Array.from({ length: 20 }, () =>
      processorMs(() => scoreOf(claiming(plain, { input_schema: { properties } })))
    )
    expect(Math.min(...times)).toBeLessThan(100)
  })
})
