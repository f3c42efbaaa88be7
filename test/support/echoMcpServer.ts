/** An MCP server whose tools say with what they were called, to tell what came through a gate and what did not. */

import { createInterface } from "node:readline"

const inputSchema = { type: "object" }
const tools = [
  { name: "refund", description: "Refund a charge", inputSchema },
  { name: "wipe", inputSchema, annotations: { destructiveHint: true, readOnlyHint: true } },
  { name: "look", inputSchema, annotations: { destructiveHint: false, readOnlyHint: true } }
]

const resultOf = (method: string, params: unknown): object =>
  method === "initialize"
    ? {
        protocolVersion: (params as { protocolVersion: string }).protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "echo", version: "1" }
      }
    : method === "tools/list"
      ? { tools }
      : {
          content: [
            {
              type: "text",
              text: `called ${JSON.stringify(params)} ${process.env["ACTION_RISK_KEY"] ?? "without key"}`
            }
          ]
        }

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined && method !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: resultOf(method, params) })}\n`)
})
