/** Calls from the hosts' documentation, sources and programs: the request to the service, and the exact answer to each host. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type HostName, hosts } from "../../../src/agents/hook/hosts.ts"
import { runHook } from "../../../src/agents/hook/runHook.ts"
import { exampleResponse } from "../../../src/api/examples/examples.ts"
import { type ScriptedService, scriptedService } from "../../support/scriptedService.ts"

let service: ScriptedService
const folder = mkdtempSync(join(tmpdir(), "action-risk-documented-"))
beforeAll(async () => {
  service = await scriptedService()
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => answer("moderate"))

const answer = (level: string) =>
  service.play((response) => {
    const body = {
      ...exampleResponse,
      action_risk: { ...exampleResponse.action_risk, level },
      recommended_control: {
        ...exampleResponse.recommended_control,
        type: "NO_ADDITIONAL_CONTROL_RECOMMENDED"
      }
    }
    response.writeHead(200, { "svc-risk-opinion": "full" }).end(JSON.stringify(body))
  })

const hear = (host: HostName, input: unknown, key = "svc_test_x") => {
  async function* bytes() {
    yield Buffer.from(JSON.stringify(input))
  }
  return runHook(host, bytes(), { folder, env: { ACTION_RISK_URL: service.url, ACTION_RISK_KEY: key } })
}

const heardOf = () => {
  const {
    action_type: type,
    destination,
    metadata,
    target_resource: target
  } = JSON.parse(service.heard.at(-1)?.body ?? "{}")
  return [metadata.tool, type, target ?? destination]
}

const cursor = {
  conversation_id: "c1",
  generation_id: "g1",
  model: "m",
  session_id: "c1",
  cursor_version: "3.15.6",
  workspace_roots: ["/project"],
  user_email: null,
  transcript_path: null
}
const vscode = {
  timestamp: "2026-02-09T10:30:00.000Z",
  hookEventName: "PreToolUse",
  sessionId: "session-identifier",
  transcript_path: "/path/to/transcript.json",
  cwd: "/path/to/workspace",
  tool_use_id: "tool-123"
}
const windsurf = { trajectory_id: "t1", execution_id: "e1", timestamp: "2026-02-09T10:30:00Z" }
const droid = {
  session_id: "s",
  transcript_path: "/x.jsonl",
  cwd: "/project",
  permission_mode: "auto-low",
  hook_event_name: "PreToolUse"
}

/** Host, payload, and the request to the service: the tool, its name, and the argument that says what it does. */
const calls: ReadonlyArray<readonly [HostName, object, readonly [string, string, string | undefined]]> = [
  [
    "cursor",
    { ...cursor, hook_event_name: "beforeShellExecution", command: "npm i", cwd: "/project", sandbox: false },
    ["Shell", "cursor_agent.Shell", "npm i"]
  ],
  [
    "cursor",
    {
      ...cursor,
      hook_event_name: "beforeMCPExecution",
      tool_name: "query",
      tool_input: '{"sql":"SELECT 1"}',
      mcp_server_name: "db",
      command: "npx db-mcp"
    },
    ["mcp:db/query", "mcp__db__query", undefined]
  ],
  [
    "cursor",
    { ...cursor, hook_event_name: "beforeMCPExecution", tool_name: "Read", tool_input: {}, url: "http://x" },
    ["MCP:Read", "cursor_agent.MCP:Read", undefined]
  ],
  [
    "cursor",
    {
      ...cursor,
      hook_event_name: "preToolUse",
      tool_name: "Write",
      tool_input: { file_path: "/project/a.ts", content: "x" },
      tool_use_id: "u1"
    },
    ["Write", "cursor_agent.Write", "/project/a.ts"]
  ],
  [
    "vscode",
    { ...vscode, tool_name: "run_in_terminal", tool_input: { command: "npm i", isBackground: false } },
    ["run_in_terminal", "vscode.run_in_terminal", "npm i"]
  ],
  [
    "copilot",
    { ...vscode, tool_name: "create_file", tool_input: { filePath: "/project/a.ts", content: "x" } },
    ["create_file", "vscode.create_file", "/project/a.ts"]
  ],
  [
    "generic --reply exit2",
    {
      ...windsurf,
      agent_action_name: "pre_run_command",
      tool_info: { command_line: "npm i", cwd: "/project" }
    },
    ["pre_run_command", "coding_agent.pre_run_command", "npm i"]
  ],
  [
    "generic --reply exit2",
    {
      ...windsurf,
      agent_action_name: "pre_write_code",
      tool_info: { file_path: "/project/a.ts", edits: [] }
    },
    ["pre_write_code", "coding_agent.pre_write_code", "/project/a.ts"]
  ],
  [
    "generic --reply exit2",
    {
      ...windsurf,
      agent_action_name: "pre_mcp_tool_use",
      tool_info: { mcp_server_name: "db", mcp_tool_name: "query", mcp_tool_arguments: { sql: "SELECT 1" } }
    },
    ["mcp:db/query", "mcp__db__query", undefined]
  ],
  [
    "generic --reply exit2",
    {
      event: "PreToolUse",
      session_id: "abc-123",
      matcher_context: "developer__shell",
      tool_name: "developer__shell",
      tool_input: { command: "rg TODO" },
      working_dir: "/project",
      tool_call_id: "1"
    },
    ["developer__shell", "coding_agent.developer__shell", "rg TODO"]
  ],
  [
    "generic --reply exit2",
    {
      hook_event_name: "preToolUse",
      cwd: "/project",
      tool_name: "execute_bash",
      tool_input: { command: "npm i" }
    },
    ["execute_bash", "coding_agent.execute_bash", "npm i"]
  ],
  [
    "generic --reply exit2",
    {
      ...droid,
      tool_name: "Execute",
      tool_input: { command: "npm i", summary: "x", riskLevel: "low", timeout: 60 }
    },
    ["Execute", "coding_agent.Execute", "npm i"]
  ],
  [
    "generic --reply claude",
    {
      ...droid,
      permission_mode: "yolo",
      prompt_id: "p",
      tool_name: "run_shell_command",
      tool_input: { command: "npm i", description: "x", is_background: false },
      tool_use_id: "toolu_1",
      tool_call_id: "call_1"
    },
    ["run_shell_command", "coding_agent.run_shell_command", "npm i"]
  ],
  [
    "generic --reply deny-json",
    {
      toolCall: { name: "run_command", args: { CommandLine: "npm i" } },
      workspacePaths: ["/project"],
      conversationId: "c",
      stepIdx: 1
    },
    ["run_command", "coding_agent.run_command", "npm i"]
  ]
]

describe("a call in its host's format", () => {
  it.each(calls)("is asked about by what it does: %s %j", async (host, input, asked) => {
    await hear(host, input)
    expect(heardOf()).toEqual(asked)
  })

  it.each([
    ["beforeShellExecution", "ask"],
    ["beforeMCPExecution", "deny"],
    ["preToolUse", "deny"]
  ])("makes Cursor ask a person only where Cursor does so: %s", async (event, word) => {
    const call = { command: "ls", tool_name: "Write", tool_input: { file_path: "a" } }
    const { stdout } = await hear("cursor", { ...cursor, ...call, hook_event_name: event })
    expect(JSON.parse(stdout).permission).toBe(word)
    answer("critical")
    expect(
      JSON.parse((await hear("cursor", { ...cursor, ...call, hook_event_name: event })).stdout).permission
    ).toBe("deny")
  })

  it.each(["afterShellExecution", "stop", "constructor", "beforeReadFile", undefined])(
    "of an event that is not asked about is denied in Cursor: %s",
    async (event) => {
      const { stdout } = await hear("cursor", { ...cursor, command: "ls", hook_event_name: event })
      expect(JSON.parse(stdout).permission).toBe("deny")
    }
  )

  it("is answered in the formats of Copilot CLI and VS Code at once", async () => {
    const { stdout } = await hear("copilot", {
      ...vscode,
      tool_name: "run_in_terminal",
      tool_input: { command: "ls" }
    })
    const { hookSpecificOutput, ...top } = JSON.parse(stdout)
    expect(hookSpecificOutput).toEqual({ hookEventName: "PreToolUse", ...top })
    expect(top.permissionDecision).toBe("ask")
  })
})

/** Members that hosts read or write, with arbitrary values. */
const anything = fc.dictionary(
  fc.constantFrom(
    ..."tool_name tool_input toolName toolArgs tool args tool_call toolCall hook_event_name agent_action_name tool_info command mcp_server_name permission permissionDecision decision hookSpecificOutput cancel".split(
      " "
    )
  ),
  fc.oneof(
    fc.constantFrom(
      "allow",
      "approve",
      "Bash",
      "beforeShellExecution",
      "preToolUse",
      "pre_run_command",
      "{}"
    ),
    fc.record({ name: fc.string(), args: fc.object(), input: fc.object() }, { requiredKeys: [] }),
    fc.jsonValue()
  )
)

describe.each(Object.keys(hosts) as ReadonlyArray<HostName>)("whatever %s is given", (host) => {
  const silent = hosts[host].reply("no_objection", "")

  it("no answer says allow, and without an opinion the answer is never silence", async () => {
    answer("low")
    await fc.assert(
      fc.asyncProperty(anything, async (input) => {
        const [reply, without] = [await hear(host, input), await hear(host, input, "")]
        for (const { stdout } of [reply, without])
          expect(stdout).not.toMatch(/"(?:permission|permissionDecision|decision|action)":"(?!ask|deny)/)
        expect(without).not.toEqual(silent)
        expect(without.exitCode === 2 || without.stdout !== "").toBe(true)
      }),
      { numRuns: 40 }
    )
  })
})
