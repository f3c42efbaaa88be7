/** How revision 2026-07-28 of MCP asks a person: the question is the result of the call, and the host calls again with the answer. */

import { createHash, randomUUID } from "node:crypto"
import { isRecord } from "../json/json.ts"
import { mcpHeldMax, mcpPersonMs } from "../limits.ts"
import { membersOf, objectOf } from "./jsonMembers.ts"

type Message = Readonly<Record<string, unknown>>

/** From this revision on there are no sessions: each request says by itself which revision it is of, and what the host can do. */
export const firstWithoutSessions = "2026-07-28"

/** The revision that a request states by itself. */
export const statedVersion = (meta: unknown): string | undefined => {
  const version = isRecord(meta) ? meta["io.modelcontextprotocol/protocolVersion"] : undefined
  return typeof version === "string" ? version : undefined
}

/** What a person is shown, and the one word that sends a call on. */
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

/** Only an answer that says so in so many words is one. */
export const goesAhead = (answer: unknown): boolean => {
  const content = isRecord(answer) && answer["action"] === "accept" ? answer["content"] : undefined
  return isRecord(content) && content["go_ahead"] === true
}

/** A host that says nothing of its kinds of questions means forms. */
export const asksByForm = (capabilities: unknown): boolean => {
  const elicitation = isRecord(capabilities) ? capabilities["elicitation"] : undefined
  return isRecord(elicitation) && (isRecord(elicitation["form"]) || Object.keys(elicitation).length === 0)
}

/** A call that a person is asked about, until it comes back. */
interface Waiting {
  readonly digest: string
  /** The server's own members of the parameters, which the question stands before. */
  readonly own: ReadonlyMap<string, string>
  readonly reason: string
  readonly timer: NodeJS.Timeout
}

/** A call that came back. `line`: what the server is to get. */
type Returned =
  | { readonly agreed: true; readonly line: string }
  | { readonly agreed: false; readonly reason: string }

const key = "action_risk"
const statePrefix = "action-risk:"
/** The members by which an answer comes back. A server that asks back uses the same ones. */
const roundMembers = ["inputResponses", "requestState"] as const

const partsOf = (line: string) => {
  const message = membersOf(line)
  return { message, params: membersOf(message.get("params") ?? "{}") }
}

/** Of the texts: two calls that any parser could tell apart are two calls. */
const digestOf = (params: ReadonlyMap<string, string>): string =>
  createHash("sha256")
    .update(JSON.stringify([params.get("name"), params.get("arguments")]))
    .digest("hex")

/**
 * The state that goes out with a question is a name that nobody can guess. What it stands for stays here: the exact call, and that it
 * counts once and for ten minutes. So there is nothing in it that could be forged.
 */
export class RoundTrips {
  private readonly waiting = new Map<string, Waiting>()

  /** The result that has the host ask its person. */
  question(line: string, message: string, reason: string): object {
    const { params } = partsOf(line)
    const own = new Map([...params].filter(([name]) => roundMembers.some((each) => each === name)))
    const requestState = `${statePrefix}${randomUUID()}`
    const timer = setTimeout(() => this.waiting.delete(requestState), mcpPersonMs).unref()
    this.waiting.set(requestState, { digest: digestOf(params), own, reason, timer })
    const [oldest] = this.waiting.keys()
    if (this.waiting.size > mcpHeldMax && oldest !== undefined) this.forget(oldest)
    return {
      resultType: "input_required",
      inputRequests: { [key]: questionTo(message, { mode: "form" }) },
      requestState
    }
  }

  /** Undefined where the call is no answer to a question of the gate. */
  take(line: string, { inputResponses, requestState }: Message): Returned | undefined {
    if (typeof requestState !== "string" || !requestState.startsWith(statePrefix)) return undefined
    const waiting = this.forget(requestState)
    if (waiting === undefined)
      return { agreed: false, reason: "the question that it answers is over: call the tool anew" }
    const { message, params } = partsOf(line)
    if (digestOf(params) !== waiting.digest)
      return { agreed: false, reason: "the answer of the person belongs to another call" }
    if (!isRecord(inputResponses) || !goesAhead(inputResponses[key]))
      return { agreed: false, reason: `no person agreed to it: ${waiting.reason}` }
    const kept = [...params].filter(([name]) => !roundMembers.some((each) => each === name))
    const sent = objectOf(new Map([...kept, ...waiting.own]))
    return { agreed: true, line: objectOf(new Map([...message, ["params", sent]])) }
  }

  private forget(requestState: string): Waiting | undefined {
    const waiting = this.waiting.get(requestState)
    clearTimeout(waiting?.timer)
    this.waiting.delete(requestState)
    return waiting
  }
}
