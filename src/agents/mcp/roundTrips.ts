/** How MCP revision 2026-07-28 asks a person: the question is the result of the call, and the host repeats the call with the answer. */

import { createHash, randomUUID } from "node:crypto"
import type { OutcomeEventType } from "../../domain/OutcomeEvent.ts"
import { isRecord } from "../../json/json.ts"
import { mcpHeldMax, mcpPersonMs } from "../../limits.ts"
import { membersOf, objectOf } from "../jsonMembers.ts"

type Message = Readonly<Record<string, unknown>>

/** From this revision on there are no sessions: each request states its own revision and the host's capabilities. */
export const firstWithoutSessions = "2026-07-28"

/** The revision that a request states. */
export const statedVersion = (meta: unknown): string | undefined => {
  const version = isRecord(meta) ? meta["io.modelcontextprotocol/protocolVersion"] : undefined
  return typeof version === "string" ? version : undefined
}

export type PersonSaid = Extract<OutcomeEventType, `person_${string}`>

/** The form shown to the person, with the one value that lets the call proceed. */
export const questionTo = (message: string, mode: { readonly mode?: "form" }) => ({
  method: "elicitation/create",
  params: {
    ...mode,
    message,
    requestedSchema: {
      type: "object",
      properties: { go_ahead: { type: "boolean", title: "Call the tool", default: false } },
      required: ["go_ahead"]
    }
  }
})

/** The answer as an outcome event. Only an explicit `go_ahead` counts as agreement. */
export const saidBy = (answer: unknown): PersonSaid => {
  if (!isRecord(answer)) return "person_absent"
  if (answer["action"] === "decline") return "person_declined"
  if (answer["action"] !== "accept") return "person_absent"
  const { content } = answer
  return isRecord(content) && content["go_ahead"] === true ? "person_agreed" : "person_declined"
}

/** A host that does not list its kinds of questions supports forms. */
export const asksByForm = (capabilities: unknown): boolean => {
  const elicitation = isRecord(capabilities) ? capabilities["elicitation"] : undefined
  return isRecord(elicitation) && (isRecord(elicitation["form"]) || Object.keys(elicitation).length === 0)
}

/** A call that waits for a person's answer. */
interface Waiting<A> {
  readonly digest: string
  /** The server's own members of the parameters, which the gate keeps until the person has answered. */
  readonly own: ReadonlyMap<string, string>
  readonly asked: A
  readonly timer: NodeJS.Timeout
}

/** A call that came back. `line`: what to send to the server if the person agreed. */
type Returned<A> =
  | { readonly said: "person_agreed"; readonly asked: A; readonly line: string }
  | { readonly said: Exclude<PersonSaid, "person_agreed">; readonly asked: A | null; readonly reason: string }

const key = "action_risk"
const statePrefix = "action-risk:"
/** The members that carry an answer. A server that asks back uses the same ones. */
const roundMembers = ["inputResponses", "requestState"] as const

const partsOf = (line: string) => {
  const message = membersOf(line)
  return { message, params: membersOf(message.get("params") ?? "{}") }
}

/** Computed over the texts as written, so that two calls that any parser could tell apart differ. */
const digestOf = (params: ReadonlyMap<string, string>): string =>
  createHash("sha256")
    .update(JSON.stringify([params.get("name"), params.get("arguments")]))
    .digest("hex")

/**
 * The state sent with a question is an unguessable name. Its meaning stays here: the exact call, valid once and for ten minutes. So it
 * contains nothing that could be forged. `A`: further data about a question.
 */
export class RoundTrips<A> {
  private readonly waiting = new Map<string, Waiting<A>>()
  private readonly whenOver: (asked: A) => void

  /** `whenOver` is called for questions that were not answered in time. */
  constructor(whenOver: (asked: A) => void) {
    this.whenOver = whenOver
  }

  /** The result that makes the host ask its person. */
  question(line: string, message: string, asked: A): object {
    const { params } = partsOf(line)
    const own = new Map([...params].filter(([name]) => roundMembers.some((each) => each === name)))
    const requestState = `${statePrefix}${randomUUID()}`
    const timer = setTimeout(() => this.giveUp(requestState), mcpPersonMs).unref()
    this.waiting.set(requestState, { digest: digestOf(params), own, asked, timer })
    const [oldest] = this.waiting.keys()
    if (this.waiting.size > mcpHeldMax && oldest !== undefined) this.giveUp(oldest)
    return {
      resultType: "input_required",
      inputRequests: { [key]: questionTo(message, { mode: "form" }) },
      requestState
    }
  }

  /** Undefined if the call is not an answer to a question of the gate. */
  take(line: string, { inputResponses, requestState }: Message): Returned<A> | undefined {
    if (typeof requestState !== "string" || !requestState.startsWith(statePrefix)) return undefined
    const waiting = this.forget(requestState)
    const absent = { said: "person_absent", asked: waiting?.asked ?? null } as const
    if (waiting === undefined)
      return { ...absent, reason: "the question that it answers is no longer open: call the tool again" }
    const { message, params } = partsOf(line)
    if (digestOf(params) !== waiting.digest)
      return { ...absent, reason: "the person's answer belongs to another call" }
    const said = saidBy(isRecord(inputResponses) ? inputResponses[key] : undefined)
    const { asked, own } = waiting
    if (said !== "person_agreed") return { said, asked, reason: "no person approved it" }
    const kept = [...params].filter(([name]) => !roundMembers.some((each) => each === name))
    const sent = objectOf(new Map([...kept, ...own]))
    return { said, asked, line: objectOf(new Map([...message, ["params", sent]])) }
  }

  private giveUp(requestState: string): void {
    const waiting = this.forget(requestState)
    if (waiting !== undefined) this.whenOver(waiting.asked)
  }

  private forget(requestState: string): Waiting<A> | undefined {
    const waiting = this.waiting.get(requestState)
    clearTimeout(waiting?.timer)
    this.waiting.delete(requestState)
    return waiting
  }
}
