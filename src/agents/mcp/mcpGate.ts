/** A gate between a host and its MCP server: passes lines on unchanged, and holds each tool call until its next step is decided. */

import { setBounded } from "../../boundedMap.ts"
import { randomUUID } from "node:crypto"
import type { OutcomeEventType } from "../../domain/OutcomeEvent.ts"
import { digestOf } from "../../json/canonical.ts"
import { isRecord, type JsonObject } from "../../json/json.ts"
import { shownName } from "../../foreignText.ts"
import { followedCallsMax, mcpHeldMax, mcpPersonMs, mcpToolsMax, quotedTextMax } from "../../limits.ts"
import { askAbout, type Asked, readable, today } from "../askAbout.ts"
import { isAsked } from "../GateFile.ts"
import { hearLines, isId, type Message, refusalOfLine, readMessage } from "./messageLines.ts"
import { OutcomeReports } from "../outcomeReports.ts"
import { questionOf } from "../questionOfCall.ts"
import {
  asksByForm,
  firstWithoutSessions,
  type PersonSaid,
  questionTo,
  RoundTrips,
  saidBy,
  statedVersion
} from "./roundTrips.ts"
import type { GateOptions, ServerLink } from "./serverLinks.ts"
import { type OwnerSettings, readOwnerSettings } from "../settings.ts"

interface HeldCall {
  /** As the host wrote it. Only this text is ever passed on, so that a person agrees to exactly these arguments. */
  readonly line: string
  readonly message: Message
  readonly id: string | number
  readonly name: string
  readonly given: JsonObject
  readonly params: Message
  readonly meta: Message
  readonly stop: AbortController
}

const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"

/** Whether this protocol version asks a person through the result of the call and not through a request of its own. */
const isRoundTrip = (meta: unknown): boolean => (statedVersion(meta) ?? "") >= firstWithoutSessions

/** Resolves with the server's exit code, or with 0 if the gate did not start the server. */
export const runMcpGate = (options: GateOptions): Promise<number> => new Gate(options).run()

class Gate {
  private readonly options: GateOptions
  private readonly server: ServerLink
  /** Unique per run of a gate, because each host numbers its requests from the start. */
  private readonly session = randomUUID()
  private readonly held = new Map<string | number, HeldCall>()
  private readonly listings = new Set<string | number>()
  private readonly tools = new Map<string, Message>()
  private readonly persons = new Map<string, (answer: Message) => void>()
  private readonly reports = new OutcomeReports()
  /** Calls that were passed to the server, until it answers. */
  private readonly followed = new Map<string | number, Asked>()
  private readonly trips = new RoundTrips<Asked>((asked) => this.tell(asked, "person_absent", "not_executed"))
  private asksPersons = false
  private version = ""

  constructor(options: GateOptions) {
    this.options = options
    this.server = options.link((line) => this.hearServer(line))
  }

  async run(): Promise<number> {
    hearLines(
      this.options.input,
      (line) => this.hearHost(line),
      () => this.server.close()
    )
    const code = await this.server.ended
    await this.reports.settled()
    return code
  }

  private tell({ assessmentId, owner }: Asked, ...types: ReadonlyArray<OutcomeEventType>): void {
    this.reports.tell(owner, assessmentId, ...types)
  }

  private toHost(line: string): void {
    this.options.output.write(`${line}\n`)
  }

  private say(message: object): void {
    this.toHost(JSON.stringify({ jsonrpc: "2.0", ...message }))
  }

  private hearHost(line: string): void {
    if (line.trim() === "") return
    const read = readMessage(line)
    if ("problem" in read) {
      this.say(refusalOfLine(readable(read.problem)))
      return
    }
    const { message } = read
    const { id, method } = message
    const person = typeof id === "string" && method === undefined ? this.persons.get(id) : undefined
    if (person !== undefined) person(message)
    else if (method === "tools/call") this.holdCall(line, message)
    else this.passOn(line, message)
  }

  private passOn(line: string, message: Message): void {
    const params = isRecord(message["params"]) ? message["params"] : {}
    if (message["method"] === "initialize") {
      this.asksPersons = asksByForm(params["capabilities"])
    }
    if (message["method"] === "tools/list" && isId(message["id"])) this.listings.add(message["id"])
    if (message["method"] === "notifications/cancelled" && isId(params["requestId"])) {
      const held = this.held.get(params["requestId"])
      held?.stop.abort()
      if (held !== undefined) return
    }
    this.server.send(line, message)
  }

  /** Reads only the server's list of tools and its version, and passes everything on. */
  private hearServer(line: string): void {
    this.toHost(line)
    const read = readMessage(line)
    if ("problem" in read) return
    const { id, method, result } = read.message
    if (isId(id) && method === undefined) this.followToItsEnd(id, result)
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
    // Without an id, the host could not be told that the tool was not called.
    if (!isId(id)) return
    const params = isRecord(message["params"]) ? message["params"] : {}
    const { _meta: meta = {}, arguments: given = {}, name } = params
    if (typeof name !== "string" || !isRecord(given) || !isRecord(meta)) {
      this.object(id, meta, "no risk opinion: the call was not understood")
      return
    }
    if (this.held.has(id) || this.held.size >= mcpHeldMax) {
      this.object(id, meta, "no risk opinion: too many calls at once, or two with one id")
      return
    }
    // Invariant: it was parsed from JSON.
    const call = {
      line,
      message,
      id,
      name,
      given: given as JsonObject,
      params,
      meta,
      stop: new AbortController()
    }
    this.held.set(id, call)
    this.settle(call)
      .catch((cause: unknown) =>
        this.object(id, meta, `no risk opinion: ${cause instanceof Error ? cause.message : String(cause)}`)
      )
      .finally(() => this.held.delete(id))
  }

  /** Answers a call that was not made, so that the agent reads why and continues. */
  private object(id: string | number, meta: unknown, reason: string): void {
    const content = [{ type: "text", text: readable(`Not called. ${reason}`) }]
    this.say({ id, result: { ...(isRoundTrip(meta) && { resultType: "complete" }), content, isError: true } })
  }

  private async settle(call: HeldCall): Promise<void> {
    const returned = isRoundTrip(call.meta) ? this.trips.take(call.line, call.params) : undefined
    if (returned === undefined) await this.settleAnew(call)
    else if (returned.said === "person_agreed") this.send(call, returned.line, returned.asked, returned.said)
    else {
      if (returned.asked !== null) this.tell(returned.asked, returned.said, "not_executed")
      this.object(call.id, call.meta, [returned.reason, returned.asked?.reason ?? ""].join("; "))
    }
  }

  private async settleAnew(call: HeldCall): Promise<void> {
    const { env, folder, name: server, saysLocal } = this.options
    const owner = await readOwnerSettings(folder, undefined, env, saysLocal)
    const tool = `mcp:${server}/${call.name}`
    if (owner.problems.length === 0 && !isAsked(owner.gate, tool, today())) {
      this.server.send(call.line, call.message)
      return
    }
    const asked = { ...(await this.ask(call, tool, owner)), owner }
    const { reason, step } = asked
    const question = readable(`Call ${shownName(call.name, quotedTextMax)}? ${reason}`)
    if (step === "ask_person" && isRoundTrip(call.meta) && asksByForm(call.meta[capabilitiesKey])) {
      if (!call.stop.signal.aborted)
        this.say({ id: call.id, result: this.trips.question(call.line, question, asked) })
      return
    }
    const canAsk = step === "ask_person" && this.asksPersons && !isRoundTrip(call.meta)
    const said = canAsk ? await this.askPerson(call, question) : undefined
    if (call.stop.signal.aborted) this.tell(asked, "not_executed")
    else if (step === "no_objection" || said === "person_agreed") this.send(call, call.line, asked, said)
    else {
      this.tell(asked, ...(said === undefined ? [] : [said]), "not_executed")
      this.object(call.id, call.meta, reason)
    }
  }

  /** From here on, the server has the call. */
  private send(call: HeldCall, line: string, asked: Asked, said: PersonSaid | undefined): void {
    if (said !== undefined) this.tell(asked, said)
    setBounded(this.followed, followedCallsMax, call.id, asked)
    this.server.send(line, call.message)
  }

  /** After an error, the call may still have begun. A server that asks back has not finished. */
  private followToItsEnd(id: string | number, result: unknown): void {
    const asked = this.followed.get(id)
    this.followed.delete(id)
    if (asked === undefined || (isRecord(result) && result["resultType"] === "input_required")) return
    this.tell(asked, isRecord(result) && result["isError"] !== true ? "executed" : "failed")
  }

  private ask({ given, id, meta, name }: HeldCall, tool: string, owner: OwnerSettings) {
    const { name: server } = this.options
    const listed = this.tools.get(name)
    const annotations = isRecord(listed?.["annotations"]) ? listed["annotations"] : {}
    const call = {
      tool,
      name: `mcp__${server}__${name}`,
      arguments: given,
      inputSchema: listed?.["inputSchema"],
      annotations
    }
    const question = questionOf(call, {
      mapping: owner.mapping,
      ownTools: {},
      agentId: `mcp:${server}`,
      session: this.session,
      day: today(),
      extent: owner.gate.extent
    })
    const pin = owner.mapping?.file.tools[tool]?.pin
    const changed = pin !== undefined && (listed === undefined || pin !== `sha256:${digestOf(listed)}`)
    return askAbout(owner, {
      question,
      names: [`mcp:${server}`, this.session, String(meta["claudecode/toolUseId"] ?? meta["callId"] ?? id)],
      objections: changed ? ["the server has changed the tool's description since it was mapped"] : [],
      // A server's statement about itself can only raise risk, and counts only if nothing else is known: most servers call too many tools
      // destructive.
      warnings:
        annotations["destructiveHint"] === true ? ["the server says that the tool is destructive"] : []
    })
  }

  /** Asks the person through the protocol, in a question of the gate's own. The answer counts only for this call. */
  private askPerson(call: HeldCall, question: string): Promise<PersonSaid> {
    const id = `action-risk:${randomUUID()}`
    return new Promise((resolve) => {
      const end = (said: PersonSaid) => {
        clearTimeout(timer)
        this.persons.delete(id)
        resolve(said)
      }
      const timer = setTimeout(() => end("person_absent"), mcpPersonMs)
      call.stop.signal.addEventListener("abort", () => end("person_absent"), { once: true })
      // A message with both `result` and `error` is not a JSON-RPC response, so it is not an agreement.
      this.persons.set(id, ({ error, result }) => end(error === undefined ? saidBy(result) : "person_absent"))
      this.say({ id, ...questionTo(question, this.version >= "2025-11-25" ? { mode: "form" } : {}) })
    })
  }
}
