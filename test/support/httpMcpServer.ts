/** An MCP server by Streamable HTTP with sessions, whose tools return their arguments, or fail in the way of their name. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

interface Heard {
  readonly method: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export interface HttpMcpServer {
  readonly url: string
  readonly heard: ReadonlyArray<Heard>
  readonly close: () => Promise<void>
}

interface Call {
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly protocolVersion?: string; readonly name?: string }
}

const session = "session-1"

const asJson = (response: ServerResponse, message: object, headers = {}) =>
  response
    .writeHead(200, { "content-type": "application/json", ...headers })
    .end(JSON.stringify({ jsonrpc: "2.0", ...message }, null, 2))

/** Splits data over several lines, in separate chunks. */
const asEvents = (response: ServerResponse, message: object) => {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" })
  const lines = JSON.stringify({ jsonrpc: "2.0", ...message }, null, 2).split("\n")
  const event = Buffer.from(
    `: hello\r\nevent: message\r\n${lines.map((line) => `data: ${line}\r\n`).join("")}\r\n`
  )
  response.write(event.subarray(0, 7))
  setImmediate(() => response.end(event.subarray(7)))
}

const called = (body: string) => ({ result: { content: [{ type: "text", text: `called ${body}` }] } })

const failures: Readonly<Record<string, (response: ServerResponse, id: unknown) => void>> = {
  unavailable: (response) => void response.writeHead(503).end("later"),
  unauthorized: (response) => void response.writeHead(401).end(),
  vanishes: (response) => void response.destroy(),
  redirects: (response) => void response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(),
  garbles: (response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end("<html>called</html>"),
  says_nothing: (response) => void response.writeHead(202).end(),
  cuts_off: (response) =>
    void response.writeHead(200, { "content-type": "text/event-stream" }).end('data: {"jsonrpc":"2.0"'),
  answers_another: (response) => void asJson(response, { id: "another", ...called("") }),
  answers_twice: (response, id) => {
    const event = `data: ${JSON.stringify({ jsonrpc: "2.0", id, ...called("once") })}\n\n`
    response.writeHead(200, { "content-type": "text/event-stream" }).end(event + event)
  }
}

const answer = ({ body, headers, method }: Heard, response: ServerResponse): void => {
  if (method === "DELETE") return void response.writeHead(204).end()
  if (method === "GET") {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n')
    return
  }
  const call = JSON.parse(body) as Call
  if (call.method === "initialize") {
    const result = { protocolVersion: call.params?.protocolVersion, capabilities: {}, serverInfo: {} }
    return void asJson(response, { id: call.id, result }, { "mcp-session-id": session })
  }
  if (headers["mcp-session-id"] !== session) return void response.writeHead(404).end()
  if (call.id === undefined) return void response.writeHead(202).end()
  if (call.method === "tools/list")
    return asEvents(response, { id: call.id, result: { tools: [{ name: "refund" }] } })
  const fail = failures[call.params?.name ?? ""]
  if (fail !== undefined) return fail(response, call.id)
  asJson(response, { id: call.id, ...called(body) })
}

export const httpMcpServer = async (): Promise<HttpMcpServer> => {
  const heard: Array<Heard> = []
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      const one = { method: request.method ?? "", headers: request.headers, body }
      heard.push(one)
      answer(one, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    heard,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}
