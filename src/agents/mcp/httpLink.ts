/** The link to an MCP server at a URL (Streamable HTTP): each line is sent as a POST, and responses come back as lines. */

import { isRecord } from "../../json/json.ts"
import { parseStrictly } from "../../json/jsonReader.ts"
import { mcpDeleteMs, mcpEndMs, mcpIdleMs, mcpPostsMax, mcpReopenMs, mcpReopensMax } from "../../limits.ts"
import { readable } from "../askAbout.ts"
import { eventsOf, isEventStream, wholeText } from "./eventStream.ts"
import { firstWithoutSessions, statedVersion } from "./roundTrips.ts"
import type { OpenLink, ServerLink } from "./serverLinks.ts"

export interface Upstream {
  readonly url: URL
  /** The value of the `authorization` header. */
  readonly authorization: string | undefined
}

type Message = Readonly<Record<string, unknown>>

export const httpLink =
  (upstream: Upstream): OpenLink =>
  (hear) =>
    new HttpLink(upstream, hear)

const nameKeys: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri"
}

const asHeader = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith("=?base64?")
    ? text
    : `=?base64?${Buffer.from(text).toString("base64")}?=`

const paramsOf = ({ params }: Message): Message => (isRecord(params) ? params : {})

/** The protocol repeats parts of a request in headers. */
const routingHeaders = (message: Message): Readonly<Record<string, string>> => {
  const { method } = message
  if (typeof method !== "string") return {}
  const key = Object.hasOwn(nameKeys, method) ? nameKeys[method] : undefined
  const name = key === undefined ? undefined : paramsOf(message)[key]
  return { "mcp-method": method, ...(typeof name === "string" && { "mcp-name": asHeader(name) }) }
}

const textOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const refusals: Readonly<Record<number, string>> = {
  401: "; ACTION_RISK_UPSTREAM_AUTHORIZATION is what the gate sends as authorization",
  404: "; if it had a session before, that session has ended, and the host must start again"
}

/** Whether a response is the server's own error for this request, which comes with an HTTP error status and a JSON-RPC error. */
const isErrorFor = ({ id }: Message, text: string): boolean => {
  const parsed = parseStrictly(text)
  return (
    "value" in parsed &&
    isRecord(parsed.value) &&
    isRecord(parsed.value["error"]) &&
    parsed.value["id"] === id
  )
}

/** A message that is being sent to the server. */
interface Sent {
  readonly message: Message
  answered: boolean
}

class HttpLink implements ServerLink {
  readonly ended: Promise<number>
  private readonly upstream: Upstream
  private readonly hear: (line: string) => void
  private finish: (exitCode: number) => void = () => {}
  private readonly stop = new AbortController()
  private readonly posts = new Set<Promise<void>>()
  private session: string | undefined
  private version: string | undefined
  private listening = false
  private closed = false

  constructor(upstream: Upstream, hear: (line: string) => void) {
    this.upstream = upstream
    this.hear = hear
    this.ended = new Promise((resolve) => {
      this.finish = resolve
    })
  }

  /** Every failure becomes an error for the host, never an answer. */
  send(line: string, message: Message): void {
    if (this.closed) return
    if (this.posts.size >= mcpPostsMax) {
      this.fail({ message, answered: false }, "too many requests at once")
      return
    }
    const sent = { message, answered: false }
    const post = this.post(line, sent)
      .catch((cause: unknown) => this.fail(sent, textOf(cause)))
      .finally(() => this.posts.delete(post))
    this.posts.add(post)
  }

  /** Waits for open calls, then ends the session. */
  close(): void {
    this.closed = true
    const end = async () => {
      await Promise.race([Promise.allSettled(this.posts), pause(mcpEndMs)])
      if (this.session !== undefined) {
        const signal = AbortSignal.timeout(mcpDeleteMs)
        const gone = await this.request("DELETE", {}, signal).catch((cause: unknown) => textOf(cause))
        if (typeof gone === "string") process.stderr.write(`${readable(`the session stays: ${gone}`)}\n`)
      }
      this.stop.abort()
      this.finish(0)
    }
    void end()
  }

  private fail({ answered, message: { id, method } }: Sent, why: string): void {
    const text = readable(
      method === "tools/call"
        ? `the server behind the gate did not answer, and whether it called the tool is not known: ${why}`
        : `the server behind the gate did not answer: ${why}`
    )
    if (answered || id === undefined || method === undefined) process.stderr.write(`${text}\n`)
    else this.hear(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_000, message: text } }))
  }

  private request(
    method: "POST" | "GET" | "DELETE",
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    body?: string
  ): Promise<Response> {
    const { authorization, url } = this.upstream
    return fetch(url, {
      method,
      signal,
      // Follows no redirects, because the request is only for this server.
      redirect: "error",
      headers: {
        ...headers,
        ...(authorization !== undefined && { authorization }),
        ...(this.session !== undefined && { "mcp-session-id": this.session }),
        ...(this.version !== undefined && { "mcp-protocol-version": this.version })
      },
      ...(body !== undefined && { body })
    })
  }

  /** Gives up if nothing arrives for too long. */
  private async whileAlive<A>(use: (signal: AbortSignal, alive: () => void) => Promise<A>): Promise<A> {
    const idle = new AbortController()
    const give = () => idle.abort(new Error(`nothing arrived for ${mcpIdleMs / 1_000} s`))
    let timer = setTimeout(give, mcpIdleMs)
    const alive = () => {
      clearTimeout(timer)
      timer = setTimeout(give, mcpIdleMs)
    }
    try {
      return await use(AbortSignal.any([idle.signal, this.stop.signal]), alive)
    } finally {
      clearTimeout(timer)
    }
  }

  private async post(line: string, sent: Sent): Promise<void> {
    const { message } = sent
    const isStart = message["method"] === "initialize"
    if (isStart) [this.session, this.version] = [undefined, undefined]
    const stated = statedVersion(paramsOf(message)["_meta"])
    if (stated !== undefined) this.version = stated
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...((this.version ?? "") >= firstWithoutSessions && routingHeaders(message))
    }
    await this.whileAlive(async (signal, alive) => {
      const response = await this.request("POST", headers, signal, line)
      if (isStart) this.session = response.headers.get("mcp-session-id") ?? undefined
      await this.take(response, sent, alive)
    })
    if (message["method"] === "notifications/initialized" && !this.listening) void this.listen()
  }

  /** Fails if the response ends before it answers the request. */
  private async take(response: Response, sent: Sent, alive: () => void): Promise<void> {
    const { id, method } = sent.message
    if (response.ok && isEventStream(response))
      for await (const event of eventsOf(response, alive)) this.pass(event, sent)
    else {
      const text = await wholeText(response, alive)
      if (!response.ok && !isErrorFor(sent.message, text)) throw new Error(this.refusalOf(response))
      if (text !== "") this.pass(text, sent)
    }
    if (id !== undefined && method !== undefined && !sent.answered)
      throw new Error("its answer ended before it was complete")
  }

  private refusalOf({ status }: Response): string {
    return `it answered with status ${status}${refusals[status] ?? ""}`
  }

  private pass(text: string, sent: Sent): void {
    const { message } = sent
    const parsed = parseStrictly(text)
    if ("problem" in parsed || !isRecord(parsed.value))
      throw new Error("it did not answer with a JSON-RPC message")
    const { id, method, result } = parsed.value
    const answers = method === undefined && id !== undefined && id === message["id"]
    // Only one answer per request: later ones are not passed on.
    if (answers && sent.answered) return
    if (answers && message["method"] === "initialize" && isRecord(result)) {
      const { protocolVersion } = result
      if (typeof protocolVersion === "string") this.version = protocolVersion
    }
    sent.answered ||= answers
    this.hear(text)
  }

  /** Receives messages that the server sends on its own. Servers need not offer this. */
  private async listen(): Promise<void> {
    this.listening = true
    for (let failures = 0; failures < mcpReopensMax && !this.closed;) {
      const opened = await this.whileAlive(async (signal, alive) => {
        const response = await this.request("GET", { accept: "text/event-stream" }, signal)
        if (!response.ok || !isEventStream(response)) {
          await response.body?.cancel()
          return false
        }
        failures = 0
        for await (const event of eventsOf(response, alive))
          this.pass(event, { message: {}, answered: false })
        return true
      }).catch((cause: unknown) => {
        if (!this.closed) process.stderr.write(`${readable(`the server's own messages: ${textOf(cause)}`)}\n`)
        return null
      })
      if (opened === false) break
      if (opened === null) failures++
      await pause(mcpReopenMs)
    }
    this.listening = false
  }
}
