/** An MCP server whose tools return their arguments, to show which calls passed a gate. */

import { createInterface } from "node:readline"

const inputSchema = { type: "object" }
const tools: ReadonlyArray<object> = [
  { name: "refund", description: "Refund a charge", inputSchema },
  { name: "wipe", inputSchema, annotations: { destructiveHint: true, readOnlyHint: true } },
  { name: "look", inputSchema, annotations: { destructiveHint: false, readOnlyHint: true } },
  // More tools, as JSON.
  ...(JSON.parse(process.argv[2] ?? "[]") as ReadonlyArray<object>)
]

const asksBack = {
  resultType: "input_required",
  inputRequests: { theirs: { method: "elicitation/create", params: { message: "How many?" } } },
  requestState: "the server's"
}

const resultOf = (method: string, params: Record<string, unknown>, line: string): object => {
  if (params["name"] === "in_two_rounds" && params["requestState"] === undefined) return asksBack
  return method === "initialize"
    ? {
        protocolVersion: params["protocolVersion"],
        capabilities: { tools: {} },
        serverInfo: { name: "echo", version: "1" }
      }
    : method === "tools/list"
      ? { tools }
      : {
          _meta: { line },
          ...(params["name"] === "fails" && { isError: true }),
          content: [
            {
              type: "text",
              text: `called ${JSON.stringify(params)} ${process.env["ACTION_RISK_KEY"] ?? "without key"}`
            }
          ]
        }
}

const answerOf = (method: string, params: Record<string, unknown>, line: string): object =>
  params["name"] === "is_unknown"
    ? { error: { code: -32_602, message: "no such tool" } }
    : { result: resultOf(method, params, line) }

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined && method !== undefined)
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: "2.0", id, ...answerOf(method, params ?? {}, line) })}\n`
    )
})
