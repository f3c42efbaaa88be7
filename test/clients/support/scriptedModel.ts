/** A model on loopback that asks for one command and then finishes, in the four protocols of the programs. */

import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Wanted {
  /** The name of the tool. */
  readonly tool: string
  /** In which Codex has the tools of an MCP server, and all of them in its code mode. */
  readonly namespace?: string
  /** The arguments; a string for tools that take one from Codex. */
  readonly input: Readonly<Record<string, unknown>> | string
  /** The next call, made from the result. */
  readonly next?: (heard: string) => Wanted
}

export interface ScriptedModel {
  readonly url: string
  /** Whether the model has called a tool since the last order. */
  readonly called: () => boolean
  /** What the program sent back after the call: the whole conversation as text. Empty if nothing. */
  readonly heard: () => string
  /** From now on: the first of these whose tool the program offers. */
  readonly want: (wanted: ReadonlyArray<Wanted>) => void
  readonly close: () => Promise<void>
}

/** A call, or a text. */
type Turn = Wanted | string

type Reply = (response: ServerResponse, turn: Turn) => void

const events = (response: ServerResponse, list: ReadonlyArray<readonly [string | null, unknown]>): void => {
  response.writeHead(200, { "content-type": "text/event-stream" })
  for (const [name, data] of list)
    response.write(
      `${name === null ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`
    )
  response.end()
}

const usage = { input_tokens: 1, output_tokens: 1 }

const anthropic: Reply = (response, turn) => {
  const block =
    typeof turn === "string"
      ? { type: "text", text: "" }
      : { type: "tool_use", id: "toolu_1", name: turn.tool, input: {} }
  const delta =
    typeof turn === "string"
      ? { type: "text_delta", text: turn }
      : { type: "input_json_delta", partial_json: JSON.stringify(turn.input) }
  const message = { id: "msg_1", type: "message", role: "assistant", model: "scripted", content: [], usage }
  const stop = { stop_reason: typeof turn === "string" ? "end_turn" : "tool_use", stop_sequence: null }
  events(response, [
    ["message_start", { type: "message_start", message: { ...message, stop_reason: null } }],
    ["content_block_start", { type: "content_block_start", index: 0, content_block: block }],
    ["content_block_delta", { type: "content_block_delta", index: 0, delta }],
    ["content_block_stop", { type: "content_block_stop", index: 0 }],
    ["message_delta", { type: "message_delta", delta: stop, usage }],
    ["message_stop", { type: "message_stop" }]
  ])
}

const responses: Reply = (response, turn) => {
  const item =
    typeof turn === "string"
      ? {
          type: "message",
          id: "msg_1",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: turn, annotations: [] }]
        }
      : {
          ...(typeof turn.input === "string"
            ? { type: "custom_tool_call", input: turn.input }
            : { type: "function_call", arguments: JSON.stringify(turn.input) }),
          id: `fc_${turn.tool}`,
          call_id: `call_${turn.tool}`,
          ...(turn.namespace !== undefined && { namespace: turn.namespace }),
          name: turn.tool,
          status: "completed"
        }
  const whole = {
    id: "resp_1",
    object: "response",
    status: "completed",
    output: [item],
    usage: { ...usage, total_tokens: 2 }
  }
  events(response, [
    ["response.created", { type: "response.created", response: { ...whole, output: [] } }],
    ["response.output_item.added", { type: "response.output_item.added", output_index: 0, item }],
    ["response.output_item.done", { type: "response.output_item.done", output_index: 0, item }],
    ["response.completed", { type: "response.completed", response: whole }]
  ])
}

const chat: Reply = (response, turn) => {
  const call =
    typeof turn === "string"
      ? { content: turn }
      : {
          tool_calls: [
            {
              index: 0,
              id: "call_1",
              type: "function",
              function: { name: turn.tool, arguments: JSON.stringify(turn.input) }
            }
          ]
        }
  const chunk = (delta: object, reason: string | null) => ({
    id: "chat_1",
    object: "chat.completion.chunk",
    created: 1,
    model: "scripted",
    choices: [{ index: 0, delta, finish_reason: reason }]
  })
  events(response, [
    [null, chunk({ role: "assistant", ...call }, null)],
    [null, chunk({}, typeof turn === "string" ? "stop" : "tool_calls")],
    [null, "[DONE]"]
  ])
}

const gemini: Reply = (response, turn) => {
  const part =
    typeof turn === "string"
      ? { text: turn }
      : { functionCall: { name: turn.tool, args: turn.input, id: "call_1" } }
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 }
  events(response, [
    [
      null,
      {
        candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
        usageMetadata
      }
    ]
  ])
}

const dialects: ReadonlyArray<readonly [RegExp, Reply]> = [
  [/\/messages$/, anthropic],
  [/\/responses$/, responses],
  [/\/chat\/completions$/, chat],
  [/:streamGenerateContent$/, gemini]
]

/** A call was made if its result, or a message in its place, came back. */
const answered = /"tool_result"|"(?:function|custom_tool)_call_output"|"role":\s*"tool"|"functionResponse"/

/** Codex asks the model whether to approve a call, with the form of the answer. */
const reviewed = /"codex_output_schema"/
const approval = JSON.stringify({ outcome: "allow", risk_level: "low", user_authorization: "high" })

/** The first wanted tool that the program offers. A request without tools is about something else, such as a title. */
const turnFor = (body: string, wanted: ReadonlyArray<Wanted>, made: Wanted | undefined): Turn => {
  if (reviewed.test(body)) return approval
  if (answered.test(body)) return made?.next?.(body) ?? "done"
  return wanted.find(({ tool }) => new RegExp(`"name":\\s*"${tool}"`).test(body)) ?? "done"
}

export const scriptedModel = async (): Promise<ScriptedModel> => {
  let made: Wanted | undefined
  let wanted: ReadonlyArray<Wanted> = []
  let heard = ""
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      const path = new URL(request.url ?? "/", "http://x").pathname
      const turn = turnFor(body, wanted, made)
      if (answered.test(body)) heard = body
      if (typeof turn !== "string") made = turn
      const reply = dialects.find(([pattern]) => pattern.test(path))?.[1]
      if (reply === undefined) response.writeHead(404, { "content-type": "application/json" }).end("{}")
      else reply(response, turn)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    called: () => made !== undefined,
    heard: () => heard,
    want: (next) => {
      made = undefined
      heard = ""
      wanted = next
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}
