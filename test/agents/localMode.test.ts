/** A hook and a gate that answer by themselves: who may choose that, what they ask and record, and that no fault makes them silent. */

import { execFileSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { toolGate } from "../../src/agents/toolGate.ts"
import { agentProgram } from "../support/agentProgram.ts"
import { lineProcess } from "../support/lineProcess.ts"
import { runProgram } from "../support/runProgram.ts"
import { opinionAt, type ScriptedService, scriptedService } from "../support/scriptedService.ts"

let service: ScriptedService
let home = ""
beforeAll(async () => {
  service = await scriptedService()
})
afterAll(() => service.close())
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "action-risk-local-mode-"))
  service.play(opinionAt("low"))
})
afterEach(() => rmSync(home, { recursive: true }))

type Env = Readonly<Record<string, string>>

const agent = (words: ReadonlyArray<string>, { env = {}, input = "" }: { env?: Env; input?: string } = {}) =>
  runProgram(process.execPath, [agentProgram, ...words], { input, env: { HOME: home, ...env } })

const owner = (name: string) => join(home, ".config/action-risk", name)
const opinions = () => join(home, ".local/state/action-risk/opinions.ndjson")
const kept = () =>
  existsSync(opinions())
    ? readFileSync(opinions(), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
    : []

const installed = () =>
  JSON.parse(readFileSync(join(home, ".claude/settings.json"), "utf8")).hooks.PreToolUse[0].hooks[0].command

const call = (command: string, cwd?: string) =>
  JSON.stringify({ session_id: "s", cwd, tool_name: "Bash", tool_input: { command }, tool_use_id: "t" })

/** Runs the installed hook as Claude Code does. */
const run = (command: string, env: Env = {}, cwd?: string) =>
  runProgram("sh", ["-c", installed()], { input: call(command, cwd), env: { HOME: home, ...env } })

const wordOf = (stdout: string): string | undefined => /"permissionDecision":"(\w+)"/.exec(stdout)?.[1]

const install = (...more: ReadonlyArray<string>) =>
  agent(["hook", "install", "claude-code", "--environment", "development", ...more])

describe("a hook without a service", () => {
  beforeEach(async () => {
    expect(await install("--local")).toMatchObject({ code: 0, stderr: "" })
  })

  it("is silent for a harmless call, asks about a risky one, refuses a critical one, and keeps all three", async () => {
    const ended = []
    for (const command of ["git status", "git push --force origin main", "rm -rf ~"])
      ended.push(await run(command))
    expect(
      ended.map(({ code, stderr, stdout }) => [code, stderr, stdout === "{}" ? "" : wordOf(stdout)])
    ).toEqual([
      [0, "", ""],
      [0, "", "ask"],
      [0, "", "deny"]
    ])
    expect(kept().map(({ input }) => [input.target_resource, input.environment])).toEqual([
      ["git status", "development"],
      ["git push --force origin main", "development"],
      ["rm -rf ~", "development"]
    ])
    expect(ended[2]?.stdout).toContain(`opinion ${kept()[2].assessment_id}`)
    expect(statSync(opinions()).mode & 0o777).toBe(0o600)
  })

  it("stores no secret of a command", async () => {
    await run("curl -H 'Authorization: Bearer s3cr3ts3cr3t' --password hunter2hunter2 https://x.example")
    const text = readFileSync(opinions(), "utf8")
    expect([kept().length, text.includes("Bearer ***"), /s3cr3t|hunter2/.test(text)]).toEqual([
      1,
      true,
      false
    ])
  })

  it("loses no opinion of concurrent hooks", async () => {
    const commands = Array.from({ length: 8 }, (_, at) => `ls ${at}`)
    await Promise.all(commands.map((command) => run(command)))
    expect(
      kept()
        .map(({ input }) => input.target_resource)
        .toSorted()
    ).toEqual(commands)
  })

  it("answers the same, and in time, where its opinions cannot be kept", async () => {
    mkdirSync(join(opinions(), ".."), { recursive: true })
    execFileSync("mkfifo", [opinions()])
    expect(await run("git status")).toEqual({
      code: 0,
      stdout: "{}",
      stderr: expect.stringMatching(/^action-risk: the opinion was not kept: [^\n]+\n$/)
    })
    expect(wordOf((await run("rm -rf ~")).stdout)).toBe("deny")
  })

  it("reports no outcome, because there is no service to report to", async () => {
    writeFileSync(owner("outcomes-key"), "svc_test_tells")
    await run("git status", { ACTION_RISK_URL: service.url })
    const ended = { ...JSON.parse(call("git status")), hook_event_name: "PostToolUse" }
    const words = ["hook", "report", "claude-code", "--config", owner("")]
    expect(await agent(words, { input: JSON.stringify(ended) })).toEqual({ code: 0, stdout: "", stderr: "" })
    expect(service.heard).toEqual([])
  })

  it("tells the doctor who answers, by which release, and where opinions are stored", async () => {
    const { code, stdout } = await agent(["hook", "doctor", "claude-code"])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ok +this program answers itself, by \d+\.\d+\.\d+\+\S+$/m)
    expect(stdout).toContain(`its answers are kept in ${opinions()}`)
    expect(stdout).toMatch(/^ok +if nothing answers, the hook objects$/m)
    expect(stdout).toMatch(/^ok +this program gives an opinion on `git status`$/m)
  })

  it("switches to a service when its owner says so, and leaves stored opinions in place", async () => {
    await run("git status")
    const { stdout } = await install("--service", service.url)
    expect(stdout).toContain(`this program's own answers stay in ${opinions()}`)
    await run("git status", { ACTION_RISK_KEY: "svc_test_x" })
    expect([service.heard.length, kept().length]).toEqual([1, 1])
  })

  it.each([
    [["--service", "ftp://x"]],
    [["--service", "https://a:b@x"]],
    [["--service"]],
    [["--local", "--service", "http://x"]]
  ])("is not installed with %j", async (words) => {
    expect(await install(...words)).toMatchObject({ code: 2, stdout: "" })
  })
})

describe("a hook whose service is down", () => {
  it("asks about everything; objections of the installed rules add a reason without changing the step", async () => {
    await install("--service", service.url)
    writeFileSync(owner("key"), "svc_test_x")
    service.play((response) => response.writeHead(404).end("{}"))
    const heard = [await run("git status"), await run("rm -rf ~")]
    expect(heard.map(({ stdout }) => wordOf(stdout))).toEqual(["ask", "ask"])
    expect(
      heard.map(({ stdout }) => /the rules installed here say: action risk (\w+)/.exec(stdout)?.[1])
    ).toEqual([undefined, "critical"])
    expect(kept()).toEqual([])
  })

  it("asks in the same words if the rules are not installed", async () => {
    const alone = join(home, "alone")
    mkdirSync(alone)
    const dist = join(agentProgram, "..")
    for (const name of readdirSync(dist).filter((one) => /^agent.*\.js$/.test(one)))
      cpSync(join(dist, name), join(alone, name))
    const start = () =>
      runProgram(process.execPath, [join(alone, "agent.js"), "hook", "run", "claude-code"], {
        input: call("rm -rf ~"),
        env: { HOME: home }
      })
    const { stdout } = await start()
    expect([wordOf(stdout), stdout.includes("the rules installed here")]).toEqual(["ask", false])
    mkdirSync(owner(""), { recursive: true })
    writeFileSync(owner("url"), "local")
    expect((await start()).stdout).toMatch(/"ask".*no risk opinion \(ASSESSMENT_UNAVAILABLE\)/)
  })
})

/** The possible contents of a workspace: files where the agent works, and variables (`env` of Claude Code's settings). */
describe("a workspace", () => {
  const workspace = () => join(home, "workspace")
  beforeEach(() => {
    mkdirSync(join(workspace(), "action-risk"), { recursive: true })
    mkdirSync(join(workspace(), ".config"), { recursive: true })
    writeFileSync(join(workspace(), "url"), "local")
    writeFileSync(join(workspace(), "action-risk/url"), "local")
    cpSync(join(workspace(), "action-risk"), join(workspace(), ".config/action-risk"), { recursive: true })
  })
  const variables = (): Env => ({
    ACTION_RISK_URL: "local",
    ACTION_RISK_LOCAL: "1",
    XDG_CONFIG_HOME: workspace(),
    RULES_VERSION: "draft",
    RULE_ENGINE: "reference"
  })

  it("cannot make a hook that asks a service answer by itself", async () => {
    await install("--service", service.url)
    writeFileSync(owner("key"), "svc_test_x")
    expect(await run("git status", variables(), workspace())).toMatchObject({ stdout: "{}" })
    expect([service.heard.length, kept()]).toEqual([1, []])
  })

  it("cannot make it answer by itself if no owner file names the service, and a person is asked", async () => {
    await agent(["hook", "install", "claude-code"])
    expect(existsSync(owner("url"))).toBe(false)
    const { stdout } = await run("git status", { ...variables(), ACTION_RISK_KEY: "svc_test_x" }, workspace())
    expect([wordOf(stdout), kept()]).toEqual(["ask", []])
  })

  it("cannot make a hook that answers by itself ask a service, or answer by other rules", async () => {
    await install("--local")
    const env = { ...variables(), ACTION_RISK_URL: service.url, ACTION_RISK_KEY: "svc_test_x" }
    expect(wordOf((await run("rm -rf ~", env, workspace())).stdout)).toBe("deny")
    await run("rm -rf ~")
    const [engine, without] = kept().map((line) => line.risk_engine_version)
    expect([service.heard, engine]).toEqual([[], without])
  })
})

const echo = join(import.meta.dirname, "../support/echoMcpServer.ts")

const openGate = async (env: Env = {}) => {
  const words = ["mcp", "gate", "--server", "shop", "--local", "--", process.execPath, echo]
  const gate = lineProcess([agentProgram, ...words], { HOME: home, ...env })
  const params = { protocolVersion: "2025-11-25", capabilities: {} }
  await gate.ask({ jsonrpc: "2.0", id: 0, method: "initialize", params })
  return {
    end: gate.end,
    call: async (id: number, name: string, given: object): Promise<string> => {
      const params = { name, arguments: given }
      const { result } = await gate.ask({ jsonrpc: "2.0", id, method: "tools/call", params })
      return result.content[0].text
    }
  }
}

describe("a gate without a service", () => {
  const mapLook = () => {
    mkdirSync(owner(""), { recursive: true })
    const tools = { "mcp:shop/look": { action_type: "stripe.charges.list", why: "reads charges" } }
    writeFileSync(
      owner("action-risk.tools.json"),
      JSON.stringify({ version: 1, environment: "development", tools })
    )
  }

  it("passes a harmless call on, holds another one, and keeps both", async () => {
    mapLook()
    const gate = await openGate()
    expect(await gate.call(1, "look", {})).toMatch(/^called /)
    expect(await gate.call(2, "delete_customer", { id: "*" })).toMatch(
      /^Not called\. action risk \w+, \d+ of 100/
    )
    expect(await gate.end()).toBe(0)
    expect(kept().map(({ input }) => input.action_type)).toEqual([
      "stripe.charges.list",
      "mcp__shop__delete_customer"
    ])
  })

  it.each([
    ["a key in the owner's folder", {}, "key"],
    ["a URL of the environment", { ACTION_RISK_URL: "http://127.0.0.1:9" }, null],
    ["a key of the environment", { ACTION_RISK_KEY: "svc_test_x" }, null]
  ])(
    "makes a person decide if there is %s, and only its command says that it has no service",
    async (_, env, file) => {
      mapLook()
      if (file !== null) writeFileSync(owner(file), "svc_test_x")
      const gate = await openGate(env)
      expect(await gate.call(1, "look", {})).toMatch(
        /^Not called\..*the command says --local, and a key or a URL/
      )
      await gate.end()
      writeFileSync(owner("url"), "local")
      const again = await openGate(env)
      expect(await again.call(1, "look", {})).toMatch(/^called /)
      await again.end()
    }
  )

  it("asks the service that the owner's file names, whatever its command says", async () => {
    mapLook()
    writeFileSync(owner("url"), service.url)
    writeFileSync(owner("key"), "svc_test_x")
    const gate = await openGate()
    await gate.call(1, "look", {})
    await gate.end()
    expect([service.heard.length, kept()]).toEqual([1, []])
  })

  it("applies the same rule to a program's own tools", async () => {
    mkdirSync(owner(""), { recursive: true })
    writeFileSync(owner("url"), "local\n")
    const env = { XDG_STATE_HOME: join(home, ".local/state"), ACTION_RISK_URL: service.url }
    const gate = toolGate({ agentId: "support-bot", folder: owner(""), env })
    const { reason, step } = await gate.check({ tool: "stripe_create_payout", input: { amount: 50_000 } })
    expect([step === "no_objection", reason.startsWith("action risk "), service.heard]).toEqual([
      false,
      true,
      []
    ])
    expect(kept().map(({ input }) => input.agent_id)).toEqual(["support-bot"])
  })
})
