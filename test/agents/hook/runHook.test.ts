/** Every hook with every answer of the service: when it stays silent, and how it words an objection. */

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type HostName, hosts } from "../../../src/agents/hook/hosts.ts"
import { runHook } from "../../../src/agents/hook/runHook.ts"
import { exampleResponse } from "../../../src/api/examples/examples.ts"
import type { Script, ScriptedService } from "../../support/scriptedService.ts"
import { scriptedService } from "../../support/scriptedService.ts"

let service: ScriptedService
let folder = ""
let workspace = ""

beforeAll(async () => {
  service = await scriptedService()
})
afterAll(() => service.close())

beforeEach(() => {
  if (folder !== "") rmSync(folder, { recursive: true })
  folder = mkdtempSync(join(tmpdir(), "action-risk-hook-"))
  workspace = join(folder, "workspace")
  mkdirSync(workspace)
})
afterAll(() => rmSync(folder, { recursive: true }))

const opinion =
  (
    level: string,
    type = "NO_ADDITIONAL_CONTROL_RECOMMENDED",
    header = "full",
    unread: ReadonlyArray<string> = []
  ): Script =>
  (response) => {
    const status = header === "full" ? "complete" : "incomplete"
    const body = {
      ...exampleResponse,
      reading: { ...exampleResponse.reading, unread },
      status: header === "full" ? "completed" : "incomplete",
      assessment_status: status,
      action_risk: { ...exampleResponse.action_risk, level },
      recommended_control: { ...exampleResponse.recommended_control, type }
    }
    response.writeHead(200, { "svc-risk-opinion": header }).end(JSON.stringify(body))
  }

/** The tool of each host that runs a command, and the name under which the service knows it. */
const shells: Readonly<Record<HostName, readonly [tool: string, name: string]>> = {
  "claude-code": ["Bash", "claude_code.Bash"],
  codex: ["Bash", "codex.Bash"],
  copilot: ["bash", "copilot_cli.bash"],
  vscode: ["run_in_terminal", "vscode.run_in_terminal"],
  gemini: ["run_shell_command", "gemini_cli.run_shell_command"],
  opencode: ["bash", "opencode.bash"],
  cline: ["run_commands", "cline.run_commands"],
  cursor: ["Shell", "cursor_agent.Shell"],
  "generic --reply exit2": ["Execute", "coding_agent.Execute"],
  "generic --reply claude": ["run_shell_command", "coding_agent.run_shell_command"],
  "generic --reply deny-json": ["execute_bash", "coding_agent.execute_bash"]
}

const inputOf = (host: HostName, tool: string, given: unknown, callId = "toolu_1"): unknown => {
  if (host === "copilot")
    return { sessionId: "s", timestamp: 1, cwd: workspace, toolName: tool, toolArgs: given }
  if (host === "opencode") return { tool, sessionID: "s", callID: callId, args: given, directory: workspace }
  if (host === "cline")
    return { taskId: "s", workspaceRoots: [workspace], tool_call: { id: callId, name: tool, input: given } }
  if (host === "cursor")
    return {
      conversation_id: "s",
      hook_event_name: "preToolUse",
      workspace_roots: [workspace],
      tool_name: tool,
      tool_input: given,
      tool_use_id: callId
    }
  return {
    session_id: "s",
    transcript_path: "/x",
    cwd: workspace,
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: given,
    tool_use_id: callId
  }
}

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

const key = "svc_test_x"

const hear = async (host: HostName, input: unknown, env: Record<string, string> = {}) => {
  const text = typeof input === "string" ? input : JSON.stringify(input)
  const reply = await runHook(host, bytesOf(text), {
    folder,
    env: { ACTION_RISK_URL: service.url, ACTION_RISK_KEY: key, ...env }
  })
  const said = /"(?:permissionDecision|decision|permission)":"(\w+)"|"(cancel)":true/.exec(reply.stdout)
  const word = said?.[1] ?? said?.[2] ?? (reply.exitCode === 2 && reply.stderr !== "" ? "thrown" : "silence")
  return { ...reply, word }
}

const shell = (host: HostName, command: string) =>
  hear(host, inputOf(host, shells[host][0], host === "cline" ? { commands: [command] } : { command }))

const names = Object.keys(hosts) as ReadonlyArray<HostName>
/** How each host learns that a person should be asked. If its own `ask` runs the call or hangs, the answer is no. */
const asking: Readonly<Record<HostName, string>> = {
  "claude-code": "ask",
  codex: "deny",
  copilot: "ask",
  gemini: "deny",
  opencode: "thrown",
  cline: "cancel",
  vscode: "ask",
  cursor: "deny",
  "generic --reply exit2": "thrown",
  "generic --reply claude": "ask",
  "generic --reply deny-json": "deny"
}

/** The text on standard output if there is no objection. */
const silence: Partial<Readonly<Record<HostName, string>>> = {
  gemini: "",
  "generic --reply exit2": "",
  "generic --reply deny-json": ""
}

describe.each(names)("the hook of %s", (host) => {
  it("is silent for a low risk, and otherwise gives an answer that no host treats as consent", async () => {
    service.play(opinion("low"))
    const { exitCode, stderr, stdout } = await shell(host, "git status")
    expect([exitCode, stderr, stdout]).toEqual([0, "", silence[host] ?? "{}"])
    expect(JSON.parse(service.heard[0]?.body ?? "")).toMatchObject({
      action_type: shells[host][1],
      target_resource: "git status",
      environment: "production",
      agent_id: host.split(" ")[0]
    })
  })

  it.each([
    ["a moderate risk", opinion("moderate")],
    ["a control that a policy raised", opinion("low", "SECONDARY_APPROVAL_RECOMMENDED")],
    ["a partial opinion", opinion("low", "NO_ADDITIONAL_CONTROL_RECOMMENDED", "partial")],
    ["garbage", ((response) => response.end("{}")) satisfies Script],
    ["half an answer", ((response) => response.destroy()) satisfies Script]
  ])("hands over for %s", async (_, script) => {
    service.play(script)
    expect(await shell(host, "git status")).toMatchObject({ word: asking[host] })
  })

  it("refuses from critical on", async () => {
    service.play(opinion("critical"))
    expect((await shell(host, "git status")).word).toBe(asking[host].replace("ask", "deny"))
  })

  it.each([
    ["nothing", ""],
    ["no JSON", "Bash"],
    ["JSON with a repeated key", '{"tool_name":"Read","tool_name":"Bash","tool_input":{}}'],
    ["a list", "[]"],
    ["no tool", "{}"],
    [
      "arguments that are no object",
      {
        tool_name: "Bash",
        tool_input: "x",
        toolName: "bash",
        toolArgs: "x",
        tool: "bash",
        args: "x",
        tool_call: { name: "x", input: [] },
        hook_event_name: "preToolUse"
      }
    ],
    [
      "arguments that are no object, of Windsurf",
      { agent_action_name: "pre_run_command", tool_info: "rm -rf /" }
    ],
    ["arguments that are no object, of Antigravity", { toolCall: { name: "run_command", args: "rm -rf /" } }],
    ["a command that is no text", { hook_event_name: "beforeShellExecution", command: ["rm"] }],
    [
      "arguments that are no JSON",
      { hook_event_name: "beforeMCPExecution", tool_name: "x", tool_input: "{" }
    ],
    [
      "a tool without a name",
      {
        tool_name: "",
        tool_input: {},
        toolName: "",
        toolArgs: {},
        tool: "",
        args: {},
        tool_call: { name: "", input: {} }
      }
    ]
  ])("hands over where it is given %s", async (_, input) => {
    service.play(opinion("low"))
    expect(await hear(host, input)).toMatchObject({ word: asking[host] })
  })

  it("asks about an unmapped tool by its name and its arguments, and gets the opinion", async () => {
    service.play(opinion("low"))
    const { exitCode, stdout } = await hear(host, inputOf(host, "mcp__shop__refund", { amount: 5 }))
    expect([exitCode, stdout]).toEqual([0, silence[host] ?? "{}"])
    expect(JSON.parse(service.heard[0]?.body ?? "")).toMatchObject({
      action_type: "mcp__shop__refund",
      metadata: {
        tool: "mcp:shop/refund",
        tool_call: { name: "mcp__shop__refund", arguments: { amount: 5 } }
      }
    })
    service.play(opinion("moderate"))
    expect((await hear(host, inputOf(host, "Unheard", {}))).word).toBe(asking[host])
  })

  it("hands over where the service did not understand an argument", async () => {
    service.play(opinion("low", undefined, undefined, ["$.script"]))
    expect((await hear(host, inputOf(host, "Unheard", { script: "x" }))).word).toBe(asking[host])
  })

  it("hands over where the telling argument of one of its own tools is missing or too long", async () => {
    service.play(opinion("low"))
    expect((await hear(host, inputOf(host, shells[host][0], { script: "rm -rf /" }))).word).toBe(asking[host])
    expect((await shell(host, `echo ${"x".repeat(40_000)}`)).word).toBe(asking[host])
  })

  it("hands over without a key, without asking anybody", async () => {
    service.play(opinion("low"))
    const heard = await hear(host, inputOf(host, shells[host][0], { command: "ls" }), { ACTION_RISK_KEY: "" })
    expect([heard.word, service.heard.length]).toEqual([asking[host], 0])
  })
})

describe("a hook", () => {
  const write = (name: string, json: unknown, where = folder) =>
    writeFileSync(join(where, name), typeof json === "string" ? json : JSON.stringify(json))

  it("reads arguments by the owner's mapping", async () => {
    write("action-risk.tools.json", {
      version: 1,
      environment: "staging",
      agent_id: "support-bot",
      tools: {
        "mcp:shop/refund": {
          action_type: "stripe.refunds.create",
          from_arguments: { financial_value: { at: "$.amount", scale: -2 } },
          why: "card refunds"
        }
      }
    })
    service.play(opinion("low"))
    expect(
      await hear("claude-code", inputOf("claude-code", "mcp__shop__refund", { amount: 1999 }))
    ).toMatchObject({
      word: "silence"
    })
    expect(JSON.parse(service.heard[0]?.body ?? "")).toMatchObject({
      action_type: "stripe.refunds.create",
      environment: "staging",
      agent_id: "support-bot",
      financial_value: 19.99
    })
  })

  it("takes the key from the owner's folder where no variable gives one", async () => {
    write("key", "svc_test_from_file\n")
    service.play(opinion("low"))
    await runHook("codex", bytesOf(JSON.stringify(inputOf("codex", "Bash", { command: "ls" }))), {
      folder,
      env: { ACTION_RISK_URL: service.url }
    })
    expect(service.heard[0]?.headers.authorization).toBe("Bearer svc_test_from_file")
  })

  it("asks the service and with the key of its owner's files, whatever variables a workspace sets", async () => {
    const other = await scriptedService()
    other.play(opinion("low"))
    service.play(opinion("critical"))
    write("url", service.url)
    write("key", "svc_test_from_file")
    const input = inputOf("claude-code", "Bash", { command: "rm -rf /" })
    const heard = await hear("claude-code", input, {
      ACTION_RISK_URL: other.url,
      ACTION_RISK_KEY: "svc_test_y"
    })
    await other.close()
    expect([heard.word, other.heard.length]).toEqual(["deny", 0])
    expect(service.heard[0]?.headers.authorization).toBe("Bearer svc_test_from_file")
  })

  it.each([
    ["the gate file", "action-risk.gate.json", '{"version": 1, "no_opinion": "no_objection"}'],
    ["the mapping", "action-risk.tools.json", "{"],
    [
      "a path of the mapping",
      "action-risk.tools.json",
      '{"version":1,"tools":{"t":{"why":"x","from_arguments":{"destination":{"at":"$..x"}}}}}'
    ]
  ])("hands over, and says so, where %s cannot be taken", async (_, name, text) => {
    write(name, text)
    service.play(opinion("low"))
    const heard = await shell("claude-code", "git status")
    expect(heard.word).toBe("ask")
    expect(heard.stdout).toContain(name)
  })

  it("refuses what it does not understand where its owner refuses without an opinion", async () => {
    write("action-risk.gate.json", { version: 1, no_opinion: "refuse" })
    service.play(opinion("low"))
    for (const input of ["", "[]", "{}"]) expect((await hear("claude-code", input)).word).toBe("deny")
  })

  it("hands over where the gate file is a link to nowhere", async () => {
    symlinkSync("nowhere", join(folder, "action-risk.gate.json"))
    service.play(opinion("low"))
    expect((await shell("claude-code", "git status")).word).toBe("ask")
  })

  it("lets a file in the workspace tighten the rules, but not loosen them", async () => {
    write("action-risk.gate.json", {
      version: 1,
      not_asked: [{ tools: ["Glob"], why: "x", review_by: "2999-01-01" }]
    })
    write(
      "action-risk.gate.json",
      { version: 1, mode: "observe", not_asked: [{ tools: ["Bash"], why: "x", review_by: "2999-01-01" }] },
      workspace
    )
    service.play(opinion("moderate"))
    expect((await shell("claude-code", "git status")).word).toBe("ask")
    expect((await hear("claude-code", inputOf("claude-code", "Glob", { pattern: "*" }))).word).toBe("silence")
    expect(service.heard).toHaveLength(1)
    write("action-risk.gate.json", { version: 1, refuse_from: { level: "low" } }, workspace)
    expect((await shell("claude-code", "git status")).word).toBe("deny")
  })

  it("hands over an unmapped tool where its owner wants each tool mapped, or only names told", async () => {
    service.play(opinion("low"))
    for (const strict of [{ unmapped_tool: "ask_person" }, { arguments: "names" }]) {
      write("action-risk.gate.json", { version: 1, ...strict })
      expect((await hear("claude-code", inputOf("claude-code", "Unheard", { path: "x" }))).word).toBe("ask")
    }
    expect(service.heard.map(({ body }) => "tool_call" in JSON.parse(body).metadata)).toEqual([true, false])
  })

  it("does not read a mapping that comes with the workspace", async () => {
    write(
      "action-risk.tools.json",
      { version: 1, environment: "development", tools: { Unheard: { why: "x" } } },
      workspace
    )
    service.play(opinion("low"))
    await hear("claude-code", inputOf("claude-code", "Unheard", {}))
    expect(JSON.parse(service.heard[0]?.body ?? "").environment).toBe("production")
  })

  it("asks and stays silent where its owner only observes", async () => {
    write("action-risk.gate.json", { version: 1, mode: "observe" })
    service.play(opinion("critical"))
    expect((await shell("claude-code", "rm -rf /")).word).toBe("silence")
    expect(service.heard).toHaveLength(1)
  })

  it.each([
    ["Write", { file_path: "/home/x/.config/action-risk/action-risk.gate.json", content: "{}" }],
    ["Edit", { file_path: "action-risk.tools.json" }],
    ["Write", { file_path: "/home/x/.claude/settings.json" }],
    ["Write", { file_path: ".claude/settings.local.json" }],
    ["Bash", { command: "sed -i s/ask/x/ ~/.codex/hooks.json" }],
    ["Bash", { command: "action-risk-agent hook uninstall claude-code" }],
    ["Bash", { command: "cp /dev/null /srv/action-risk/dist/agent.js" }],
    ["Bash", { command: "mv ~/.config/action-risk /tmp/" }],
    ["Write", { file_path: "/srv/action-risk/dist/agent.js", content: "" }],
    ["Write", { file_path: "/home/x/.config/opencode/plugins/action-risk.js", content: "" }],
    ["Bash", { command: "rm ~/.cline/hooks/PreToolUse.sh" }],
    ["Bash", { command: "rm ~/.local/state/action-risk/opinions.ndjson" }],
    ["Write", { file_path: "node_modules/action-risk/rules/releases/digests.json", content: "{}" }]
  ])("hands over a %s of the files that it rests on", async (tool, given) => {
    service.play(opinion("low"))
    expect((await hear("claude-code", inputOf("claude-code", tool, given))).word).toBe("ask")
  })

  it("lets its own files be read", async () => {
    service.play(opinion("low"))
    const given = { file_path: "action-risk.gate.json" }
    expect((await hear("claude-code", inputOf("claude-code", "Read", given))).word).toBe("silence")
  })

  it("names the level, the control, the first reason, the call and the evidence, on one line without secrets", async () => {
    service.play(opinion("high", "HUMAN_REVIEW_RECOMMENDED"))
    const heard = await shell("claude-code", "TOKEN=abc123def\n\u202egit push --force")
    const said = JSON.parse(heard.stdout).hookSpecificOutput.permissionDecisionReason
    for (const part of [
      "high, 90 of 100",
      "HUMAN_REVIEW_RECOMMENDED: ",
      String.raw`call: claude_code.Bash “TOKEN=*****\u000a\u202egit push --force”`,
      `/api/v1/assessments/${exampleResponse.assessment_id}`
    ])
      expect(said).toContain(part)
    expect(said).not.toMatch(/abc123def|\n|\u202e/)
    expect(service.heard[0]?.body).not.toContain("abc123def")
  })

  it("suggests a safer alternative, which agents follow", async () => {
    service.play(opinion("high", "HUMAN_REVIEW_RECOMMENDED"))
    const { stdout } = await shell("claude-code", "git push --force")
    expect(stdout).toContain(`safer: ${exampleResponse.safer_alternatives[0]}`)
  })

  it("leads to the page of the console where the owner said where it is, which a person can open", async () => {
    service.play(opinion("high", "HUMAN_REVIEW_RECOMMENDED"))
    const heard = await hear(
      "claude-code",
      inputOf("claude-code", shells["claude-code"][0], { command: "git push --force" }),
      { ACTION_RISK_CONSOLE_URL: "https://console.example/" }
    )
    const said = JSON.parse(heard.stdout).hookSpecificOutput.permissionDecisionReason
    const { assessment_id, environment_mode } = exampleResponse
    expect(said).toContain(
      `details: https://console.example/${environment_mode}/assessments/${assessment_id}`
    )
    expect(said).not.toContain("/api/v1/")
  })

  it("leads to the page that the owner's file names, and to none of a workspace that can set variables", async () => {
    service.play(opinion("high", "HUMAN_REVIEW_RECOMMENDED"))
    writeFileSync(join(folder, "url"), service.url)
    const reason = async () => {
      const input = inputOf("claude-code", shells["claude-code"][0], { command: "git push --force" })
      const heard = await hear("claude-code", input, { ACTION_RISK_CONSOLE_URL: "https://imitation.example" })
      return JSON.parse(heard.stdout).hookSpecificOutput.permissionDecisionReason
    }
    expect(await reason()).not.toContain("imitation.example")
    writeFileSync(join(folder, "console-url"), "https://console.example/\n")
    expect(await reason()).toContain("details: https://console.example/")
  })

  it("does not send arguments that no entry names", async () => {
    service.play(opinion("low"))
    const given = { file_path: "src/a.ts", content: "confidential content" }
    await hear("claude-code", inputOf("claude-code", "Write", given))
    expect(service.heard[0]?.body).not.toContain("confidential content")
  })

  it("derives the idempotency key from the call, so that asking twice is one assessment", async () => {
    service.play(opinion("low"))
    await shell("claude-code", "ls")
    await shell("claude-code", "ls")
    await hear("claude-code", inputOf("claude-code", "Bash", { command: "ls" }, "toolu_2"))
    const keys = service.heard.map(({ headers }) => headers["idempotency-key"])
    expect([keys[0] === keys[1], keys[1] === keys[2]]).toEqual([true, false])
  })

  it("hands over a command whole, however long, so that a harmless one runs unasked", async () => {
    const command = `cd /srv && echo ${"x".repeat(31_000)} && TOKEN=abc123def rm -rf /`
    service.play(opinion("low"))
    expect((await shell("claude-code", command)).word).toBe("silence")
    const { metadata, target_resource: target } = JSON.parse(service.heard[0]?.body ?? "")
    expect([target, metadata.command]).toEqual([command.slice(0, 240), command.replace("abc123def", "*****")])
    service.play(opinion("critical"))
    expect((await shell("claude-code", command)).word).toBe("deny")
  })

  it.each([
    ["of more than 32,000 characters", "y".repeat(32_001)],
    ["of more bytes than the service reads", "é".repeat(31_999) + "語".repeat(1_000)],
    ["of as many bytes with their escapes", "\u0001".repeat(12_000)]
  ])("has a person asked about a command %s, and names its beginning", async (_, command) => {
    service.play(opinion("low"))
    expect((await shell("claude-code", command)).word).toBe("ask")
    const { metadata, target_resource: target } = JSON.parse(service.heard[0]?.body ?? "")
    expect([target, metadata]).toEqual([command.slice(0, 240), { tool: "Bash" }])
  })

  it("hands over several commands as the lines of a script, and the words of one as a shell reads them", async () => {
    service.play(opinion("low"))
    await hear("cline", inputOf("cline", "run_commands", { commands: ["cd /srv", "git status"] }))
    expect(JSON.parse(service.heard[0]?.body ?? "").target_resource).toBe("cd /srv\ngit status")
    await hear("codex", inputOf("codex", "shell", { command: ["bash", "-lc", "git status"] }))
    expect(JSON.parse(service.heard[1]?.body ?? "").target_resource).toBe("bash -lc 'git status'")
    const given = { commands: [{ command: "rm", args: ["-rf", "/"] }] }
    expect((await hear("cline", inputOf("cline", "run_commands", given))).word).toBe("cancel")
  })

  it("reads the arguments of Copilot as an object or as its text", async () => {
    service.play(opinion("low"))
    await hear("copilot", inputOf("copilot", "bash", '{"command":"ls"}'))
    expect(JSON.parse(service.heard[0]?.body ?? "").target_resource).toBe("ls")
  })
})
