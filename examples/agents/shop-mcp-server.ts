/** A small MCP server to try the gate with: it says what it would have done, and does nothing. */

import { createInterface } from "node:readline"

const toolOf = (name: string, argument: string, description: string) => ({
  name,
  description,
  inputSchema: { type: "object", properties: { [argument]: { type: "string" } }, required: [argument] }
})

const tools = [
  toolOf("list_charges", "customer", "List the charges of a customer"),
  toolOf("delete_customer", "customer", "Delete a customer with all that hangs on it")
]

const resultOf = (method: string, params: Readonly<Record<string, unknown>>): object | undefined => {
  if (method === "initialize")
    return {
      protocolVersion: params["protocolVersion"],
      capabilities: { tools: {} },
      serverInfo: { name: "shop", version: "1" }
    }
  if (method === "tools/list") return { tools }
  return method === "tools/call"
    ? { content: [{ type: "text", text: `the server was called: ${String(params["name"])}` }] }
    : undefined
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) return
  const result = resultOf(method, params)
  const answer = result === undefined ? { error: { code: -32_601, message: "no such method" } } : { result }
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }))
})
