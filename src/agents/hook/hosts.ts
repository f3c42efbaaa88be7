/** The coding agents whose hooks are served: what each says of a call, and the words in which it hears the answer. */

import type { JsonObject } from "../../json/json.ts"
import { isRecord } from "../../json/json.ts"
import { parseStrictly } from "../../json/jsonReader.ts"
import type { Step } from "../GateFile.ts"
import type { OwnTool, ToolCall } from "../questionOfCall.ts"

export interface HookCall extends ToolCall {
  readonly session: string | undefined
  readonly callId: string | undefined
  /** Where the agent works. */
  readonly folder: string | undefined
}

/** The output of the hook. Hosts take standard output for the answer, so it is written once, at the end. */
export interface HookReply {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: 0 | 2
}

/** What a host says after a call. */
export interface EndedCall {
  readonly call: HookCall
  readonly type: "executed" | "failed"
}

export interface Host {
  /** As the service knows the host's tools: `claude_code.Bash`. */
  readonly provider: string
  readonly ownTools: Readonly<Record<string, OwnTool | null>>
  readonly readCall: (input: JsonObject) => HookCall | undefined
  readonly reply: (step: Step, reason: string) => HookReply
  /** Undefined where it does not say that a call has ended. */
  readonly readEnd?: (input: JsonObject) => EndedCall | undefined
}

const resource = (key: string): OwnTool => ({ field: "target_resource", key })
const host = (key: string): OwnTool => ({ field: "destination", key, host: true })

const say = (answer: object): HookReply => ({ stdout: JSON.stringify(answer), stderr: "", exitCode: 0 })

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** Of `mcp__shop__refund`, as mappings name it: `mcp:shop/refund`. */
const mcpTool = (name: string): string | undefined => {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? []
  return server === undefined ? undefined : `mcp:${server}/${tool}`
}

interface NamedCall {
  readonly name: unknown
  readonly input: unknown
  readonly session: unknown
  readonly callId: unknown
  readonly folder: unknown
}

/** Undefined if it names no tool, or if its arguments are not an object: then it is unknown what would be done. */
const callOf = (provider: string, given: NamedCall): HookCall | undefined => {
  const { input, name } = given
  if (typeof name !== "string" || name === "" || !isRecord(input)) return undefined
  const mcp = mcpTool(name)
  return {
    tool: mcp ?? name,
    name: mcp === undefined ? `${provider}.${name}` : name,
    // Invariant: it was read from JSON.
    arguments: input as JsonObject,
    session: textOf(given.session),
    callId: textOf(given.callId),
    folder: textOf(given.folder)
  }
}

/** The input that Claude Code made common: Codex and Gemini CLI took it over. */
const readSnakeCase =
  (provider: string): Host["readCall"] =>
  (input) =>
    callOf(provider, {
      name: input["tool_name"],
      input: input["tool_input"],
      session: input["session_id"],
      callId: input["tool_use_id"],
      folder: input["cwd"]
    })

type HowEnded = EndedCall["type"] | undefined

const readEndBy =
  (readCall: Host["readCall"], how: (input: JsonObject) => HowEnded): NonNullable<Host["readEnd"]> =>
  (input) => {
    const [call, type] = [readCall(input), how(input)]
    return call === undefined || type === undefined ? undefined : { call, type }
  }

/** By the name of the event. */
const byEvent =
  (ends: Readonly<Record<string, EndedCall["type"]>>) =>
  ({ hook_event_name: event }: JsonObject): HowEnded =>
    typeof event === "string" && Object.hasOwn(ends, event) ? ends[event] : undefined

const permission = (word: "ask" | "deny", reason: string): HookReply =>
  say({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: word,
      permissionDecisionReason: reason
    }
  })

const claudeCode: Host = {
  provider: "claude_code",
  ownTools: {
    Bash: resource("command"),
    PowerShell: resource("command"),
    Monitor: resource("command"),
    Edit: resource("file_path"),
    MultiEdit: resource("file_path"),
    Write: resource("file_path"),
    NotebookEdit: resource("notebook_path"),
    Read: resource("file_path"),
    Glob: resource("pattern"),
    Grep: resource("pattern"),
    LS: null,
    WebFetch: host("url"),
    WebSearch: null,
    Task: null,
    Agent: null,
    TodoWrite: null,
    BashOutput: null,
    KillShell: null,
    ExitPlanMode: null,
    EnterPlanMode: null,
    AskUserQuestion: null,
    Skill: null,
    ToolSearch: null
  },
  readCall: readSnakeCase("claude_code"),
  readEnd: readEndBy(
    readSnakeCase("claude_code"),
    byEvent({ PostToolUse: "executed", PostToolUseFailure: "failed" })
  ),
  reply: (step, reason) =>
    step === "no_objection" ? say({}) : permission(step === "ask_person" ? "ask" : "deny", reason)
}

/** `ask` runs the call, so that a person who is to be asked can only be told. */
const codex: Host = {
  provider: "codex",
  ownTools: {
    Bash: resource("command"),
    shell: resource("command"),
    local_shell: resource("command"),
    exec_command: resource("cmd"),
    apply_patch: null,
    read_file: resource("file_path"),
    list_dir: null,
    grep_files: resource("pattern"),
    update_plan: null,
    view_image: resource("path"),
    web_search: null
  },
  readCall: readSnakeCase("codex"),
  readEnd: readEndBy(readSnakeCase("codex"), byEvent({ PostToolUse: "executed" })),
  reply: (step, reason) => (step === "no_objection" ? say({}) : permission("deny", reason))
}

/** `toolArgs` is an object, or in some versions its JSON text. */
const copilotArguments = (given: unknown): unknown => {
  if (typeof given !== "string") return given
  const parsed = parseStrictly(given)
  return "value" in parsed ? parsed.value : undefined
}

const readCopilotCall: Host["readCall"] = (input) =>
  callOf("copilot_cli", {
    name: input["toolName"],
    input: copilotArguments(input["toolArgs"]),
    session: input["sessionId"],
    callId: undefined,
    folder: input["cwd"]
  })

/** A call that was held back has a result, too. */
const copilotEnd = ({ toolResult: result }: JsonObject): HowEnded => {
  const type = isRecord(result) ? result["resultType"] : undefined
  if (type === "success") return "executed"
  return type === "failure" || type === "error" ? "failed" : undefined
}

const copilot: Host = {
  provider: "copilot_cli",
  ownTools: {
    bash: resource("command"),
    powershell: resource("command"),
    create: resource("path"),
    edit: resource("path"),
    view: resource("path"),
    grep: resource("pattern"),
    rg: resource("pattern"),
    glob: resource("pattern"),
    web_fetch: host("url"),
    report_intent: null,
    update_todo: null,
    read_bash: null,
    stop_bash: null,
    ask_user: null
  },
  readCall: readCopilotCall,
  readEnd: readEndBy(readCopilotCall, copilotEnd),
  reply: (step, reason) =>
    step === "no_objection"
      ? say({})
      : say({ permissionDecision: step === "ask_person" ? "ask" : "deny", permissionDecisionReason: reason })
}

const geminiEnd = ({ hook_event_name: event, tool_response: response }: JsonObject): HowEnded => {
  if (event !== "AfterTool") return undefined
  const error = isRecord(response) ? response["error"] : undefined
  return error === undefined || error === null ? "executed" : "failed"
}

/** `ask` is not used: it waits for ever if no person is there. Silence is no objection. */
const gemini: Host = {
  provider: "gemini_cli",
  ownTools: {
    run_shell_command: resource("command"),
    write_file: resource("file_path"),
    replace: resource("file_path"),
    read_file: resource("file_path"),
    list_directory: null,
    glob: resource("pattern"),
    grep_search: resource("pattern"),
    search_file_content: resource("pattern"),
    read_many_files: null,
    web_fetch: null,
    google_web_search: null,
    save_memory: null,
    write_todos: null
  },
  readCall: readSnakeCase("gemini_cli"),
  readEnd: readEndBy(readSnakeCase("gemini_cli"), geminiEnd),
  reply: (step, reason) =>
    step === "no_objection" ? { stdout: "", stderr: "", exitCode: 0 } : say({ decision: "deny", reason })
}

const readOpenCodeCall: Host["readCall"] = (input) =>
  callOf("opencode", {
    name: input["tool"],
    input: input["args"],
    session: input["sessionID"],
    callId: input["callID"],
    folder: input["directory"]
  })

/** Our plugin hears nothing but `{}` as silence, and throws whatever else it is told: that is OpenCode's only way to stop a call. */
const opencode: Host = {
  provider: "opencode",
  ownTools: {
    bash: resource("command"),
    edit: resource("filePath"),
    write: resource("filePath"),
    read: resource("filePath"),
    glob: resource("pattern"),
    grep: resource("pattern"),
    list: resource("path"),
    webfetch: host("url"),
    apply_patch: null,
    websearch: null,
    codesearch: null,
    task: null,
    todowrite: null,
    todoread: null,
    question: null,
    skill: null
  },
  readCall: readOpenCodeCall,
  // Its plugin hears only of calls that ran.
  readEnd: readEndBy(readOpenCodeCall, byEvent({ "tool.execute.after": "executed" })),
  reply: (step, reason) =>
    step === "no_objection" ? say({}) : { stdout: "", stderr: `${reason}\n`, exitCode: 2 }
}

/** `review` runs the call, so that a person who is to be asked can only be told. Exit codes say nothing to it. */
const cline: Host = {
  provider: "cline",
  ownTools: {
    run_commands: resource("commands"),
    editor: resource("path"),
    apply_patch: null,
    read_files: null,
    search_codebase: null,
    fetch_web_content: null,
    skills: null,
    ask_question: null,
    submit_and_exit: null
  },
  readCall: (input) => {
    const call = isRecord(input["tool_call"]) ? input["tool_call"] : {}
    const roots = Array.isArray(input["workspaceRoots"]) ? input["workspaceRoots"] : []
    return callOf("cline", {
      name: call["name"],
      input: call["input"],
      session: input["taskId"],
      callId: call["id"],
      folder: roots[0]
    })
  },
  reply: (step, reason) => (step === "no_objection" ? say({}) : say({ cancel: true, errorMessage: reason }))
}

export const hosts = {
  "claude-code": claudeCode,
  codex,
  copilot,
  gemini,
  opencode,
  cline
} as const satisfies Record<string, Host>
export type HostName = keyof typeof hosts
export const isHostName = (name: string | undefined): name is HostName =>
  name !== undefined && Object.hasOwn(hosts, name)
