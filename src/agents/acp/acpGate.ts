/** A gate between an editor and its agent: passes lines on, and holds each act that the agent requests until its next step is decided. */

import { randomUUID } from "node:crypto"
import { setBounded } from "../../boundedMap.ts"
import type { OutcomeEventType } from "../../domain/OutcomeEvent.ts"
import { isRecord } from "../../json/json.ts"
import { followedCallsMax, mcpHeldMax, mcpPersonMs } from "../../limits.ts"
import { askAbout, type Asked, type NextStep, readable, today } from "../askAbout.ts"
import { isAsked } from "../GateFile.ts"
import { hearLines, isId, type Message, refusalOfLine, readMessage } from "../mcp/messageLines.ts"
import type { GateOptions, ServerLink } from "../mcp/serverLinks.ts"
import { OutcomeReports } from "../outcomeReports.ts"
import { questionOf } from "../questionOfCall.ts"
import { type OwnerSettings, readOwnerSettings } from "../settings.ts"
import { FollowedActs } from "./followedActs.ts"
import {
  actOf,
  type AgentAct,
  callKey,
  merged,
  ownQuestion,
  permissionMethod,
  questionWith,
  cancelled,
  rejection,
  setsVariables,
  saidByEditor
} from "./requests.ts"

/** A request of the agent that is on hold. */
interface Held {
  readonly line: string
  readonly message: Message
  readonly id: string | number
  readonly act: AgentAct
  readonly stop: AbortController
}

/** A question now open in the editor, with its options. */
interface Open {
  readonly asked: Asked
  readonly act: AgentAct
  readonly options: ReadonlyArray<Message>
}

/** The protocol version that the gate understands. */
const knownVersion = 1

const commandKey = ({ command, sessionId }: AgentAct): string => callKey(sessionId, command)

/** Resolves with the agent's exit code. */
export const runAcpGate = (options: GateOptions): Promise<number> => new AcpGate(options).run()

class AcpGate {
  private readonly options: GateOptions
  private readonly agent: ServerLink
  /** Unique per run of a gate, because each agent numbers its calls from the start. */
  private readonly session = randomUUID()
  /** The calls as described by the agent so far, because a question may omit the description. */
  private readonly calls = new Map<string, Message>()
  private readonly held = new Map<string | number, Held>()
  private readonly open = new Map<string | number, Open>()
  private readonly persons = new Map<string, (answer: Message) => void>()
  /** Commands that a person approved after seeing the reason. Each approval counts for one terminal. */
  private readonly agreed = new Map<string, true>()
  private readonly reports = new OutcomeReports()
  private readonly followed = new FollowedActs((asked, ended) => this.tell(asked, ended))

  constructor(options: GateOptions) {
    this.options = options
    this.agent = options.link((line) => this.hearAgent(line))
  }

  async run(): Promise<number> {
    hearLines(
      this.options.input,
      (line) => this.hearEditor(line),
      () => this.agent.close()
    )
    const code = await this.agent.ended
    await this.reports.settled()
    return code
  }

  private tell({ assessmentId, owner }: Asked, ...types: ReadonlyArray<OutcomeEventType>): void {
    this.reports.tell(owner, assessmentId, ...types)
  }

  private pass(line: string): void {
    this.options.output.write(`${line}\n`)
  }

  private toEditor(message: object): void {
    this.pass(JSON.stringify({ jsonrpc: "2.0", ...message }))
  }

  private toAgent(message: Message): void {
    this.agent.send(JSON.stringify({ jsonrpc: "2.0", ...message }), message)
  }

  private hearEditor(line: string): void {
    if (line.trim() === "") return
    const read = readMessage(line)
    if ("problem" in read) {
      this.toEditor(refusalOfLine(readable(read.problem)))
      return
    }
    const { message } = read
    const { id, method, params } = message
    const person = typeof id === "string" && method === undefined ? this.persons.get(id) : undefined
    if (person !== undefined) {
      person(message)
      return
    }
    if (method === "session/cancel" && isRecord(params)) this.cancel(String(params["sessionId"]))
    if (method === undefined && isId(id)) this.hearChoice(id, message)
    this.followed.hearEditor(message)
    this.agent.send(line, message)
  }

  /** Questions that the editor has not seen yet are answered here. */
  private cancel(sessionId: string): void {
    for (const held of this.held.values()) if (held.act.sessionId === sessionId) held.stop.abort()
  }

  private hearChoice(id: string | number, message: Message): void {
    const question = this.open.get(id)
    if (question === undefined) return
    this.open.delete(id)
    const { act, asked, options } = question
    const said = saidByEditor(message, options)
    if (said !== "person_agreed") {
      this.tell(asked, said, "not_executed")
      return
    }
    this.tell(asked, said)
    this.followed.followCall(act, asked)
    if (asked.step === "ask_person" && act.command !== undefined)
      setBounded(this.agreed, followedCallsMax, commandKey(act), true)
  }

  /** An invalid line is not passed on, because the editor could read it as a different message. */
  private hearAgent(line: string): void {
    if (line.trim() === "") return
    const read = readMessage(line)
    if ("problem" in read) {
      process.stderr.write(`${readable(`the agent's line was not passed on: ${read.problem}`)}\n`)
      return
    }
    const { message } = read
    const { id, result } = message
    if (isRecord(result) && Number(result["protocolVersion"] ?? knownVersion) > knownVersion) {
      this.toEditor({
        id,
        error: { code: -32_603, message: "the gate knows only version 1 of the protocol" }
      })
      this.agent.close()
      return
    }
    const act = actOf(message, (session, call) => this.calls.get(callKey(session, call)) ?? {})
    if (act === undefined) {
      this.noteUpdate(message)
      this.followed.hearAgent(message)
      this.pass(line)
    } else this.hold(line, message, act)
  }

  private noteUpdate({ method, params }: Message): void {
    const update = method === "session/update" && isRecord(params) ? params["update"] : undefined
    if (!isRecord(params) || !isRecord(update) || typeof update["toolCallId"] !== "string") return
    const key = callKey(String(params["sessionId"]), update["toolCallId"])
    setBounded(this.calls, followedCallsMax, key, merged(this.calls.get(key) ?? {}, update))
  }

  private hold(line: string, message: Message, act: AgentAct): void {
    const { id } = message
    // Without an id, the agent could not be told that nothing was done.
    if (!isId(id)) return
    const held = { line, message, id, act, stop: new AbortController() }
    if (this.held.has(id) || this.open.has(id) || this.held.size >= mcpHeldMax) {
      this.object(held, "no risk opinion: too many requests at once, or two with one id")
      return
    }
    this.held.set(id, held)
    this.settle(held)
      .catch((cause: unknown) =>
        this.object(held, `no risk opinion: ${cause instanceof Error ? cause.message : String(cause)}`)
      )
      .finally(() => this.held.delete(id))
  }

  private async settle(held: Held): Promise<void> {
    const { act, line, message, stop } = held
    const { env, folder, name: agent, saysLocal } = this.options
    const owner = await readOwnerSettings(folder, undefined, env, saysLocal)
    const tool = `acp:${agent}/${act.name}`
    const isExcepted = owner.problems.length === 0 && !isAsked(owner.gate, tool, today())
    const isAgreed =
      message["method"] === "terminal/create" && !setsVariables(act) && this.agreed.delete(commandKey(act))
    if (isExcepted || isAgreed) {
      this.pass(line)
      return
    }
    const asked = { ...(await this.ask(held, tool, owner)), owner }
    if (stop.signal.aborted) {
      this.tell(asked, "not_executed")
      this.object(held, "the session was cancelled", cancelled)
    } else if (asked.step === "refuse") {
      this.tell(asked, "not_executed")
      this.object(held, asked.reason)
    } else if (message["method"] === permissionMethod) this.passQuestion(held, asked)
    else if (asked.step === "no_objection") this.passAct(held, asked)
    else await this.askPerson(held, asked)
  }

  private ask({ act, id }: Held, tool: string, owner: OwnerSettings): Promise<NextStep> {
    const { name: agent } = this.options
    const question = questionOf(
      { tool, name: act.name, arguments: act.given },
      {
        mapping: owner.mapping,
        ownTools: {},
        agentId: `acp:${agent}`,
        session: callKey(this.session, act.sessionId),
        day: today(),
        extent: owner.gate.extent
      }
    )
    return askAbout(owner, {
      question,
      names: [`acp:${agent}`, this.session, act.sessionId, act.toolCallId, String(id)],
      objections: act.isStated ? [] : ["the agent does not state the arguments of the call"]
    })
  }

  private passQuestion({ act, id, message }: Held, asked: Asked): void {
    const question = questionWith(message, asked.step === "ask_person" ? asked.reason : undefined)
    const { options } = question["params"] as { readonly options: ReadonlyArray<Message> }
    setBounded(this.open, followedCallsMax, id, { act, asked, options })
    this.toEditor(question)
  }

  /** Asks the person through the protocol, in a question of the gate's own. The answer counts only for this request. */
  private async askPerson(held: Held, asked: Asked): Promise<void> {
    const id = `action-risk:${randomUUID()}`
    const said = await new Promise<ReturnType<typeof saidByEditor>>((resolve) => {
      const end = (one: ReturnType<typeof saidByEditor>) => {
        clearTimeout(timer)
        this.persons.delete(id)
        resolve(one)
      }
      const timer = setTimeout(() => end("person_absent"), mcpPersonMs)
      held.stop.signal.addEventListener("abort", () => end("person_absent"), { once: true })
      this.persons.set(id, (answer) => end(saidByEditor(answer)))
      this.toEditor(ownQuestion(id, held.act, asked.reason))
    })
    if (said === "person_agreed") {
      this.tell(asked, said)
      this.passAct(held, asked)
      return
    }
    this.tell(asked, said, "not_executed")
    this.object(held, asked.reason)
  }

  /** From here on, the editor has the request. */
  private passAct({ act, id, line }: Held, asked: Asked): void {
    this.followed.followRequest(id, act, asked)
    this.pass(line)
  }

  /** Tells the agent why nothing was done. A question has no room for a reason, so the editor shows it as a message. */
  private object({ act, id, message }: Held, reason: string, answer = rejection(message)): void {
    const text = readable(`Not done. ${reason}`)
    if (message["method"] !== permissionMethod) {
      this.toAgent({ id, error: { code: -32_000, message: text } })
      return
    }
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } }
    this.toEditor({ method: "session/update", params: { sessionId: act.sessionId, update } })
    this.toAgent({ id, result: answer })
  }
}
