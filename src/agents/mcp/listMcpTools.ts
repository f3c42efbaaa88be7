/** Lists the tools of an MCP server: starts it, asks over standard input and output, and ends it. */

import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import type { ProcessEnvironment } from "../settings.ts"
import { isRecord } from "../../json/json.ts"
import { parseStrictly } from "../../json/jsonReader.ts"
import {
  mcpEndMs,
  mcpLastWordsMax,
  mcpListBytesMax,
  mcpListMs,
  mcpPagesMax,
  mcpToolsMax
} from "../../limits.ts"

interface Asked {
  /** The program and its arguments. */
  readonly command: ReadonlyArray<string>
  readonly env: ProcessEnvironment
  /** The version of this program. */
  readonly version: string
  readonly signal: AbortSignal
  /** The time limit in milliseconds until the last page is read. */
  readonly waitMs?: number
}

/** `problem` completes the sentence "the server …". */
type ListedTools = { readonly tools: ReadonlyArray<unknown> } | { readonly problem: string }

type Message = Readonly<Record<string, unknown>>

const protocolVersion = "2025-11-25"

/** Resolves after the server has ended. */
export const listMcpTools = async (asked: Asked): Promise<ListedTools> => {
  const [program = "", ...words] = asked.command
  // The server does not need the service's key.
  const { ACTION_RISK_KEY: _, ...env } = asked.env
  // A process group: npx and similar programs start the server as a child, and both must end.
  const server = spawn(program, words, { env, detached: true, stdio: ["pipe", "pipe", "pipe"] })
  const ended = new Promise<string>((resolve) => {
    server.once("error", (cause) => resolve(`cannot be started: ${cause.message}`))
    server.once("close", (code, signal) =>
      resolve(`ended with ${code ?? signal} before it had listed its tools`)
    )
  })
  const late = Promise.withResolvers<string>()
  const waitMs = asked.waitMs ?? mcpListMs
  const timer = setTimeout(() => late.resolve(`did not list its tools within ${waitMs / 1000} s`), waitMs)
  const stop = () => late.resolve("was ended before it had listed its tools")
  asked.signal.addEventListener("abort", stop, { once: true })
  const conversation = new Conversation(server, asked.version)
  const listed = await Promise.race([
    conversation.list(),
    Promise.race([ended, late.promise]).then((problem) => ({ problem }))
  ])
  clearTimeout(timer)
  asked.signal.removeEventListener("abort", stop)
  await end(server, ended, "problem" in listed ? 0 : mcpEndMs)
  return "problem" in listed ? { problem: listed.problem + conversation.lastWords() } : listed
}

/** A server should end when its input ends. If it or its children do not, they are killed after `waitMs`. */
const end = async (server: ChildProcess, ended: Promise<unknown>, waitMs: number): Promise<void> => {
  const killGroup = () => {
    try {
      if (server.pid !== undefined) process.kill(-server.pid, "SIGKILL")
    } catch (cause) {
      // Every process of the group has already ended.
      if (!(cause instanceof Error && "code" in cause && cause.code === "ESRCH")) throw cause
    }
  }
  server.stdin?.end()
  const timer = setTimeout(killGroup, waitMs)
  await ended
  clearTimeout(timer)
  killGroup()
}

class Conversation {
  private readonly server: ChildProcess
  private readonly version: string
  private readonly failed = Promise.withResolvers<never>()
  private answer: PromiseWithResolvers<Message> = Promise.withResolvers()
  private awaited = 0
  private said = ""

  constructor(server: ChildProcess, version: string) {
    this.server = server
    this.version = version
    // Otherwise a failure for which no request waits would be an unhandled rejection.
    this.failed.promise.catch(() => {})
    // Writing to a server that has ended fails. Its end is reported anyway.
    server.stdin?.on("error", () => {})
    server.stderr?.on("data", (chunk: Buffer) => {
      this.said = (this.said + chunk.toString()).slice(-mcpLastWordsMax)
    })
    const { stdout } = server
    if (stdout === null) return
    let bytes = 0
    // Stops reading from a server that never stops writing.
    stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= mcpListBytesMax) return
      stdout.destroy()
      this.failed.reject(new Error("wrote more than a list of tools needs"))
    })
    createInterface({ input: stdout, crlfDelay: Infinity }).on("line", (line) => this.hear(line))
  }

  lastWords(): string {
    const words = this.said.trim().replaceAll(/\s+/g, " ")
    return words === "" ? "" : `; its last output: ${words}`
  }

  async list(): Promise<ListedTools> {
    try {
      const clientInfo = { name: "action-risk", version: this.version }
      await this.ask("initialize", { protocolVersion, capabilities: {}, clientInfo })
      this.say({ method: "notifications/initialized" })
      return await this.pages()
    } catch (cause) {
      return { problem: cause instanceof Error ? cause.message : String(cause) }
    }
  }

  private async pages(): Promise<ListedTools> {
    const tools: Array<unknown> = []
    const cursors = new Set<string>()
    for (let params: object = {}; ;) {
      const { nextCursor, tools: page } = await this.ask("tools/list", params)
      if (!Array.isArray(page)) return { problem: "answered tools/list without a list of tools" }
      tools.push(...page)
      if (tools.length > mcpToolsMax) return { problem: `lists more than ${mcpToolsMax} tools` }
      if (typeof nextCursor !== "string") return { tools }
      if (cursors.has(nextCursor) || cursors.size >= mcpPagesMax)
        return {
          problem: `lists its tools on more than ${mcpPagesMax} pages, or repeats a page`
        }
      cursors.add(nextCursor)
      params = { cursor: nextCursor }
    }
  }

  private say(message: object): void {
    this.server.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  }

  private async ask(method: string, params: object): Promise<Message> {
    this.answer = Promise.withResolvers()
    this.say({ id: ++this.awaited, method, params })
    const { error, result } = await Promise.race([this.answer.promise, this.failed.promise])
    if (isRecord(result)) return result
    const why = isRecord(error) && typeof error["message"] === "string" ? `: ${error["message"]}` : ""
    throw new Error(`refused ${method}${why.slice(0, mcpLastWordsMax)}`)
  }

  /** Skips lines that are not messages, as hosts do, because programs print greetings. */
  private hear(line: string): void {
    const parsed = parseStrictly(line)
    if ("problem" in parsed || !isRecord(parsed.value)) return
    const { id, method } = parsed.value
    if (method === undefined) {
      if (id === this.awaited) this.answer.resolve(parsed.value)
    } else if (method === "ping") this.say({ id, result: {} })
    else if (id !== undefined) this.say({ id, error: { code: -32_601, message: "not known here" } })
  }
}
