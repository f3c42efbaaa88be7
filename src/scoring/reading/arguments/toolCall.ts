/** A tool call in the format of hosts and SDKs, `metadata.tool_call`, and the parts in which it is read. */

import type { Action } from "../../../domain/Action.ts"
import { isRecord, type Json, type JsonObject } from "../../../json/json.ts"
import type { KnownAct } from "../../knowledge/OrganizationCatalogue.ts"
import type { Lexicon } from "../callArguments.ts"
import { fileToolOf } from "../callCommand.ts"
import { type NameOfCall, providerOf, readNameOfCall, slice } from "../nameOfCall.ts"
import { splitName } from "../../names/splitName.ts"
import type { ParameterRole } from "./Parameters.ts"
import { readToolArguments, type ToolArguments } from "./readToolArguments.ts"
import { conventionsOfTool, type ToolName, withRoles } from "./roles.ts"
import { type ServerClaims, walkArguments } from "./walkArguments.ts"

export interface StatedToolCall {
  readonly name: string | undefined
  readonly arguments: Json
  readonly server: string | undefined
  readonly claims: ServerClaims
  /** The paths of values that the caller handed over incompletely or not at all. */
  readonly leftOut: ReadonlySet<string>
  /** Members that do not have this shape. */
  readonly unread: ReadonlyArray<string>
}

const text = (json: Json | undefined): string | undefined =>
  typeof json === "string" && json.trim() !== "" ? json : undefined

const noClaims: ServerClaims = { annotations: null, inputSchema: null }

/** Undefined if the call states none. A different shape is not an error: the call then counts as unread. */
export const toolCallOf = (metadata: JsonObject | undefined): StatedToolCall | undefined => {
  const call = metadata?.["tool_call"]
  if (call === undefined) return undefined
  if (!isRecord(call))
    return {
      name: undefined,
      arguments: {},
      server: undefined,
      claims: noClaims,
      leftOut: new Set(),
      unread: ["$"]
    }
  const {
    annotations = null,
    arguments: stated,
    input_schema: inputSchema = null,
    left_out: left = [],
    name,
    server
  } = call as JsonObject
  const isObject = isRecord(stated)
  const isListOfPaths = Array.isArray(left) && left.every((path) => typeof path === "string")
  const hasShape = isListOfPaths && (name === undefined || typeof name === "string")
  return {
    name: text(name),
    server: text(server),
    claims: { annotations, inputSchema },
    arguments: stated === undefined || stated === null ? {} : isObject ? stated : { value: stated },
    leftOut: new Set(isListOfPaths ? left : []),
    unread: hasShape ? [] : ["$"]
  }
}

/** The tool name under which the commands of `writes` are read. */
const writingShell = "bash"

/**
 * One of the actions in which a call is read.
 * - `name`: only the tool. `arguments`: the tool with its arguments. `target`: the tool with the stated target.
 * - `code`: the tool with a text of code. `deed`: a deed that an argument names.
 * - `label`: the tool with a text that can only add risk: the label of a button that it presses, or code that only the tool's server
 *   declares.
 * - `renamed`: the tool by the name in the call, if that differs from `action_type`.
 */
export interface ActionPart {
  readonly kind: "name" | "arguments" | "code" | "deed" | "target" | "label" | "renamed"
  /** The field of the request, or the path of the argument, that holds the text of this part. Its name comes from elsewhere. */
  readonly field: string
  readonly action: Action
  readonly toolArguments: ToolArguments | undefined
}

interface CallInParts {
  readonly toolArguments: ToolArguments
  /** The name leaves the act to a parameter: `manage_users`, `work_item_write`. */
  readonly multiplexes: boolean
  readonly name: ActionPart
  readonly withArguments: ActionPart
  readonly others: ReadonlyArray<ActionPart>
}

const prefixOf = (actionType: string): string => /^mcp__.+?__(?=.)/i.exec(actionType)?.[0] ?? ""

/** Whether a name ends with the words `end`. The words before them may be its server. */
const endsWith = (words: ReadonlyArray<string>, end: ReadonlyArray<string>): boolean =>
  end.length <= words.length && end.every((word, at) => words[words.length - end.length + at] === word)

const statesAct = ({ class: own, extent, holds, impact }: KnownAct = {}): boolean =>
  [own, extent, holds, impact].some((said) => said !== undefined)

/** `server`: the caller's name for the tool's server. */
const toolOf = (
  nameOfCall: NameOfCall,
  server: string | undefined,
  lexicon: Lexicon,
  known?: KnownAct
): ToolName => {
  const { catalogue, vocabulary } = lexicon
  const { own, server: at, split } = nameOfCall
  return {
    words: [...split.words.slice(0, at), ...splitName(server ?? "", vocabulary.isKnown).words],
    own: slice(split, Math.max(at, 0)).words,
    provider: providerOf(nameOfCall, catalogue),
    isListed: nameOfCall.provided !== undefined || statesAct(known),
    class: own.class,
    fileTool: fileToolOf(nameOfCall, lexicon),
    people: known?.people
  }
}

/** The role of each parameter of a tool, by path. `args` must have a value for each. Null: the parameter is read only by its value. */
export const rolesOfParameters = (
  action: Action,
  args: Json,
  lexicon: Lexicon
): ReadonlyArray<readonly [path: string, role: ParameterRole | null]> => {
  const { parameters, vocabulary } = lexicon
  const tool = toolOf(readNameOfCall(action, lexicon), undefined, lexicon)
  const { values } = walkArguments(args, parameters, vocabulary.isKnown)
  return withRoles(values, conventionsOfTool(tool, parameters)).map(({ path, role }) => [path, role ?? null])
}

export const partsOfCall = (
  given: Action,
  call: StatedToolCall,
  lexicon: Lexicon,
  known?: KnownAct
): CallInParts => {
  const { metadata: _, targetResource, ...plain } = given
  const { multiplexers } = lexicon.parameters
  const nameOfCall = readNameOfCall(plain, lexicon)
  const { own, split } = nameOfCall
  const tool = toolOf(nameOfCall, call.server, lexicon, known)
  const toolArguments = readToolArguments(call, tool, lexicon)
  const destination = given.destination ?? toolArguments.destination?.value
  const bare: Action = { ...plain, ...(destination === undefined ? {} : { destination }) }
  const part = (kind: ActionPart["kind"], field: string, changed: Partial<Action> = {}): ActionPart => ({
    kind,
    field,
    action: { ...bare, ...changed },
    toolArguments: argued.has(kind) ? toolArguments : undefined
  })
  const object = own.object === undefined ? tool.own : own.object.split(" ")
  const nameOfDeed = (words: ReadonlyArray<string>): string =>
    prefixOf(given.actionType) + [...words, ...object.filter((word) => !words.includes(word))].join("_")
  const other = call.name === undefined ? [] : splitName(call.name, lexicon.vocabulary.isKnown).words
  const isOther = other.length > 0 && !endsWith(split.words, other) && !endsWith(other, tool.own)
  return {
    toolArguments,
    multiplexes:
      own.class === "unknown" || multiplexers.has(own.verb ?? "") || multiplexers.has(tool.own.at(-1) ?? ""),
    name: part("name", "action_type"),
    withArguments: part("arguments", "action_type"),
    others: [
      ...toolArguments.codes.map(({ path, text }) => part("code", path, { targetResource: text })),
      ...toolArguments.writes.map(({ path, text }) =>
        part("code", path, { actionType: writingShell, targetResource: text })
      ),
      ...toolArguments.deeds.map(({ path, value: { words } }) =>
        part("deed", path, { actionType: nameOfDeed(words) })
      ),
      ...(targetResource === undefined ? [] : [part("target", "target_resource", given)]),
      ...[...toolArguments.labels, ...toolArguments.claimedCodes].map(({ path, text }) =>
        part("label", path, { targetResource: text })
      ),
      ...(call.name === undefined || !isOther
        ? []
        : [part("renamed", "metadata.tool_call.name", { actionType: call.name })])
    ]
  }
}

const argued: ReadonlySet<ActionPart["kind"]> = new Set<ActionPart["kind"]>(["arguments", "deed", "renamed"])
