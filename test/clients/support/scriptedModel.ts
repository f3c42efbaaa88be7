/** A model on loopback that wants one command run, and then is done: in the four dialects that the programs speak. */

import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

interface Wanted {
  /** The name of the tool, and its arguments. */
  readonly tool: string
  /** In which Codex has the tools of an MCP server. */
  readonly namespace?: string
  readonly input: Readonly<Record<string, unknown>>
}

export interface ScriptedModel {
  readonly url: string
  /** Whether the model has called a tool since it wants one. */
  readonly called: () => boolean
  /** From now on: the first of these whose tool the program offers. */
  readonly want: (wanted: ReadonlyArray<Wanted>) => void
  readonly close: () => Promise<void>
}

type Turn = Wanted | "done"

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
    turn === "done"
      ? { type: "text", text: "" }
      : { type: "tool_use", id: "toolu_1", name: turn.tool, input: {} }
  const delta =
    turn === "done"
      ? { type: "text_delta", text: "done" }
      : { type: "input_json_delta", partial_json: JSON.stringify(turn.input) }
  const message = { id: "msg_1", type: "message", role: "assistant", model: "scripted", content: [], usage }
  const stop = { stop_reason: turn === "done" ? "end_turn" : "tool_use", stop_sequence: null }
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
    turn === "done"
      ? {
          type: "message",
          id: "msg_1",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "done", annotations: [] }]
        }
      : {
          type: "function_call",
          id: "fc_1",
          call_id: "call_1",
          ...(turn.namespace !== undefined && { namespace: turn.namespace }),
          name: turn.tool,
          arguments: JSON.stringify(turn.input),
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
    turn === "done"
      ? { content: "done" }
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
    [null, chunk({}, turn === "done" ? "stop" : "tool_calls")],
    [null, "[DONE]"]
  ])
}

const gemini: Reply = (response, turn) => {
  const part =
    turn === "done" ? { text: "done" } : { functionCall: { name: turn.tool, args: turn.input, id: "call_1" } }
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

/** A call was made where its result, or what was said in its place, has come back. */
const answered = /"tool_result"|"function_call_output"|"role":\s*"tool"|"functionResponse"/

/** The first wanted tool that the program offers. A request without tools is about something else, such as a title. */
const turnFor = (body: string, wanted: ReadonlyArray<Wanted>): Turn =>
  answered.test(body)
    ? "done"
    : (wanted.find(({ tool }) => new RegExp(`"name":\\s*"${tool}"`).test(body)) ?? "done")

export const scriptedModel = async (): Promise<ScriptedModel> => {
  let called = false
  let wanted: ReadonlyArray<Wanted> = []
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      const path = new URL(request.url ?? "/", "http://x").pathname
      const turn = turnFor(body, wanted)
      called ||= turn !== "done"
      const reply = dialects.find(([pattern]) => pattern.test(path))?.[1]
      if (reply === undefined) response.writeHead(404, { "content-type": "application/json" }).end("{}")
      else reply(response, turn)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    called: () => called,
    want: (next) => {
      called = false
      wanted = next
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}
