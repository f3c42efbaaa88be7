/** Between a host and its MCP server: passes lines on as they are, and holds each call of a tool until its next step is known. */

import { randomUUID } from "node:crypto"
import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"
import { digestOf } from "../json/canonical.ts"
import { isRecord, type JsonObject } from "../json/json.ts"
import { parseStrictly } from "../json/jsonReader.ts"
import { mcpHeldMax, mcpLineMax, mcpPersonMs, mcpToolsMax } from "../limits.ts"
import { askAbout, readable, today } from "./askAbout.ts"
import { isAsked } from "./GateFile.ts"
import { questionOf } from "./questionOfCall.ts"
import type { OpenLink, ServerLink } from "./serverLinks.ts"
import { type OwnerSettings, type ProcessEnvironment, readOwnerSettings } from "./settings.ts"

interface GateOptions {
  /** The name under which mappings know the server. */
  readonly server: string
  readonly link: OpenLink
  /** Of the owner's files. */
  readonly folder: string
  readonly env: ProcessEnvironment
  readonly input: Readable
  readonly output: Writable
}

type Message = Readonly<Record<string, unknown>>

interface HeldCall {
  /** As the host wrote it. Nothing else is ever passed on, so that a person agrees to exactly these arguments. */
  readonly line: string
  readonly message: Message
  readonly id: string | number
  readonly name: string
  readonly given: JsonObject
  readonly meta: Message
  readonly stop: AbortController
}

const isId = (id: unknown): id is string | number => typeof id === "string" || typeof id === "number"

/** Resolves with the exit code of the server; with 0 where it is none of the gate's own. */
export const runMcpGate = (options: GateOptions): Promise<number> => new Gate(options).run()

class Gate {
  private readonly options: GateOptions
  private readonly server: ServerLink
  /** One of a gate's life: ids of requests begin anew with each host. */
  private readonly session = randomUUID()
  private readonly held = new Map<string | number, HeldCall>()
  private readonly listings = new Set<string | number>()
  private readonly tools = new Map<string, Message>()
  private readonly persons = new Map<string, (answer: Message) => void>()
  private asksPersons = false
  private version = ""

  constructor(options: GateOptions) {
    this.options = options
    this.server = options.link((line) => this.hearServer(line))
  }

  run(): Promise<number> {
    const fromHost = createInterface({ input: this.options.input, crlfDelay: Infinity })
    fromHost.on("line", (line) => this.hearHost(line))
    fromHost.once("close", () => this.server.close())
    return this.server.ended
  }

  private toHost(line: string): void {
    this.options.output.write(`${line}\n`)
  }

  private say(message: object): void {
    this.toHost(JSON.stringify({ jsonrpc: "2.0", ...message }))
  }

  /** What parsers read differently is not passed on: the server could see another call than the one that was asked about. */
  private hearHost(line: string): void {
    if (line.trim() === "") return
    const parsed = line.length > mcpLineMax ? { problem: "the line is too long" } : parseStrictly(line)
    if ("problem" in parsed || !isRecord(parsed.value)) {
      const message = "problem" in parsed ? parsed.problem : "a message is one JSON object"
      this.say({ id: null, error: { code: -32_700, message: readable(message) } })
      return
    }
    const { id, method } = parsed.value
    const person = typeof id === "string" && method === undefined ? this.persons.get(id) : undefined
    if (person !== undefined) person(parsed.value)
    else if (method === "tools/call") this.holdCall(line, parsed.value)
    else this.passOn(line, parsed.value)
  }

  private passOn(line: string, message: Message): void {
    const params = isRecord(message["params"]) ? message["params"] : {}
    if (message["method"] === "initialize") {
      const capabilities = isRecord(params["capabilities"]) ? params["capabilities"] : {}
      this.asksPersons = isRecord(capabilities["elicitation"])
    }
    if (message["method"] === "tools/list" && isId(message["id"])) this.listings.add(message["id"])
    if (message["method"] === "notifications/cancelled" && isId(params["requestId"])) {
      const held = this.held.get(params["requestId"])
      held?.stop.abort()
      if (held !== undefined) return
    }
    this.server.send(line, message)
  }

  /** Only what it says of its tools and of its version is read, and everything is passed on. */
  private hearServer(line: string): void {
    this.toHost(line)
    const parsed = line.length > mcpLineMax ? { problem: "" } : parseStrictly(line)
    if ("problem" in parsed || !isRecord(parsed.value)) return
    const { id, result } = parsed.value
    if (!isRecord(result)) return
    if (typeof result["protocolVersion"] === "string") this.version = result["protocolVersion"]
    if (!isId(id) || !this.listings.delete(id) || !Array.isArray(result["tools"])) return
    for (const tool of result["tools"].filter(isRecord)) {
      if (typeof tool["name"] === "string" && this.tools.size < mcpToolsMax)
        this.tools.set(tool["name"], tool)
    }
  }

  private holdCall(line: string, message: Message): void {
    const { id } = message
    // Without an id nobody could be told that it was not called.
    if (!isId(id)) return
    const params = isRecord(message["params"]) ? message["params"] : {}
    const { _meta: meta = {}, arguments: given = {}, name } = params
    if (typeof name !== "string" || !isRecord(given) || !isRecord(meta)) {
      this.object(id, "no risk opinion: the call was not understood")
      return
    }
    if (this.held.has(id) || this.held.size >= mcpHeldMax) {
      this.object(id, "no risk opinion: too many calls at once, or two with one id")
      return
    }
    // Invariant: it was read from JSON.
    const call = { line, message, id, name, given: given as JsonObject, meta, stop: new AbortController() }
    this.held.set(id, call)
    this.settle(call)
      .catch((cause: unknown) =>
        this.object(id, `no risk opinion: ${cause instanceof Error ? cause.message : String(cause)}`)
      )
      .finally(() => this.held.delete(id))
  }

  /** A tool that was not called: the agent reads why, and goes on. */
  private object(id: string | number, reason: string): void {
    this.say({
      id,
      result: { content: [{ type: "text", text: readable(`Not called. ${reason}`) }], isError: true }
    })
  }

  private async settle(call: HeldCall): Promise<void> {
    const { env, folder, server } = this.options
    const owner = await readOwnerSettings(folder, undefined, env)
    const tool = `mcp:${server}/${call.name}`
    const { reason, step } =
      owner.problems.length === 0 && !isAsked(owner.gate, tool, today())
        ? { step: "no_objection" as const, reason: "" }
        : await this.ask(call, tool, owner)
    const agreed =
      step === "no_objection" ||
      (step === "ask_person" && this.asksPersons && (await this.personAgrees(call, reason)))
    if (call.stop.signal.aborted) return
    if (agreed) this.server.send(call.line, call.message)
    else this.object(call.id, reason)
  }

  private ask({ given, id, meta, name }: HeldCall, tool: string, owner: OwnerSettings) {
    const { server } = this.options
    const call = { tool, name: `mcp__${server}__${name}`, arguments: given }
    const asked = questionOf(call, {
      mapping: owner.mapping,
      ownTools: {},
      agentId: `mcp:${server}`,
      day: today()
    })
    const pin = owner.mapping?.file.tools[tool]?.pin
    const listed = this.tools.get(name)
    const changed = pin !== undefined && (listed === undefined || pin !== `sha256:${digestOf(listed)}`)
    const annotations = isRecord(listed?.["annotations"]) ? listed["annotations"] : {}
    return askAbout(owner, {
      question: {
        ...asked,
        action: { ...asked.action, metadata: { ...asked.action.metadata, annotations } }
      },
      names: [`mcp:${server}`, this.session, String(meta["claudecode/toolUseId"] ?? meta["callId"] ?? id)],
      // What a server says of itself only raises: no word of it makes a call milder.
      objections: [
        ...(changed ? ["the server describes the tool otherwise than when it was mapped"] : []),
        ...(annotations["destructiveHint"] === true ? ["the server says that the tool is destructive"] : [])
      ]
    })
  }

  /** Asks by the protocol. Only an answer that says so in so many words is one, and it counts for this call alone. */
  private personAgrees(call: HeldCall, reason: string): Promise<boolean> {
    const id = `action-risk:${randomUUID()}`
    const requestedSchema = {
      type: "object",
      properties: { go_ahead: { type: "boolean", title: "Call the tool", default: false } },
      required: ["go_ahead"]
    }
    return new Promise((resolve) => {
      const end = (agrees: boolean) => {
        clearTimeout(timer)
        this.persons.delete(id)
        resolve(agrees)
      }
      const timer = setTimeout(() => end(false), mcpPersonMs)
      call.stop.signal.addEventListener("abort", () => end(false), { once: true })
      this.persons.set(id, ({ result }) => {
        const content = isRecord(result) && result["action"] === "accept" ? result["content"] : undefined
        end(isRecord(content) && content["go_ahead"] === true)
      })
      const mode = this.version >= "2025-11-25" ? { mode: "form" } : {}
      this.say({
        id,
        method: "elicitation/create",
        params: { ...mode, message: readable(`Call ${call.name}? ${reason}`), requestedSchema }
      })
    })
  }
}
