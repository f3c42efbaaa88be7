/** An MCP server of both eras with one tool, which creates the file in its argument. */

import { writeFileSync } from "node:fs"
import { createInterface } from "node:readline"

const tools = [
  {
    name: "make",
    description: "Make a file",
    inputSchema: { type: "object", properties: { file: { type: "string" } }, required: ["file"] }
  }
]
const capabilities = { tools: {} }
const cached = { ttlMs: 0, cacheScope: "private" }

interface Params {
  readonly protocolVersion?: string
  readonly arguments?: { readonly file: string }
}

const answers: Readonly<Record<string, (params: Params) => object>> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities,
    serverInfo: { name: "files", version: "1" }
  }),
  "server/discover": () => ({
    ...cached,
    supportedVersions: ["2026-07-28"],
    capabilities,
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "files", version: "1" } }
  }),
  "tools/list": () => ({ ...cached, tools }),
  "tools/call": ({ arguments: given }) => {
    writeFileSync(given?.file ?? "", "")
    return { content: [{ type: "text", text: "made" }] }
  },
  ping: () => ({})
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  const answer = answers[method]
  if (id === undefined) return
  const said =
    answer === undefined
      ? { error: { code: -32_601, message: "no such method" } }
      : { result: { resultType: "complete", ...answer(params) } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...said })}\n`)
})
