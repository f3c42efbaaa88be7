/** An MCP server that lists three tools on three pages, or fails in the way that its first word names. */

import { createInterface } from "node:readline"

const manner = process.argv[2] ?? "pages"

const say = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)

const toolOf = (name: string) => ({
  name,
  inputSchema: { type: "object", properties: { amount: { type: "number" } } }
})

const pageOf = (cursor: unknown): object => {
  if (manner === "endless") return { tools: [], nextCursor: "again" }
  if (manner === "bare") return {}
  if (cursor === undefined) return { tools: [toolOf("refund")], nextCursor: "2" }
  return cursor === "2"
    ? { tools: [toolOf("get_order")], nextCursor: "3" }
    : { tools: [toolOf("frobnicate")] }
}

interface Request {
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly protocolVersion?: string; readonly cursor?: string }
}

const answer = ({ id, method, params }: Request): void => {
  if (manner === "silent" || id === undefined) return
  if (manner === "refuses") say({ id, error: { code: -32_602, message: "only a later\u001b[31m revision" } })
  else if (method === "initialize") {
    if (manner === "pages") process.stdout.write("shop 1.0 is ready\n")
    say({ id: "ping", method: "ping" })
    say({ id, result: { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo: {} } })
  } else if (method === "tools/list") say({ id, result: pageOf(params?.cursor) })
}

if (manner === "crashes") {
  process.stderr.write("no database at \u001b[31mlocalhost\n")
  process.exitCode = 7
} else if (manner === "floods") {
  const chunk = Buffer.alloc(1_048_576, "x")
  const flood = () => process.stdout.write(chunk, flood)
  process.stdout.on("error", () => process.exit(0))
  flood()
} else {
  process.stderr.write(`key ${process.env["ACTION_RISK_KEY"] ?? "none"}\n`)
  // Stays when its input ends, as careless servers do.
  if (manner === "silent") setInterval(() => {}, 60_000)
  createInterface({ input: process.stdin }).on("line", (line) => answer(JSON.parse(line)))
}
