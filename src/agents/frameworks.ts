/** The gate for agent frameworks that let a program ask before a tool call. No adapter throws, returns `undefined`, or ever says "allow". */

import { isRecord } from "../json/json.ts"
import { hostTimeoutSeconds } from "../limits.ts"
import { runHook } from "./hook/runHook.ts"
import { ownerFolder, processEnvironment } from "./settings.ts"
import { type ToolGate, toolGate, type ToolGateOptions } from "./toolGate.ts"

export { toolGate, type ToolGate, type ToolGateOptions }

/** Whether the tool's own setting requires a person. A setting that throws counts as yes. */
const asksItself = async (ask: unknown, ...words: ReadonlyArray<unknown>): Promise<boolean> => {
  try {
    return typeof ask === "function" ? (await ask(...words)) !== false : ask === true
  } catch {
    return true
  }
}

const objection = (reason: string): string => `Not called. ${reason}`

interface AiSdkCall {
  readonly toolCall: { readonly toolName: string; readonly toolCallId: string; readonly input: unknown }
  readonly tools: unknown
  readonly messages: ReadonlyArray<unknown>
  readonly toolsContext?: unknown
}

type AiSdkStep =
  | { readonly type: "not-applicable" }
  | { readonly type: "denied" | "user-approval"; readonly reason: string }

/** For `toolApproval` of the AI SDK. Its answer replaces a tool's own `needsApproval`, so that is asked here too. */
export const aiSdkGate =
  (gate: ToolGate) =>
  async ({ messages, toolCall, tools, toolsContext }: AiSdkCall): Promise<AiSdkStep> => {
    const { input, toolCallId, toolName } = toolCall
    const { reason, step } = await gate.check({ tool: toolName, input, callId: toolCallId })
    if (step === "refuse") return { type: "denied", reason }
    if (step === "ask_person") return { type: "user-approval", reason }
    const tool = isRecord(tools) ? tools[toolName] : undefined
    const context = isRecord(toolsContext) ? toolsContext[toolName] : undefined
    const own = isRecord(tool) ? tool["needsApproval"] : undefined
    return (await asksItself(own, input, { toolCallId, messages, context }))
      ? { type: "user-approval", reason: "the tool asks for a person by itself" }
      : { type: "not-applicable" }
  }

interface OpenAiTool {
  readonly type: string
  readonly name: string
}

/** Wraps the tools of an OpenAI agent. `needsApproval` asks a person. A refused call is not made, even if a person approves it. */
export const openAiAgentsGate = <A extends OpenAiTool>(
  gate: ToolGate,
  tools: ReadonlyArray<A>
): ReadonlyArray<A> =>
  tools.map((tool) => {
    const { invoke, needsApproval } = tool as { invoke?: unknown; needsApproval?: unknown }
    if (typeof invoke !== "function") return tool
    const gated = {
      needsApproval: async (context: unknown, input: unknown, callId?: string) => {
        const { step } = await gate.check({ tool: tool.name, input, callId })
        return step !== "no_objection" || (await asksItself(needsApproval, context, input, callId))
      },
      invoke: async (context: unknown, input: unknown, details?: unknown) => {
        const call = isRecord(details) && isRecord(details["toolCall"]) ? details["toolCall"] : {}
        const callId = typeof call["callId"] === "string" ? call["callId"] : undefined
        const { reason, step } = await gate.check({ tool: tool.name, input: asObject(input), callId })
        return step === "refuse" ? objection(reason) : invoke(context, input, details)
      }
    }
    return { ...tool, ...gated }
  })

/** The SDK asks about the parsed arguments and invokes with their text; both are one question. */
const asObject = (input: unknown): unknown => {
  if (typeof input !== "string") return input
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

interface LangChainCall {
  readonly toolCall: { readonly name: string; readonly args: unknown; readonly id?: string | undefined }
}

interface InterruptOn {
  allowedDecisions: Array<"approve" | "reject">
  when: (request: LangChainCall) => Promise<boolean>
  description: (toolCall: LangChainCall["toolCall"]) => Promise<string>
}

interface LangChainGate<Message> {
  /** For `humanInTheLoopMiddleware`. */
  readonly interruptOn: Record<string, InterruptOn>
  /** For `createMiddleware`. */
  readonly wrapToolCall: <Request extends LangChainCall, Result>(
    request: Request,
    handler: (request: Request) => Promise<Result> | Result
  ) => Promise<Result | Message>
}

/**
 * Options for two middlewares of a LangChain agent. The listed tools ask a person. A refused call is not made, nor is a call for which no
 * person could be asked. The caller passes LangChain's `ToolMessage`, so that this package does not depend on LangChain.
 */
export const langChainGate = <Message>(
  gate: ToolGate,
  tools: ReadonlyArray<{ readonly name: string }>,
  ToolMessage: new (fields: { content: string; tool_call_id: string; status: "error" }) => Message
): LangChainGate<Message> => {
  const check = ({ toolCall: { args, id, name } }: LangChainCall) =>
    gate.check({ tool: name, input: args, callId: id })
  const listed = new Set(tools.map(({ name }) => name))
  const asks: InterruptOn = {
    allowedDecisions: ["approve", "reject"],
    when: async (request) => (await check(request)).step === "ask_person",
    description: async (toolCall) => (await check({ toolCall })).reason
  }
  return {
    interruptOn: Object.fromEntries([...listed].map((name) => [name, asks])),
    wrapToolCall: async (request, handler) => {
      const { reason, step } = await check(request)
      const { id = "", name } = request.toolCall
      if (step === "no_objection" || (step === "ask_person" && listed.has(name))) return handler(request)
      return new ToolMessage({ content: objection(reason), tool_call_id: id, status: "error" })
    }
  }
}

/** For `requireToolApproval` of Mastra. Also respects a tool's own requirement. Mastra cannot refuse, so a refusal asks a person too. */
export const mastraGate =
  (gate: ToolGate) =>
  async ({ args, toolCallId, toolName }: MastraCall): Promise<boolean> =>
    (await gate.check({ tool: toolName, input: args, callId: toolCallId })).step !== "no_objection"

interface MastraCall {
  readonly toolName: string
  readonly args: Readonly<Record<string, unknown>>
  readonly toolCallId?: string
}

/** For `hooks` of the Claude Agent SDK: `ask_person` calls its `canUseTool`, even for tools that are allowed in advance. */
export const claudeAgentGate = ({
  env = processEnvironment,
  folder = ownerFolder(env)
}: Partial<ToolGateOptions> = {}) => {
  const hook = async (input: unknown): Promise<Record<string, unknown>> => {
    const { stdout } = await runHook("claude-code", bytesOf(input), { env, folder })
    return JSON.parse(stdout)
  }
  return { PreToolUse: [{ hooks: [hook], timeout: hostTimeoutSeconds, onFailure: "block" as const }] }
}

async function* bytesOf(input: unknown) {
  yield new TextEncoder().encode(JSON.stringify(input))
}
