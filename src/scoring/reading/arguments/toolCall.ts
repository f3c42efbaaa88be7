/** A call as hosts and SDKs have it, `metadata.tool_call`, and the parts in which it is read. */

import type { Action } from "../../../domain/Action.ts"
import { isRecord, type Json, type JsonObject } from "../../../json/json.ts"
import type { KnownAct } from "../../knowledge/OrganizationCatalogue.ts"
import type { Lexicon } from "../callArguments.ts"
import { type NameOfCall, providerOf, readNameOfCall, slice } from "../nameOfCall.ts"
import { splitName } from "../../names/splitName.ts"
import type { CodeText } from "./codes.ts"
import type { ParameterRole } from "./Parameters.ts"
import { readToolArguments, type ToldArguments } from "./readToolArguments.ts"
import { conventionsOfTool, type ToolName, withRoles } from "./roles.ts"
import { type ServerClaims, walkArguments } from "./walkArguments.ts"

export interface StatedToolCall {
  readonly name: string | undefined
  readonly arguments: Json
  readonly server: string | undefined
  readonly claims: ServerClaims
  /** The paths of values that the caller did not hand over, or not whole. */
  readonly leftOut: ReadonlySet<string>
  /** Members that have no such shape. */
  readonly unread: ReadonlyArray<string>
}

const text = (json: Json | undefined): string | undefined =>
  typeof json === "string" && json.trim() !== "" ? json : undefined

const noClaims: ServerClaims = { annotations: null, inputSchema: null }

/** Undefined where the call states none. Another shape is no error: then nothing of the call was read. */
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

/** The part that one argument adds to a call. */
interface PartByPath {
  readonly path: string
  readonly action: Action
}

/** A tool that runs what it is given. */
const writingShell = "bash"

/** The parts in which a call is read. Each is an action. */
export interface CallParts {
  readonly toldBy: ToldArguments
  /** The name leaves the act to a parameter: `manage_users`, `work_item_write`. */
  readonly multiplexes: boolean
  /** Only the tool. */
  readonly bare: Action
  /** The tool with each text of code. */
  readonly codes: ReadonlyArray<PartByPath>
  /** The deeds that the arguments name. */
  readonly deeds: ReadonlyArray<PartByPath>
  /** The tool with the target that is stated. */
  readonly stated: Action | undefined
  /** The tool with each text that only adds: the label of a thing that it presses, and code by the claim of the tool's server. */
  readonly labels: ReadonlyArray<PartByPath>
  /** The tool by the name of the call, where that is another one than `action_type`. */
  readonly renamed: Action | undefined
}

const prefixOf = (actionType: string): string => /^mcp__.+?__(?=.)/i.exec(actionType)?.[0] ?? ""

/** Whether the last words of a name are `end`. The words in front may be its server. */
const endsWith = (words: ReadonlyArray<string>, end: ReadonlyArray<string>): boolean =>
  end.length <= words.length && end.every((word, at) => words[words.length - end.length + at] === word)

const statesAct = ({ class: own, extent, holds, impact }: KnownAct = {}): boolean =>
  [own, extent, holds, impact].some((said) => said !== undefined)

/** `server`: the caller's name for the server of the tool. */
const toolOf = (
  nameOfCall: NameOfCall,
  server: string | undefined,
  { catalogue, vocabulary }: Lexicon,
  known?: KnownAct
): ToolName => {
  const { own, server: at, split } = nameOfCall
  return {
    words: [...split.words.slice(0, at), ...splitName(server ?? "", vocabulary.isKnown).words],
    own: slice(split, Math.max(at, 0)).words,
    provider: providerOf(nameOfCall, catalogue),
    isListed: nameOfCall.provided !== undefined || statesAct(known),
    class: own.class,
    people: known?.people
  }
}

/** The role of each parameter of a tool, by its path: `args` has a value for each. Null: it is read only by its value. */
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
): CallParts => {
  const { metadata: _, targetResource, ...plain } = given
  const { isKnown } = lexicon.vocabulary
  const nameOfCall = readNameOfCall(plain, lexicon)
  const { own, split } = nameOfCall
  const tool = toolOf(nameOfCall, call.server, lexicon, known)
  const { own: called } = tool
  const toldBy = readToolArguments(call, tool, lexicon)
  const destination = given.destination ?? toldBy.destination?.value
  const bare: Action = { ...plain, ...(destination === undefined ? {} : { destination }) }
  const withTarget = ({ path, text: target }: CodeText): PartByPath => ({
    path,
    action: { ...bare, targetResource: target }
  })
  const object = own.object === undefined ? called : own.object.split(" ")
  const deeds = toldBy.deeds.map(({ path, value: { words } }): PartByPath => {
    const name = [...words, ...object.filter((word) => !words.includes(word))].join("_")
    return { path, action: { ...bare, actionType: `${prefixOf(given.actionType)}${name}` } }
  })
  const other = call.name === undefined ? [] : splitName(call.name, isKnown).words
  const isOther = other.length > 0 && !endsWith(split.words, other) && !endsWith(other, called)
  const { multiplexers } = lexicon.parameters
  return {
    toldBy,
    multiplexes:
      own.class === "unknown" || multiplexers.has(own.verb ?? "") || multiplexers.has(called.at(-1) ?? ""),
    bare,
    codes: [
      ...toldBy.codes.map(withTarget),
      ...toldBy.writes.map(({ path, text: command }): PartByPath => ({
        path,
        action: { ...bare, actionType: writingShell, targetResource: command }
      }))
    ],
    deeds,
    stated: targetResource === undefined ? undefined : { ...given, ...bare, targetResource },
    labels: [...toldBy.labels, ...toldBy.claimedCodes].map(withTarget),
    renamed: isOther && call.name !== undefined ? { ...bare, actionType: call.name } : undefined
  }
}
