import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { handedArguments } from "../../src/agents/handedArguments.ts"
import { secretMask } from "../../src/domain/secretMask.ts"
import type { JsonObject } from "../../src/json/json.ts"
import { handedBytesMax, leftOutPathsMax } from "../../src/limits.ts"
import { theorem } from "../support/theorem.ts"

const long = "All of our customers hear from us next week. ".repeat(20)
const whole = (given: JsonObject) => handedArguments(given, "whole")

describe("arguments that are sent whole", () => {
  it("are those of the call", () => {
    const given = { sql: "SELECT 1 ".repeat(400), ids: [1, 2], deep: { force: true, none: null } }
    expect(whole(given)).toEqual({ arguments: given, leftOut: [] })
  })

  it("keep the beginning and the length of a long text for people, and its mentions", () => {
    const { arguments: handed, leftOut } = whole({
      channel: "C1",
      messageText: `${long}@channel bob@acme.example`
    })
    expect(leftOut).toEqual(["$.messageText"])
    expect(handed["messageText"]).toBe(`${long.slice(0, 200)}… (${long.length + 25} characters) @channel`)
  })

  it("contain no secret, but show where one was", () => {
    const given = {
      body: `the key is ghp_0123456789abcdefghij`,
      notes: `${long}ghp_0123456789abcdefghij`,
      command: "curl -H 'authorization: bearer abc123def' x",
      client_secret: "correct horse battery",
      pin: 4711
    }
    const { arguments: handed, leftOut } = whole(given)
    expect(JSON.stringify(handed)).not.toMatch(/ghp_0|abc123def|horse|4711/)
    expect([handed["body"], handed["command"]]).toEqual([
      `the key is ${secretMask}`,
      `curl -H 'authorization: bearer ${secretMask}' x`
    ])
    expect(handed["notes"]).toMatch(/characters\) \*{5}$/)
    expect(leftOut).toEqual(["$.notes", "$.client_secret", "$.pin"])
  })

  it("list the paths of what did not fit", () => {
    const { arguments: handed, leftOut } = whole({ script: "x".repeat(100_000), "a b": "rm", n: 5 })
    expect(leftOut).toEqual(["$.script"])
    expect(handed).toMatchObject({ "a b": "rm", n: 5 })
    expect(whole({ items: Array.from({ length: 20_000 }, () => "abc") })).toEqual({
      arguments: {},
      leftOut: ["$"]
    })
  })

  it("end at a depth that the service accepts", () => {
    const deep = Array.from({ length: 60 }).reduce<JsonObject>((inner) => ({ inner }), {})
    const { leftOut } = whole(deep)
    expect(leftOut).toEqual([`$${".inner".repeat(24)}`])
  })
})

describe("arguments whose shape is sent", () => {
  it("are names, figures, and words that the tool's schema lists", () => {
    const schema = {
      properties: {
        mode: { enum: ["soft", "hard"] },
        users: { items: { properties: { role: { enum: ["admin"] } } } }
      }
    }
    const given = { mode: "hard", users: [{ name: "Ada", role: "admin" }], amount: 5, dry_run: false }
    expect(handedArguments(given, "shape", schema)).toEqual({
      arguments: { mode: "hard", users: [{ name: "…", role: "admin" }], amount: 5, dry_run: false },
      leftOut: ["$.users[0].name"]
    })
  })
})

const canary = "canary-7f3a"
const planted = fc.letrec<{ tree: JsonObject; node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constant(canary),
    fc.integer(),
    fc.boolean(),
    fc.array(tie("node"), { maxLength: 4 }),
    tie("tree")
  ),
  tree: fc.dictionary(
    fc.constantFrom("path", "text", "items", "to", "mode"),
    tie("node")
  ) as fc.Arbitrary<JsonObject>
})).tree

theorem(
  "their shape contains no text of the arguments",
  planted,
  (given) => !JSON.stringify(handedArguments(given, "shape")).includes(canary)
)

theorem(
  "any arguments fit into a request",
  fc
    .object({ maxDepth: 6, withBigInt: false, stringUnit: "binary" })
    .map((given) => JSON.parse(JSON.stringify(given))),
  (given) => {
    const handed = whole(given)
    return (
      Buffer.byteLength(JSON.stringify(handed)) <= handedBytesMax && handed.leftOut.length <= leftOutPathsMax
    )
  }
)
