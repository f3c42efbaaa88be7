/** `action-risk-agent` as the process that a host starts: installed, run by the installed command, and uninstalled. */

import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exampleResponse } from "../../../src/api/examples/examples.ts"
import { hostPrograms } from "../../../src/agents/hook/examineHook.ts"
import { hookAnswerMs } from "../../../src/limits.ts"
import { agentProgram } from "../../support/agentProgram.ts"
import { runProgram } from "../../support/runProgram.ts"
import { type ScriptedService, scriptedService } from "../../support/scriptedService.ts"

let service: ScriptedService
let home = ""
beforeAll(async () => {
  service = await scriptedService()
  home = mkdtempSync(join(tmpdir(), "action-risk-agent-"))
})
afterAll(async () => {
  await service.close()
  rmSync(home, { recursive: true })
})

const start = (file: string, args: ReadonlyArray<string>, input: string | null, env: object = {}) =>
  runProgram(file, args, {
    input,
    env: { HOME: home, ACTION_RISK_URL: service.url, ACTION_RISK_KEY: "svc_test_x", ...env }
  })

const agent = (args: ReadonlyArray<string>, input: string | null = "", env: object = {}) =>
  start(process.execPath, [agentProgram, ...args], input, env)

const gitStatus = JSON.stringify({ tool_name: "Bash", tool_input: { command: "git status" } })

const low = {
  ...exampleResponse,
  action_risk: { ...exampleResponse.action_risk, level: "low" },
  recommended_control: { ...exampleResponse.recommended_control, type: "NO_ADDITIONAL_CONTROL_RECOMMENDED" }
}

const answerLow = () =>
  service.play((response) => response.writeHead(200, { "svc-risk-opinion": "full" }).end(JSON.stringify(low)))

const settings = () => join(home, ".claude/settings.json")

describe("action-risk-agent", () => {
  it("is installed next to existing hooks, answers by its installed command, and is uninstalled", async () => {
    const before = {
      model: "x",
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "true" }] }] }
    }
    mkdirSync(join(home, ".claude"))
    writeFileSync(settings(), JSON.stringify(before))
    for (const _ of [1, 2]) {
      const installed = await agent(["hook", "install", "claude-code", "--environment", "development"])
      expect(installed).toMatchObject({ code: 0, stderr: "" })
    }
    const again = await agent(["hook", "install", "claude-code", "--environment", "production"])
    expect(again.stdout).toMatch(/kept \S+: its environment is development, not production; change it there/)
    const { hooks, model } = JSON.parse(readFileSync(settings(), "utf8"))
    expect([model, hooks.PreToolUse.length, hooks.PreToolUse[0]]).toEqual([
      "x",
      2,
      before.hooks.PreToolUse[0]
    ])
    const [{ command, onFailure, timeout }] = hooks.PreToolUse[1].hooks
    expect([onFailure, timeout]).toEqual(["block", 15])

    answerLow()
    expect(await start("sh", ["-c", command], gitStatus)).toEqual({ code: 0, stdout: "{}", stderr: "" })
    expect(JSON.parse(service.heard[0]?.body ?? "").environment).toBe("development")

    // The shell objects if the program is missing.
    const gone = await start("sh", ["-c", command.replace("agent.js", "gone.js")], gitStatus)
    expect([gone.code, gone.stdout]).toEqual([2, ""])
    expect(gone.stderr).toContain("no risk opinion")

    expect(await agent(["hook", "uninstall", "claude-code"])).toMatchObject({ code: 0 })
    expect(JSON.parse(readFileSync(settings(), "utf8"))).toEqual(before)
  })

  it.each(["opencode", "cline"] as const)(
    "is a separate file for %s, which stops a call if it cannot run",
    async (host) => {
      const file = join(
        home,
        host === "cline" ? ".cline/hooks/PreToolUse.sh" : ".config/opencode/plugins/action-risk.js"
      )
      answerLow()
      await agent(["hook", "install", host])
      expect(await agent(["hook", "doctor", host])).toMatchObject({
        code: 0,
        stdout: expect.not.stringContaining("NOT")
      })
      writeFileSync(file, readFileSync(file, "utf8").replaceAll("agent.js", "gone.js"))
      const { stdout } = await agent(["hook", "doctor", host])
      expect(stdout).toMatch(/^ok +if no service answers, the hook objects$/m)
      expect(stdout).toMatch(/^NOT +the service gives an opinion.*no risk opinion: the hook did not run/m)
      expect((await agent(["hook", "uninstall", host])).stdout).toContain("removed the hook from")
      expect(existsSync(file)).toBe(false)

      writeFileSync(file, "// mine")
      for (const verb of ["install", "uninstall"]) await agent(["hook", verb, host])
      expect(readFileSync(file, "utf8")).toBe("// mine")
    }
  )

  it("runs before each kind of call in the hooks of Cursor, which may hand the call over as a here-document", async () => {
    answerLow()
    const file = join(home, ".cursor/hooks.json")
    await agent(["hook", "install", "cursor", "--outcomes"])
    expect(await agent(["hook", "doctor", "cursor"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/cursor did not say its version; the hook follows its documentation/)
    })
    const { hooks, version } = JSON.parse(readFileSync(file, "utf8"))
    const asks = ["beforeShellExecution", "beforeMCPExecution", "preToolUse"]
    expect([version, asks.map((event) => [hooks[event][0].failClosed, hooks[event][0].timeout])]).toEqual([
      1,
      asks.map(() => [true, 15])
    ])
    const asked = ["Shell", "MCP:refund", "Write", "Shellfish"].filter((tool) =>
      new RegExp(hooks.preToolUse[0].matcher).test(tool)
    )
    expect(asked).toEqual(["Write", "Shellfish"])
    const call = JSON.stringify({ hook_event_name: "beforeShellExecution", command: "git status" })
    const script = `${hooks.beforeShellExecution[0].command} <<'CALL'\n${call}\nCALL`
    expect(await start("sh", ["-c", script], "")).toEqual({ code: 0, stdout: "{}", stderr: "" })
    // The hook counts as installed only if it covers every event.
    writeFileSync(file, JSON.stringify({ version, hooks: { ...hooks, beforeMCPExecution: [] } }))
    expect((await agent(["hook", "doctor", "cursor"])).stdout).toMatch(/^NOT +the hook is in/m)
    await agent(["hook", "uninstall", "cursor"])
    expect(JSON.parse(readFileSync(file, "utf8")).hooks).toEqual({})
  })

  it("is one file for VS Code and Copilot CLI", async () => {
    answerLow()
    const file = join(home, ".copilot/hooks/action-risk.json")
    const install = (host: string) => agent(["hook", "install", host])
    await install("vscode")
    const text = readFileSync(file, "utf8")
    for (const host of ["vscode", "copilot"])
      expect(await agent(["hook", "doctor", host])).toMatchObject({ code: 0 })
    await install("copilot")
    expect(readFileSync(file, "utf8")).toBe(text)
    await agent(["hook", "uninstall", "vscode"])
    expect(existsSync(file)).toBe(false)
  })

  it("prints the command for the owner of another host, and tests it", async () => {
    answerLow()
    const generic = ["generic", "--reply", "exit2"]
    const { stdout } = await agent(["hook", "install", ...generic])
    const [, command = ""] =
      /^then: have your host run this command before each call: (.+)$/m.exec(stdout) ?? []
    const call = JSON.stringify({ tool_name: "Execute", tool_input: { command: "git status" } })
    expect(await start("sh", ["-c", command], call)).toEqual({ code: 0, stdout: "", stderr: "" })
    const gone = await start("sh", ["-c", command.replace("agent.js", "gone.js")], call)
    expect(gone).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("no risk opinion") })
    expect(await agent(["hook", "doctor", ...generic])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ok +if no service answers, the hook objects$/m)
    })
    expect((await agent(["hook", "uninstall", ...generic])).stdout).toContain("remove the command")
  })

  it("gets its answer through, whatever a library of Node prints", async () => {
    writeFileSync(join(home, "noise.cjs"), 'console.log("noise")')
    await agent(["hook", "install", "gemini"])
    const { hooks } = JSON.parse(readFileSync(join(home, ".gemini/settings.json"), "utf8"))
    service.play((response) => response.writeHead(503).end())
    const env = { NODE_OPTIONS: `--require ${join(home, "noise.cjs")}` }
    const { code, stdout } = await start("sh", ["-c", hooks.BeforeTool[0].hooks[0].command], gitStatus, env)
    expect([code, JSON.parse(stdout).decision]).toEqual([0, "deny"])
    rmSync(join(home, ".gemini"), { recursive: true })
  })

  it("asks the service that was named when it was installed", async () => {
    await agent(["hook", "install", "codex"])
    answerLow()
    const { stdout } = await agent(["hook", "run", "codex"], gitStatus, { ACTION_RISK_URL: undefined })
    expect([stdout, service.heard.length]).toEqual(["{}", 1])
    await agent(["hook", "uninstall", "codex"])
  })

  it.each([
    ["a variable that is empty", [], { XDG_CONFIG_HOME: "" }, 0, /"ask"/],
    ["a variable that is relative", [], { XDG_CONFIG_HOME: "." }, 0, /"ask"/],
    ["a home that is empty", [], { HOME: "", ACTION_RISK_KEY: "" }, 0, /"ask"/],
    ["a word that is relative", ["--config", "action-risk"], {}, 2, /^$/]
  ])("ignores owner files in the agent's workspace, for %s", async (_, more, env, code, said) => {
    const folder = join(home, "workspace")
    mkdirSync(join(folder, "action-risk"), { recursive: true })
    mkdirSync(join(folder, ".config"), { recursive: true })
    writeFileSync(join(folder, "action-risk/action-risk.gate.json"), '{"version":1,"mode":"observe"}')
    cpSync(join(folder, "action-risk"), join(folder, ".config/action-risk"), { recursive: true })
    service.play((response) => response.writeHead(503).end())
    const there = ["-c", 'cd "$0" && exec "$@"', folder, process.execPath, agentProgram]
    const ended = await start("sh", [...there, "hook", "run", "claude-code", ...more], gitStatus, env)
    expect(ended.code).toBe(code)
    expect(ended.stdout).toMatch(said)
  })

  it("says that production is assumed, and how to state development, if no environment is stated", async () => {
    const folder = join(home, "unstated")
    const install = (...more: ReadonlyArray<string>) =>
      agent(["hook", "install", "codex", "--config", folder, ...more], null)
    const assumed =
      /^no environment is stated, so every call counts as done in production; .* write "environment": "development" into \S+action-risk\.tools\.json/m
    expect((await install()).stdout).toMatch(assumed)
    expect((await install("--environment", "production")).stdout).not.toMatch(assumed)
    writeFileSync(
      join(folder, "action-risk.tools.json"),
      '{"version":1,"environment":"development","tools":{}}'
    )
    expect((await install()).stdout).not.toMatch(assumed)
    await agent(["hook", "uninstall", "codex"])
  })

  it("says where to put a key that the host would lack, until it is there", async () => {
    const install = (key?: string) => agent(["hook", "install", "codex"], null, { ACTION_RISK_KEY: key })
    const path = join(home, ".config/action-risk/key")
    expect((await install("svc_test_x")).stdout).toContain(
      `ACTION_RISK_KEY is that of this shell: write one into ${path}, or `
    )
    expect((await install()).stdout).toContain(`there is no key yet: write one into ${path}, or `)
    writeFileSync(path, "svc_test_x")
    expect((await install()).stdout).not.toContain(path)
    rmSync(path)
    await agent(["hook", "uninstall", "codex"])
  })

  it("prints its usage on standard output on request", async () => {
    expect(await agent(["--help"])).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringContaining("usage: ")
    })
  })

  it("says which command of a server cannot be started", async () => {
    const { code, stderr } = await agent(["mcp", "gate", "--server", "shop", "--", "/no/such/server"])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("the server shop cannot be started: spawn /no/such/server ENOENT")
    ])
  })

  it("checks whether an installed hook would object", async () => {
    answerLow()
    expect((await agent(["hook", "doctor", "codex"])).code).toBe(2)
    await agent(["hook", "install", "gemini"])
    const { code, stdout } = await agent(["hook", "doctor", "gemini"])
    expect(stdout).not.toContain("NOT")
    expect([code, stdout]).toEqual([0, expect.stringContaining("if no service answers, the hook objects")])
    rmSync(join(home, ".gemini"), { recursive: true })
  })

  it("checks whether Codex trusts the hook, because it asks no one until then", async () => {
    answerLow()
    await agent(["hook", "install", "codex"])
    const untrusted = await agent(["hook", "doctor", "codex"])
    expect([untrusted.code, untrusted.stdout]).toEqual([2, expect.stringMatching(/^NOT .*trust.*\/hooks/m)])
    const hooks = join(home, ".codex/hooks.json")
    writeFileSync(
      join(home, ".codex/config.toml"),
      `[hooks.state."${hooks}:pre_tool_use:0:0"]\ntrusted_hash = "sha256:0"\n`
    )
    expect(await agent(["hook", "doctor", "codex"])).toMatchObject({
      code: 0,
      stdout: expect.not.stringContaining("NOT")
    })
    rmSync(join(home, ".codex"), { recursive: true })
  })

  it("says which version of the host is here, and which one the hook was tested with", async () => {
    answerLow()
    await agent(["hook", "install", "gemini"])
    const bin = join(home, "bin")
    mkdirSync(bin)
    const PATH = `${bin}:${process.env["PATH"]}`
    const doctor = async (version: string) => {
      writeFileSync(join(bin, "gemini"), `#!/bin/sh\necho "gemini ${version} (of today)"\n`, { mode: 0o755 })
      return (await agent(["hook", "doctor", "gemini"], "", { PATH })).stdout
    }
    const { tried } = hostPrograms.gemini
    expect(await doctor(tried ?? "")).toMatch(new RegExp(`^ok +gemini is version ${tried}`, "m"))
    expect(await doctor("999.0.1")).toMatch(
      new RegExp(`^note +gemini is version 999.0.1; .*tested with ${tried}$`, "m")
    )
    rmSync(bin, { recursive: true })
    rmSync(join(home, ".gemini"), { recursive: true })
  })

  it("names the versions that the tests with the real hosts install", () => {
    const { dependencies } = JSON.parse(
      readFileSync(join(import.meta.dirname, "../../clients/package.json"), "utf8")
    )
    expect(
      Object.fromEntries(Object.entries(hostPrograms).map(([host, { tried }]) => [host, tried]))
    ).toEqual({
      "claude-code": dependencies["@anthropic-ai/claude-code"],
      codex: dependencies["@openai/codex"],
      copilot: dependencies["@github/copilot"],
      gemini: dependencies["@google/gemini-cli"],
      opencode: dependencies["opencode-ai"],
      cline: dependencies["cline"],
      vscode: null,
      cursor: null
    })
  })

  it("leaves unreadable settings unchanged", async () => {
    mkdirSync(join(home, ".gemini"))
    writeFileSync(join(home, ".gemini/settings.json"), "{ // mine\n}")
    expect(await agent(["hook", "install", "gemini"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("nothing was changed")
    })
    expect(readFileSync(join(home, ".gemini/settings.json"), "utf8")).toBe("{ // mine\n}")
  })

  it("objects in time if the host never ends its input", async () => {
    const began = performance.now()
    const { code, stdout } = await agent(["hook", "run", "claude-code"], null)
    expect(performance.now() - began).toBeLessThan(2 * hookAnswerMs)
    expect([code, JSON.parse(stdout).hookSpecificOutput.permissionDecision]).toEqual([0, "ask"])
  })

  it("exits with 2 on wrong usage, which no host treats as consent", async () => {
    for (const words of [
      [],
      ["hook", "run", "emacs"],
      ["hook", "runn", "codex"],
      ["hook", "run", "generic"],
      ["hook", "run", "generic", "--reply", "allow"]
    ])
      expect(await agent(words)).toMatchObject({ code: 2, stdout: "" })
  })
})
