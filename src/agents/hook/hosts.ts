/** The supported coding agents: how each describes a call, and the format in which it expects the answer. */

import type { JsonObject } from "../../json/json.ts"
import { isRecord } from "../../json/json.ts"
import { parseStrictly } from "../../json/jsonReader.ts"
import type { Step } from "../GateFile.ts"
import type { ToolCall } from "../questionOfCall.ts"
import { ownTools, type OwnTools } from "./ownTools.ts"

export interface HookCall extends ToolCall {
  readonly session: string | undefined
  readonly callId: string | undefined
  /** The folder in which the agent works. */
  readonly folder: string | undefined
  /** For a host that can ask a person only about some of its calls. */
  readonly canAsk?: boolean
}

/** The output of the hook. Hosts read the answer from standard output, so it is written once, at the end. */
export interface HookReply {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: 0 | 2
}

/** A host's report after a call. */
export interface EndedCall {
  readonly call: HookCall
  readonly type: "executed" | "failed"
}

type ReadCall = (input: JsonObject) => HookCall | undefined
/** `call`: undefined if the call was not understood. */
type Reply = (step: Step, reason: string, call?: HookCall) => HookReply

export interface Host {
  readonly ownTools: OwnTools
  readonly readCall: ReadCall
  readonly reply: Reply
  /** Undefined if the input does not say that a call ended. */
  readonly readEnd?: (input: JsonObject) => EndedCall | undefined
}

const say = (answer: object): HookReply => ({ stdout: JSON.stringify(answer), stderr: "", exitCode: 0 })

/** For a host that can only be silent or refuse. Each host has its own form of silence. */
const refusing =
  (silence: string): Reply =>
  (step, reason) =>
    step === "no_objection"
      ? { stdout: silence, stderr: "", exitCode: 0 }
      : { stdout: "", stderr: `${reason}\n`, exitCode: 2 }

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined)

interface NamedCall {
  readonly name: unknown
  readonly input: unknown
  readonly session: unknown
  readonly callId?: unknown
  readonly folder: unknown
  /** The MCP server of the tool, if it is not part of the name. */
  readonly server?: unknown
}

/** `mcp__shop__refund` is `mcp:shop/refund` in mappings. */
const mcpName = /^mcp__(.+?)__(.+)$/

/** Undefined if the input names no tool, or if the arguments are not an object, because then it is unknown what would be done. */
const callOf = (provider: string, given: NamedCall): HookCall | undefined => {
  const { input, name: plain, server } = given
  if (typeof plain !== "string" || plain === "" || !isRecord(input)) return undefined
  const name = textOf(server) === undefined ? plain : `mcp__${server}__${plain}`
  const [, of, tool] = mcpName.exec(name) ?? []
  return {
    tool: of === undefined ? name : `mcp:${of}/${tool}`,
    name: of === undefined ? `${provider}.${name}` : name,
    // Invariant: it was parsed from JSON.
    arguments: input as JsonObject,
    session: textOf(given.session),
    callId: textOf(given.callId),
    folder: textOf(given.folder)
  }
}

/** The input format introduced by Claude Code. Codex, Gemini CLI, VS Code, Goose and others adopted it, some with names of their own. */
const readSnakeCase =
  (provider: string): ReadCall =>
  (input) =>
    callOf(provider, {
      name: input["tool_name"],
      input: input["tool_input"],
      session: input["session_id"] ?? input["sessionId"],
      callId: input["tool_use_id"] ?? input["tool_call_id"],
      folder: input["cwd"] ?? input["working_dir"]
    })

type HowEnded = EndedCall["type"] | undefined

const readEndBy =
  (readCall: ReadCall, how: (input: JsonObject) => HowEnded): NonNullable<Host["readEnd"]> =>
  (input) => {
    const [call, type] = [readCall(input), how(input)]
    return call === undefined || type === undefined ? undefined : { call, type }
  }

/** Looks up how the call ended by the name of the event. */
const byEvent =
  (ends: Readonly<Record<string, EndedCall["type"]>>) =>
  ({ hook_event_name: event }: JsonObject): HowEnded =>
    typeof event === "string" && Object.hasOwn(ends, event) ? ends[event] : undefined

const permission = (step: Step, reason: string) => ({
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: step === "ask_person" ? "ask" : "deny",
    permissionDecisionReason: reason
  }
})

const claudeCode: Host = {
  ownTools: ownTools.claudeCode,
  readCall: readSnakeCase("claude_code"),
  readEnd: readEndBy(
    readSnakeCase("claude_code"),
    byEvent({ PostToolUse: "executed", PostToolUseFailure: "failed" })
  ),
  reply: (step, reason) => say(step === "no_objection" ? {} : permission(step, reason))
}

/** Codex runs the call on `ask`, so the call is refused instead, and the reason tells the person. */
const codex: Host = {
  ownTools: ownTools.codex,
  readCall: readSnakeCase("codex"),
  readEnd: readEndBy(readSnakeCase("codex"), byEvent({ PostToolUse: "executed" })),
  reply: (step, reason) => say(step === "no_objection" ? {} : permission("refuse", reason))
}

/** Arguments as an object or, in some versions of some hosts, as its JSON text. */
const objectOrText = (given: unknown): unknown => {
  if (typeof given !== "string") return given
  const parsed = parseStrictly(given)
  return "value" in parsed ? parsed.value : undefined
}

/** The same hooks file is read by Copilot CLI, whose calls have a `toolName`, and by VS Code. */
const readCopilotCall: ReadCall = (input) =>
  input["toolName"] === undefined
    ? readSnakeCase("vscode")(input)
    : callOf("copilot_cli", {
        name: input["toolName"],
        input: objectOrText(input["toolArgs"]),
        session: input["sessionId"],
        folder: input["cwd"]
      })

/** A call that was held back also has a result. */
const copilotEnd = ({ hookEventName: event, toolResult: result }: JsonObject): HowEnded => {
  // VS Code sends this event only for calls that succeeded.
  if (event === "PostToolUse") return "executed"
  const type = isRecord(result) ? result["resultType"] : undefined
  if (type === "success") return "executed"
  return type === "failure" || type === "error" ? "failed" : undefined
}

const copilot: Host = {
  ownTools: ownTools.copilot,
  readCall: readCopilotCall,
  readEnd: readEndBy(readCopilotCall, copilotEnd),
  // Copilot CLI reads the top-level members, VS Code the nested ones.
  reply: (step, reason) => {
    const { hookSpecificOutput: output } = permission(step, reason)
    const { hookEventName: _, ...words } = output
    return say(step === "no_objection" ? {} : { ...words, hookSpecificOutput: output })
  }
}

const geminiEnd = ({ hook_event_name: event, tool_response: response }: JsonObject): HowEnded => {
  if (event !== "AfterTool") return undefined
  const error = isRecord(response) ? response["error"] : undefined
  return error === undefined || error === null ? "executed" : "failed"
}

/** Does not use `ask`, which waits forever if no person is there. Silence means no objection. */
const gemini: Host = {
  ownTools: ownTools.gemini,
  readCall: readSnakeCase("gemini_cli"),
  readEnd: readEndBy(readSnakeCase("gemini_cli"), geminiEnd),
  reply: (step, reason) =>
    step === "no_objection" ? { stdout: "", stderr: "", exitCode: 0 } : say({ decision: "deny", reason })
}

const readOpenCodeCall: ReadCall = (input) =>
  callOf("opencode", {
    name: input["tool"],
    input: input["args"],
    session: input["sessionID"],
    callId: input["callID"],
    folder: input["directory"]
  })

/** Our plugin treats only `{}` as silence and throws on any other output, which is the only way to stop a call in OpenCode. */
const opencode: Host = {
  ownTools: ownTools.opencode,
  readCall: readOpenCodeCall,
  // OpenCode calls the plugin only for calls that ran.
  readEnd: readEndBy(readOpenCodeCall, byEvent({ "tool.execute.after": "executed" })),
  reply: refusing("{}")
}

/** Cline runs the call on `review`, so the call is refused instead, and the reason tells the person. Cline ignores exit codes. */
const cline: Host = {
  ownTools: ownTools.cline,
  readCall: (input) => {
    const call = isRecord(input["tool_call"]) ? input["tool_call"] : {}
    return callOf("cline", {
      name: call["name"],
      input: call["input"],
      session: input["taskId"],
      callId: call["id"],
      folder: firstOf(input["workspaceRoots"])
    })
  },
  reply: (step, reason) => say(step === "no_objection" ? {} : { cancel: true, errorMessage: reason })
}

const cursorCall = (
  input: JsonObject,
  call: Pick<NamedCall, "name" | "input" | "server">
): HookCall | undefined =>
  callOf("cursor_agent", {
    ...call,
    session: input["conversation_id"],
    callId: input["tool_use_id"],
    folder: firstOf(input["workspace_roots"]) ?? input["cwd"]
  })

/** Cursor has separate events for commands and for tools of MCP servers. */
const cursorShell: ReadCall = (input) => {
  const { command } = input
  return typeof command === "string" ? cursorCall(input, { name: "Shell", input: { command } }) : undefined
}

const cursorMcp: ReadCall = (input) => {
  const { mcp_server_name: server, tool_input: given, tool_name: tool } = input
  // If the server's name is missing, its tool must not pass for one of Cursor's own.
  const name = textOf(server) === undefined && typeof tool === "string" ? `MCP:${tool}` : tool
  return cursorCall(input, { name, server, input: objectOrText(given) })
}

const cursorTool: ReadCall = (input) =>
  cursorCall(input, { name: input["tool_name"], input: input["tool_input"] })

const readByEvent =
  (readers: Readonly<Record<string, ReadCall>>): ReadCall =>
  (input) => {
    const event = input["hook_event_name"]
    return typeof event === "string" && Object.hasOwn(readers, event) ? readers[event]?.(input) : undefined
  }

/** Cursor asks a person on `ask` only before commands. Before other calls it ignores `ask` and runs the call. */
const cursor: Host = {
  ownTools: ownTools.cursor,
  readCall: readByEvent({
    beforeShellExecution: (input) => {
      const call = cursorShell(input)
      return call && { ...call, canAsk: true }
    },
    beforeMCPExecution: cursorMcp,
    preToolUse: cursorTool
  }),
  readEnd: readEndBy(
    readByEvent({
      afterShellExecution: cursorShell,
      afterMCPExecution: cursorMcp,
      postToolUse: cursorTool,
      postToolUseFailure: cursorTool
    }),
    byEvent({
      afterShellExecution: "executed",
      afterMCPExecution: "executed",
      postToolUse: "executed",
      postToolUseFailure: "failed"
    })
  ),
  reply: (step, reason, call) => {
    if (step === "no_objection") return say({})
    const word = step === "ask_person" && call?.canAsk === true ? "ask" : "deny"
    return say({ permission: word, user_message: reason, agent_message: reason })
  }
}

/** Windsurf and Antigravity have their own formats; the other hosts without a row here adopted Claude Code's. */
const readGenericCall: ReadCall = (input) => {
  const { agent_action_name: action, tool_info: info, toolCall: call } = input
  const windsurf = { session: input["trajectory_id"], folder: isRecord(info) ? info["cwd"] : undefined }
  if (action === "pre_mcp_tool_use" && isRecord(info))
    return callOf("coding_agent", {
      name: info["mcp_tool_name"],
      server: info["mcp_server_name"],
      input: info["mcp_tool_arguments"],
      ...windsurf
    })
  if (action !== undefined) return callOf("coding_agent", { name: action, input: info, ...windsurf })
  if (!isRecord(call)) return readSnakeCase("coding_agent")(input)
  return callOf("coding_agent", {
    name: call["name"],
    input: call["args"],
    session: input["conversationId"],
    folder: firstOf(input["workspacePaths"])
  })
}

const generic = (reply: Reply): Host => ({
  ownTools: ownTools.generic,
  readCall: readGenericCall,
  reply
})

/** The hosts, by the name after `hook run`. */
export const hosts = {
  "claude-code": claudeCode,
  codex,
  copilot,
  vscode: copilot,
  gemini,
  opencode,
  cline,
  cursor,
  "generic --reply exit2": generic(refusing("")),
  "generic --reply claude": generic(claudeCode.reply),
  "generic --reply deny-json": generic(gemini.reply)
} as const satisfies Record<string, Host>
export type HostName = keyof typeof hosts

export const hostNamed = (name: string | undefined, reply: string | undefined): HostName | undefined => {
  const words = name === "generic" ? `generic --reply ${reply}` : name
  return words !== undefined && Object.hasOwn(hosts, words) ? (words as HostName) : undefined
}

/** A host whose settings this program does not write. */
export type GenericHost = Extract<HostName, `generic ${string}`>
export const isGeneric = (host: HostName): host is GenericHost => host.startsWith("generic ")
