/** Requests of the Agent Client Protocol (version 1) that do something, expressed as tool calls. */

import { basename } from "node:path"
import { isRecord, type Json, type JsonObject } from "../../json/json.ts"
import type { Message } from "../mcp/messageLines.ts"

export const permissionMethod = "session/request_permission"

/** Identifies a call or a terminal, which is unique only within its session. */
export const callKey = (sessionId: unknown, id: unknown): string => `${String(sessionId)} ${String(id)}`

/** An act of an agent: something for which it asks a person's permission, or something that it has the editor do. */
export interface AgentAct {
  readonly sessionId: string
  /** The call shown by the editor; undefined if the agent names none. */
  readonly toolCallId: string | undefined
  readonly name: string
  readonly kind: string
  readonly given: JsonObject
  /** The agent states the arguments of the call. */
  readonly isStated: boolean
  /** The command as one text, if the act is a command. */
  readonly command: string | undefined
}

/** Agents need not name their tools, so each kind has an equivalent tool name. */
const namesOfKinds: Readonly<Record<string, string>> = {
  read: "read_file",
  edit: "edit_file",
  delete: "delete_file",
  move: "move_file",
  search: "search_files",
  execute: "run_command",
  fetch: "fetch_url",
  think: "think"
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const wordsOf = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).filter((word) => typeof word === "string")

/** Quotes a word that a shell would split, so that the text remains one command. */
const asWord = (word: string): string =>
  /^[^\s'"]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

const commandIn = (given: JsonObject): string | undefined => {
  const words = [...wordsOf(given["command"]), ...wordsOf(given["args"]).map(asWord)]
  return words.length === 0 ? undefined : words.join(" ")
}

/** Whether the editor should run the command with environment variables, which no question mentioned. */
export const setsVariables = ({ given: { env } }: AgentAct): boolean => Array.isArray(env) && env.length > 0

const pathsIn = (locations: unknown): ReadonlyArray<string> =>
  (Array.isArray(locations) ? locations : []).flatMap((place: unknown) =>
    isRecord(place) && typeof place["path"] === "string" ? [place["path"]] : []
  )

/** `call`: everything that the agent has said about it. */
const actOfCall = (sessionId: string, call: Message): AgentAct => {
  const { kind, name, rawInput, toolCallId } = call
  const paths = pathsIn(call["locations"])
  // Invariant: the message was parsed from JSON.
  const input = (rawInput ?? undefined) as Json | undefined
  const given: JsonObject = isRecord(input)
    ? (input as JsonObject)
    : { ...(input !== undefined && { value: input }), ...(paths.length > 0 && { paths }) }
  return {
    sessionId,
    toolCallId: textOf(toolCallId),
    name: textOf(name) ?? namesOfKinds[String(kind)] ?? "call_tool",
    kind: textOf(kind) ?? "other",
    given,
    isStated: input !== undefined || paths.length > 0,
    command: commandIn(given)
  }
}

/** Undefined for a message that does nothing. `described`: what the agent said about a call earlier. */
export const actOf = (
  { method, params }: Message,
  described: (sessionId: string, toolCallId: unknown) => Message
): AgentAct | undefined => {
  const { sessionId: session, ...given } = isRecord(params) ? params : {}
  const sessionId = String(session)
  if (method === permissionMethod) {
    const call = isRecord(given["toolCall"]) ? given["toolCall"] : {}
    return actOfCall(sessionId, merged(described(sessionId, call["toolCallId"]), call))
  }
  if (method === "terminal/create") return actOfCall(sessionId, { kind: "execute", rawInput: given })
  return method === "fs/write_text_file"
    ? actOfCall(sessionId, { name: "write_file", kind: "edit", rawInput: given })
    : undefined
}

/** Applies an update to a call: an absent or null member changes nothing. */
export const merged = (call: Message, update: Message): Message => ({
  ...call,
  ...Object.fromEntries(Object.entries(update).filter(([, value]) => value !== null && value !== undefined))
})

/** The default name of an agent: the name of its program. */
export const nameOfAgent = (program: string): string => basename(program).replace(/\.\w+$/, "")

const reasonContent = (reason: string) => ({ type: "content", content: { type: "text", text: reason } })

const optionsIn = (params: unknown): ReadonlyArray<Message> =>
  isRecord(params) && Array.isArray(params["options"]) ? params["options"].filter(isRecord) : []

/**
 * The agent's question, with the reason for asking added. Removes the choice "always allow": after that the agent would stop asking, and
 * the gate would see no further call.
 */
export const questionWith = (message: Message, reason: string | undefined): Message => {
  const params = isRecord(message["params"]) ? message["params"] : {}
  const call = isRecord(params["toolCall"]) ? params["toolCall"] : {}
  const content = Array.isArray(call["content"]) ? call["content"] : []
  const options = optionsIn(params).filter(({ kind }) => kind !== "allow_always")
  return {
    ...message,
    params: {
      ...params,
      options,
      toolCall: reason === undefined ? call : { ...call, content: [reasonContent(reason), ...content] }
    }
  }
}

const ownOptions = [
  { optionId: "allow", name: "Allow once", kind: "allow_once" },
  { optionId: "reject", name: "Reject", kind: "reject_once" }
]

/** A question by the gate, about an act for which the agent did not ask. */
export const ownQuestion = (id: string, { given, kind, name, sessionId }: AgentAct, reason: string) => ({
  id,
  method: permissionMethod,
  params: {
    sessionId,
    toolCall: {
      toolCallId: id,
      title: `${name}?`,
      kind,
      status: "pending",
      rawInput: given,
      content: [reasonContent(reason)]
    },
    options: ownOptions
  }
})

/** An editor's answer to a question with these options. Anything unexpected is not a consent. */
export const saidByEditor = (
  { result }: Message,
  options: ReadonlyArray<Message> = ownOptions
): "person_agreed" | "person_declined" | "person_absent" => {
  const outcome = isRecord(result) && isRecord(result["outcome"]) ? result["outcome"] : {}
  if (outcome["outcome"] !== "selected") return "person_absent"
  const chosen = options.find(({ optionId }) => optionId === outcome["optionId"])
  return chosen?.["kind"] === "allow_once" ? "person_agreed" : "person_declined"
}

/** The answer to a question that no person answered. */
export const cancelled: { readonly outcome: Message } = { outcome: { outcome: "cancelled" } }

/** The answer of a person who refuses, using the agent's own options. */
export const rejection = ({ params }: Message): typeof cancelled => {
  const kinds = ["reject_once", "reject_always"]
  const no = optionsIn(params).find(({ kind }) => kinds.includes(String(kind)))
  return no === undefined ? cancelled : { outcome: { outcome: "selected", optionId: no["optionId"] } }
}
