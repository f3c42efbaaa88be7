/** The hook after a call: what it reports to the service, and that it does nothing else. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { HostName } from "../../../src/agents/hook/hosts.ts"
import { runEndHook, runHook } from "../../../src/agents/hook/runHook.ts"
import { exampleResponse } from "../../../src/api/examples/examples.ts"
import { exampleOutcome } from "../../../src/api/examples/outcomeExamples.ts"
import { agentProgram } from "../../support/agentProgram.ts"
import { runProgram } from "../../support/runProgram.ts"
import { type ScriptedService, scriptedService } from "../../support/scriptedService.ts"

let service: ScriptedService
let home = ""
beforeEach(async () => {
  service = await scriptedService()
  home = mkdtempSync(join(tmpdir(), "action-risk-end-"))
  service.play((response, { url }) =>
    response
      .writeHead(200, { "svc-risk-opinion": "full" })
      .end(JSON.stringify(url.endsWith("/events") ? exampleOutcome : low))
  )
})
afterEach(async () => {
  await service.close()
  rmSync(home, { recursive: true })
})

const low = {
  ...exampleResponse,
  action_risk: { ...exampleResponse.action_risk, level: "low" },
  recommended_control: { ...exampleResponse.recommended_control, type: "NO_ADDITIONAL_CONTROL_RECOMMENDED" }
}

const environment = () => ({
  HOME: home,
  XDG_STATE_HOME: join(home, "state"),
  ACTION_RISK_URL: service.url,
  ACTION_RISK_KEY: "svc_test_asks",
  ACTION_RISK_OUTCOMES_KEY: "svc_test_tells"
})

/** The program with these words, as a host starts it. */
const start = (file: string, args: ReadonlyArray<string>, input: object, env: object = {}) =>
  runProgram(file, args, { input: JSON.stringify(input), env: { ...environment(), ...env } })

const agent = (words: ReadonlyArray<string>, input: object = {}, env: object = {}) =>
  start(process.execPath, [agentProgram, ...words], input, env)

async function* bytesOf(input: object) {
  yield Buffer.from(JSON.stringify(input))
}

/** The two hooks in this process: the program only passes them its input and its environment. */
const surroundings = (env: object) => ({ folder: home, env: { ...environment(), ...env } })
const ask = (host: HostName, input: object, env: object = {}) =>
  runHook(host, bytesOf(input), surroundings(env))
const report = (host: HostName, input: object, env: object = {}) =>
  runEndHook(host, bytesOf(input), surroundings(env))

const quiet = { exitCode: 0, stdout: "", stderr: "" }

const told = () =>
  service.heard
    .filter(({ url }) => url.endsWith("/events"))
    .map(({ body, headers, url }) => ({ type: JSON.parse(body).type, key: headers.authorization, url }))

const event = (type: string) => ({
  type,
  key: "Bearer svc_test_tells",
  url: `/api/v1/assessments/${exampleResponse.assessment_id}/events`
})

const claude = { session_id: "s", tool_use_id: "t", tool_name: "Bash", tool_input: { command: "ls" } }
const gemini = { session_id: "s", tool_name: "run_shell_command", tool_input: { command: "ls" } }
const copilot = { sessionId: "s", toolName: "bash", toolArgs: { command: "ls" } }
const opencode = { tool: "bash", sessionID: "s", callID: "c", args: { command: "ls" } }

const ends = [
  ["claude-code", claude, { ...claude, hook_event_name: "PostToolUse" }, "executed"],
  ["claude-code", claude, { ...claude, hook_event_name: "PostToolUseFailure", error: "x" }, "failed"],
  ["codex", claude, { ...claude, hook_event_name: "PostToolUse", tool_response: "x" }, "executed"],
  ["copilot", copilot, { ...copilot, toolResult: { resultType: "success" } }, "executed"],
  ["copilot", copilot, { ...copilot, toolResult: { resultType: "failure" } }, "failed"],
  [
    "gemini",
    gemini,
    { ...gemini, hook_event_name: "AfterTool", tool_response: { llmContent: "x" } },
    "executed"
  ],
  ["gemini", gemini, { ...gemini, hook_event_name: "AfterTool", tool_response: { error: "x" } }, "failed"],
  ["opencode", opencode, { ...opencode, args: {}, hook_event_name: "tool.execute.after" }, "executed"]
] as const

describe("the hook after a call", () => {
  it.each(ends)("of %s reports once how an assessed call ended", async (host, before, after, type) => {
    await ask(host, before)
    for (const _ of [1, 2]) expect(await report(host, after)).toEqual(quiet)
    expect(told()).toEqual([event(type)])
  })

  it.each([
    ["that nobody asked about", { ...claude, tool_use_id: "other", hook_event_name: "PostToolUse" }],
    ["that has not ended", { ...claude, hook_event_name: "PreToolUse" }],
    ["that it does not understand", { hook_event_name: "PostToolUse" }]
  ])("reports nothing about a call %s", async (_, after) => {
    await ask("claude-code", claude)
    expect(await report("claude-code", after)).toEqual(quiet)
    expect(told()).toEqual([])
  })

  it("stores nothing without a key for reports", async () => {
    const env = { ACTION_RISK_OUTCOMES_KEY: undefined }
    await ask("claude-code", claude, env)
    await report("claude-code", { ...claude, hook_event_name: "PostToolUse" }, env)
    expect([told(), readdirSync(home)]).toEqual([[], []])
  })

  it("exits with 0 and in time if the service does not answer, or if nothing can be stored", async () => {
    await ask("claude-code", claude)
    service.play(() => {})
    const after = { ...claude, hook_event_name: "PostToolUse" }
    expect(await report("claude-code", after)).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: expect.stringContaining("executed was not reported (TIMED_OUT)")
    })
    service.play((response) =>
      response.writeHead(200, { "svc-risk-opinion": "full" }).end(JSON.stringify(low))
    )
    writeFileSync(join(home, "file"), "")
    const ended = agent(["hook", "run", "claude-code"], claude, { XDG_STATE_HOME: join(home, "file") })
    expect(await ended).toMatchObject({
      code: 0,
      stdout: "{}",
      stderr: expect.stringContaining("will not be reported")
    })
  })

  it("is installed or removed as configured, and runs as installed", async () => {
    const file = join(home, ".claude/settings.json")
    const events = () => Object.keys(JSON.parse(readFileSync(file, "utf8")).hooks)
    await agent(["hook", "install", "claude-code"])
    expect(events()).toEqual(["PreToolUse"])
    await agent(["hook", "install", "claude-code", "--outcomes"])
    expect(events()).toEqual(["PreToolUse", "PostToolUse", "PostToolUseFailure"])

    const { hooks } = JSON.parse(readFileSync(file, "utf8"))
    const commandOf = (name: string): string => hooks[name][0].hooks[0].command
    await start("sh", ["-c", commandOf("PreToolUse")], claude)
    const after = { ...claude, hook_event_name: "PostToolUse" }
    expect(await start("sh", ["-c", commandOf("PostToolUse")], after)).toEqual({
      code: 0,
      stdout: "",
      stderr: ""
    })
    expect(told()).toEqual([event("executed")])
    expect(readdirSync(join(home, "state/action-risk/asked"))).toEqual([])
    const gone = commandOf("PostToolUse").replace("agent.js", "gone.js")
    expect(await start("sh", ["-c", gone], after)).toMatchObject({ code: 0, stdout: "" })

    await agent(["hook", "uninstall", "claude-code"])
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ hooks: {} })
  })

  it("is installed into OpenCode's plugin, which then reports in the background", async () => {
    await agent(["hook", "install", "opencode", "--outcomes"])
    const plugin = join(home, ".config/opencode/plugins/action-risk.js")
    const calls = `const { ActionRisk } = await import(${JSON.stringify(plugin)})
const hooks = await ActionRisk({ directory: "/tmp" })
const call = { tool: "bash", sessionID: "s", callID: "c" }
await hooks["tool.execute.before"](call, { args: { command: "ls" } })
await hooks["tool.execute.after"](call, {})`
    expect(await start(process.execPath, ["--input-type=module", "-e", calls], {})).toMatchObject({ code: 0 })
    await expect.poll(told, { timeout: 10_000 }).toEqual([event("executed")])
  })
})
