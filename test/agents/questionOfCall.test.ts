import { Result } from "effect"
import fc from "fast-check"
import { parse } from "unbash"
import { describe, expect, it } from "vitest"
import { readMapping } from "../../src/agents/argumentPaths.ts"
import { type OwnTool, questionOf } from "../../src/agents/questionOfCall.ts"
import { readActionRequest } from "../../src/api/AssessmentRequest.ts"
import type { JsonObject } from "../../src/json/json.ts"
import { noHistory, opineAsked } from "../support/opine.ts"

const command: OwnTool = { field: "target_resource", key: "command" }
const ownTools: Readonly<Record<string, OwnTool>> = { Bash: command, shell: command, apply_patch: "patch" }

const refund = {
  action_type: "stripe.refunds.create",
  from_arguments: {
    financial_value: { at: "$.amount", scale: -2 },
    currency: { at: "$.currency", map: { usd: "USD", eur: "EUR" } },
    target_resource: { at: "$.charge" },
    records_affected: { count: "$.lines[*]" },
    entities_affected: { sum: "$.lines[*].seats" },
    destination: { at: "$['notify']", host: true }
  },
  why: "card refunds"
}

const ask = async (given: JsonObject, entry: object = refund, tool = "mcp:shop/refund") => {
  const mapping = await readMapping({
    version: 1,
    environment: "staging",
    tools: { "mcp:shop/refund": entry }
  })
  if ("problems" in mapping) throw new Error(JSON.stringify(mapping.problems))
  const call = { tool, name: tool.replace("mcp:", "mcp__").replace("/", "__"), arguments: given }
  return questionOf(call, { mapping, ownTools, agentId: "test", day: "2026-11-23", extent: "whole" })
}

describe("the question about a mapped call", () => {
  it("contains the values of its arguments", async () => {
    const given = {
      amount: 1999,
      currency: "usd",
      charge: "ch_1",
      lines: [{ seats: 2 }, { seats: 3 }],
      notify: "https://hooks.shop.example/x?token=1"
    }
    expect(await ask(given)).toEqual({
      mapped: true,
      whole: true,
      action: {
        action_type: "stripe.refunds.create",
        environment: "staging",
        agent_id: "test",
        financial_value: 19.99,
        currency: "USD",
        target_resource: "ch_1",
        records_affected: 2,
        entities_affected: 5,
        destination: "hooks.shop.example",
        metadata: {
          tool: "mcp:shop/refund",
          // No field repeats another.
          tool_call: { name: "stripe.refunds.create", arguments: { lines: [{}, {}] } }
        }
      }
    })
  })

  it("leaves out what the arguments lack, and never makes it zero", async () => {
    const { action, whole } = await ask({ lines: [], charge: null })
    expect([Object.keys(action), whole]).toEqual([
      ["action_type", "environment", "agent_id", "metadata"],
      true
    ])
  })

  it.each([
    ["a text for an amount", { amount: "a lot" }],
    ["a negative amount", { amount: -5 }],
    ["an object for a resource", { charge: { id: "ch_1" } }],
    ["a resource that is too long", { charge: "x".repeat(241) }],
    ["a currency that the map does not know", { currency: "gbp" }],
    ["a host of no URL", { notify: "nowhere" }],
    ["a part of a seat", { lines: [{ seats: 0.5 }] }],
    ["a seat among others that is no figure", { lines: [{ seats: 1 }, { seats: "many" }] }]
  ])("says that it is not whole where there is %s", async (_, given) => {
    expect(await ask(given)).toMatchObject({ mapped: true, whole: false })
  })

  it("takes nothing from an object's prototype", async () => {
    const entry = { from_arguments: { target_resource: { at: "$.constructor" } }, why: "x" }
    expect((await ask({}, entry)).action).not.toHaveProperty("target_resource")
  })

  it.each([
    ["is a guess", { ...refund, guess: true }],
    ["is past its day", { ...refund, review_by: "2026-11-22" }]
  ])("is that of an unmapped tool where the entry %s", async (_, entry) => {
    const { action, mapped } = await ask({ amount: 1 }, entry)
    expect([mapped, action.action_type, action.financial_value]).toEqual([
      false,
      "mcp__shop__refund",
      undefined
    ])
  })

  it("moves amounts exactly by powers of ten", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(10_000_000), async (cents) => {
        const { action } = await ask({ amount: cents })
        return (
          action.financial_value ===
          Number(`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`)
        )
      }),
      { numRuns: 100 }
    )
  })
})

describe("the question about a tool of the host", () => {
  it("hands over the one argument that says what is done, and counts as mapped", async () => {
    expect(await ask({ command: "git status" }, refund, "Bash")).toMatchObject({
      mapped: true,
      whole: true,
      action: { action_type: "Bash", target_resource: "git status", environment: "staging" }
    })
  })

  it("hands over a command that is too long for the target in addition to the action", async () => {
    const command = `echo ${"x".repeat(300)}`
    expect(await ask({ command }, refund, "Bash")).toMatchObject({
      whole: true,
      action: { target_resource: command.slice(0, 240), metadata: { command } }
    })
  })

  const scoreOf = async (command: string | ReadonlyArray<string>) => {
    const { action } = await ask({ command }, refund, "shell")
    const accepted = Result.getOrThrow(readActionRequest(action as unknown as JsonObject, true))
    return opineAsked({ action: accepted.action, behavior: noHistory, policies: [] }).actionRisk.score
  }

  it("names the files of a patch, and keeps their lines", async () => {
    const lines = [
      "*** Begin Patch",
      "*** Update File: src/a.ts",
      "*** Move to: /etc/cron.d/a",
      "@@",
      "+secret"
    ]
    const given = { command: [...lines, "*** Delete File: b.sql", "*** End Patch"].join("\n") }
    const { action, whole } = await ask(given, refund, "apply_patch")
    expect([whole, action.target_resource]).toEqual([true, undefined])
    const patch = [lines[0], lines[1], lines[2], "*** Delete File: b.sql", "*** End Patch"].join("\n")
    expect(action.metadata).toEqual({
      tool: "apply_patch",
      tool_call: { name: "apply_patch", arguments: { patch } }
    })
    expect((await ask({ diff: "--- a\n+++ b" }, refund, "apply_patch")).whole).toBe(false)
  })

  it("is about one command where a list holds its words", async () => {
    for (const [words, command] of [
      [["bash", "-lc", "git status"], "bash -lc 'git status'"],
      [["bash", "-lc", "git status && rm -rf ~/x"], "bash -lc 'git status && rm -rf ~/x'"],
      [["rm", "-rf", "/srv/data"], "rm -rf /srv/data"],
      [["git", "commit", "-m", 'it\'s\n$HOME `id` "x"'], `git commit -m 'it'\\''s\n$HOME \`id\` "x"'`]
    ] as const) {
      expect((await ask({ command: words }, refund, "shell")).action.target_resource).toBe(command)
      expect(await scoreOf(words)).toBe(await scoreOf(command))
    }
    expect(await scoreOf(["bash", "-lc", "git status"])).toBeLessThan(await scoreOf("bash\n-lc\ngit status"))
  })

  const hard = [
    "FOO=bar",
    "if",
    "time",
    "!",
    "{",
    "a b",
    "'",
    '"',
    "\n",
    "$HOME",
    "`id`",
    "~",
    "#",
    "*",
    "\\",
    "",
    ">",
    "&&"
  ]
  const word = fc.oneof(
    fc.constantFrom(...hard),
    fc.string({ maxLength: 8 }),
    fc.string({ unit: fc.constantFrom("a", " ", ...hard), maxLength: 5 })
  )

  it("gives back the words of a list to a reader of shell texts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 6 }), async (words) => {
        const { action } = await ask({ command: words }, refund, "shell")
        const read = parse(String(action.metadata?.["command"] ?? action.target_resource))
        const [command] = read.commands.map(({ command: one }) => one)
        expect([read.errors, read.commands.length]).toEqual([undefined, 1])
        if (command?.type !== "Command") throw new Error(`${command?.type} is no simple command`)
        expect([command.prefix, command.redirects]).toEqual([[], []])
        const values = [command.name, ...command.suffix].map((one) =>
          one !== undefined && "value" in one ? one.value : one
        )
        expect(values).toEqual(words)
      }),
      { numRuns: 500 }
    )
  })

  it("is unmapped where the tool is unknown, whatever its name", async () => {
    for (const tool of ["Unheard", "constructor", "__proto__"])
      expect(await ask({}, refund, tool)).toMatchObject({ mapped: false, action: { action_type: tool } })
  })

  it("carries the server's hints, and the titles and formats of whole arguments only", () => {
    const call = {
      tool: "mcp:a/b",
      name: "mcp__a__b",
      arguments: { p1: "x" },
      annotations: { destructiveHint: true, readOnlyHint: "yes", title: "A title" },
      inputSchema: {
        properties: { p1: { title: "Sql", format: "uri", description: "long" }, p2: { title: "Other" } }
      }
    }
    const handed = (extent: "whole" | "shape" | "names") =>
      questionOf(call, { mapping: null, ownTools, agentId: "test", day: "2026-11-23", extent }).action
        .metadata?.["tool_call"]
    const hints = { annotations: { destructiveHint: true } }
    expect(handed("names")).toEqual({ name: "mcp__a__b", ...hints })
    expect(handed("shape")).toEqual({
      name: "mcp__a__b",
      arguments: { p1: "…" },
      left_out: ["$.p1"],
      ...hints
    })
    expect(handed("whole")).toEqual({
      name: "mcp__a__b",
      arguments: { p1: "x" },
      ...hints,
      input_schema: { properties: { p1: { title: "Sql", format: "uri" } } }
    })
  })

  it("names the run of the agent by a digest, and no run that the host does not name", () => {
    const call = { tool: "Bash", name: "Bash", arguments: { command: "ls" } }
    const asking = { mapping: null, ownTools, day: "2026-11-23", extent: "whole" } as const
    const contextOf = (agentId: string, session?: string) =>
      questionOf(call, { ...asking, agentId, session }).action.context
    const named = contextOf("codex", "s-1")
    expect(named).toEqual({ session: expect.stringMatching(/^[0-9a-f]{16}$/) })
    expect(contextOf("codex", "s-1")).toEqual(named)
    expect(contextOf("gemini", "s-1")).not.toEqual(named)
    expect(contextOf("codex")).toBeUndefined()
  })

  it("counts as done in production where no place is stated", () => {
    const call = { tool: "Bash", name: "Bash", arguments: {} }
    const { action } = questionOf(call, {
      mapping: null,
      ownTools,
      agentId: "test",
      day: "2026-11-23",
      extent: "whole"
    })
    expect(action.environment).toBe("production")
  })
})

describe("a mapping", () => {
  const problemsOf = async (entry: object, more: object = {}) => {
    const read = await readMapping({ version: 1, tools: { t: entry }, ...more })
    return "problems" in read ? read.problems.map(({ at, message }) => `${at} ${message}`) : []
  }

  it.each([
    ["$.a[?@.b]", "has a path with more than names and indices"],
    ["$..a", "has a path with more than names and indices"],
    ["$.a[*]", "has a path with more than names and indices"],
    ["$.a[", "has a path that is not one of RFC 9535"],
    ["a", "must be a path that starts with $"]
  ])("with the path %s has a problem", async (at, message) => {
    const [problem] = await problemsOf({ from_arguments: { target_resource: { at } }, why: "x" })
    expect(problem).toContain(message)
  })

  it.each([
    "environment",
    "data_classification",
    "reversibility",
    "privilege_change",
    "production_impact",
    "agent_id"
  ])("cannot read %s from what the agent writes", async (field) => {
    const [problem] = await problemsOf({ from_arguments: { [field]: { at: "$.x" } }, why: "x" })
    expect(problem).toContain(`tools.t.from_arguments.${field} is unknown`)
  })

  it("reads a field in one way only", async () => {
    expect(
      await problemsOf({ from_arguments: { records_affected: { at: "$.x", count: "$.y" } }, why: "x" })
    ).toEqual(["tools.t.from_arguments.records_affected must have exactly one of at, count and sum"])
  })
})
