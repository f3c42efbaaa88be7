/** Turns a tool call into a question: by the owner's mapping, or by what is known about the host's own tools. */

import { createHash } from "node:crypto"
import { type Location, type Mapping, type Select, withoutPlaces } from "./argumentPaths.ts"
import type { ProposedAction } from "../client/Assessment.ts"
import type { Environment } from "../domain/Action.ts"
import { isRecord, type Json, type JsonObject } from "../json/json.ts"
import {
  bodyBytesMax,
  commandTextMax,
  destinationMax,
  handedProseMax,
  sessionDigestLength,
  targetResourceMax
} from "../limits.ts"
import { maskSecrets } from "../domain/maskSecrets.ts"
import { type MappedField, type PathReading, figureFields, textFields, type ToolEntry } from "./ToolsFile.ts"
import { handedArguments, type HandedExtent } from "./handedArguments.ts"

export interface ToolCall {
  /** The name used in mappings: `mcp:shop/refund`, or `Bash` for the host's own tool. */
  readonly tool: string
  /** The name used by the host: `mcp__shop__refund`. */
  readonly name: string
  readonly arguments: JsonObject
  /** The JSON Schema of the arguments, if the tool's server sent one. */
  readonly inputSchema?: unknown
  /** The annotations of the tool's server, as defined by MCP. */
  readonly annotations?: unknown
}

/** How the question was derived from the call. */
export interface HowAsked {
  /** The tool is one of the host's known tools, or is in the mapping. */
  readonly mapped: boolean
  /** Every argument that the mapping uses could be handed over completely. */
  readonly whole: boolean
}

export interface Question extends HowAsked {
  readonly action: ProposedAction
}

/** Undefined: there is no value. Null: there is a value that cannot be handed over. */
type Read = string | number | null | undefined

const longest: Readonly<Record<(typeof textFields)[number], number>> = {
  target_resource: targetResourceMax,
  destination: destinationMax,
  currency: 3
}

const characters = (text: string): number => [...text].length

const readText = (field: keyof typeof longest, reading: PathReading, values: ReadonlyArray<Json>): Read => {
  const [value] = values
  if (value === undefined || value === null || value === "") return undefined
  if (typeof value !== "string" && typeof value !== "number") return null
  const text = reading.host ? hostOf(String(value)) : String(value)
  const mapped = reading.map === undefined || text === null ? text : ownValue(reading.map, text)
  if (mapped === null) return null
  const masked = maskSecrets(mapped)
  if (characters(masked) > longest[field]) return null
  return field === "currency" && !/^[A-Za-z]{3}$/.test(masked) ? null : masked
}

const ownValue = (table: Readonly<Record<string, string>>, key: string): string | null =>
  Object.hasOwn(table, key) ? (table[key] ?? null) : null

const hostOf = (text: string): string | null => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url === undefined || url.hostname === "" ? null : url.hostname
}

/** A figure of at least 0, also if it is written as decimal text. */
const figureOf = (value: Json): number | null => {
  const figure = typeof value === "string" && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
  return typeof figure === "number" && Number.isFinite(figure) && figure >= 0 ? figure : null
}

/** Works on the digits of the number, because 1999 times 0.01 is not 19.99 in floating point. */
const scaled = (figure: number, power: number): number | null => {
  const [digits = "0", exponent = "0"] = String(figure).split("e")
  const moved = Number(`${digits}e${Number(exponent) + power}`)
  return Number.isFinite(moved) ? moved : null
}

const readFigure = (field: MappedField, reading: PathReading, values: ReadonlyArray<Json>): Read => {
  if (values.length === 0) return undefined
  if (reading.count !== undefined) return values.length
  if (reading.at !== undefined && values[0] === null) return undefined
  const figures = values.map(figureOf)
  if (figures.includes(null)) return null
  const sum = figures.reduce<number>((total, each) => total + (each ?? 0), 0)
  const figure = reading.scale === undefined ? sum : scaled(sum, reading.scale)
  if (figure === null || field === "financial_value") return figure
  // A count that is not a whole number was not meant as a count.
  return Number.isSafeInteger(figure) ? figure : null
}

const isFigureField = (field: string): field is (typeof figureFields)[number] =>
  figureFields.some((each) => each === field)

/** The fields read from the arguments, and whether every value could be handed over. */
interface ReadFields {
  readonly fields: Partial<ProposedAction>
  readonly whole: boolean
  /** The arguments that are not covered by fields. Null for the host's own tools, for which only the fields are sent. */
  readonly rest: JsonObject | null
}

const readFields = (entry: ToolEntry, given: JsonObject, select: Select): ReadFields => {
  const said: Array<Location> = []
  const read = Object.entries(entry.from_arguments ?? {}).map(([name, reading]) => {
    const selected = select(reading.at ?? reading.count ?? reading.sum ?? "$", given)
    const values = selected.map(({ value }) => value)
    const value = isFigureField(name)
      ? readFigure(name, reading, values)
      : // Invariant: the shape of the file has no other fields.
        readText(name as keyof typeof longest, reading, values)
    // The number of things does not replace the things themselves, so they remain in the rest.
    if (value !== undefined && value !== null && reading.count === undefined)
      said.push(...selected.map(({ location }) => location))
    return [name, value] as const
  })
  return {
    fields: Object.fromEntries(read.filter(([, value]) => value !== undefined && value !== null)),
    whole: read.every(([, value]) => value !== null),
    // Invariant: an object without some of its members is still an object.
    rest: withoutPlaces(given, said) as JsonObject
  }
}

/**
 * One of the host's own tools, which the service knows by name: the field for its one informative argument. A patch is sent without the
 * lines of its files.
 */
export type OwnTool = OwnArgument | "patch"

interface OwnArgument {
  readonly field: "target_resource" | "destination"
  readonly key: string
  /** The argument is a URL, of which only the host is handed over. */
  readonly host?: true
}

interface Asking {
  /** Null if there is no mapping. */
  readonly mapping: Mapping | null
  /** Null: the tool's name says everything. */
  readonly ownTools: Readonly<Record<string, OwnTool | null>>
  /** How much of other tools' arguments is handed over. */
  readonly extent: HandedExtent
  /** The agent, unless the mapping names one. */
  readonly agentId: string
  /** The run of the agent, of which only a digest is sent. Undefined if the host does not identify it. */
  readonly session?: string | undefined
  /** Today in UTC, such as 2027-06-30. */
  readonly day: string
}

const counts = (entry: ToolEntry, day: string): boolean =>
  entry.guess !== true && (entry.review_by === undefined || day <= entry.review_by)

const own = <A>(table: Readonly<Record<string, A>> | undefined, key: string): A | undefined =>
  table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined

/** A word that a shell takes literally anywhere: not an assignment, a pattern, or a home folder. */
const plainWord = /^(?![A-Za-z_]\w*\+?=)[\w@%+=:,./-]+$/
/** Plain words that a shell does not run as a program. */
const reservedWord =
  /^(?:case|coproc|do|done|elif|else|esac|fi|for|function|if|in|select|then|time|until|while)$/

const quotedWord = (word: string): string =>
  plainWord.test(word) && !reservedWord.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** Quotes the words of one command so that a shell reads them back. Several commands become the lines of a script. */
const joined = (key: string, given: Json): Json => {
  if (!Array.isArray(given) || given.length === 0) return given
  const texts = given.filter((one) => typeof one === "string")
  if (texts.length < given.length) return given
  return key === "commands" ? texts.join("\n") : texts.map(quotedWord).join(" ")
}

/** The target holds only the beginning of the command, so the service reads `metadata.command` instead. */
const readLongCommand = (text: string): ReadFields => {
  const command = maskSecrets(text)
  const target = [...command].slice(0, targetResourceMax).join("")
  return command.length > commandTextMax
    ? { fields: { target_resource: target }, whole: false, rest: null }
    : { fields: { target_resource: target, metadata: { command } }, whole: true, rest: null }
}

const fileOfPatch = /^\*\*\* (?:(?:Add|Delete|Update) File|Move to): .+$/gm

/** Hosts use different names for the argument, so every text is searched for a patch. The lines of the files stay on the machine. */
const readPatch = (name: string, given: JsonObject): ReadFields => {
  const files = Object.values(given).flatMap((text) =>
    typeof text === "string" ? (text.match(fileOfPatch) ?? []) : []
  )
  const patch = ["*** Begin Patch", ...files, "*** End Patch"].map(maskSecrets).join("\n")
  return {
    fields: files.length === 0 ? {} : { metadata: { tool_call: { name, arguments: { patch } } } },
    whole: files.length > 0,
    rest: null
  }
}

/** If a host renames the argument, the call must not look as if it had none. */
const readOwnTool = (tool: OwnTool | null, { arguments: given, name }: ToolCall): ReadFields => {
  if (tool === null) return { fields: {}, whole: true, rest: null }
  if (tool === "patch") return readPatch(name, given)
  const { field, host, key } = tool
  const text = joined(key, own(given, key) ?? null)
  const value = readText(field, host === undefined ? {} : { host }, [text])
  if (typeof value === "string") return { fields: { [field]: value }, whole: true, rest: null }
  const isCommand =
    /^(?:command|commands|cmd|command_line|CommandLine)$/.test(key) && typeof text === "string" && text !== ""
  return isCommand ? readLongCommand(text) : { fields: {}, whole: false, rest: null }
}

/** The service rejects larger bodies. */
const fits = (action: ProposedAction): boolean => Buffer.byteLength(JSON.stringify(action)) <= bodyBytesMax

/** The worst case. For an agent that works elsewhere, the mapping names the environment. */
const unstatedEnvironment: Environment = "production"

/** The titles and formats in the tool's schema for the arguments of this call. The rest of a schema can be long and says nothing. */
const describedIn = (inputSchema: unknown, given: JsonObject): JsonObject => {
  const properties = isRecord(inputSchema) ? inputSchema["properties"] : undefined
  const described = Object.keys(given).flatMap((name) => {
    const property = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
    const said = ["title", "format"].flatMap((key) => {
      const text = isRecord(property) ? property[key] : undefined
      return typeof text === "string" && text.length <= handedProseMax ? [[key, maskSecrets(text)]] : []
    })
    return said.length === 0 ? [] : [[name, Object.fromEntries(said)]]
  })
  return described.length === 0 ? {} : { input_schema: { properties: Object.fromEntries(described) } }
}

const hintsIn = (annotations: unknown): JsonObject => {
  const hints = Object.entries(isRecord(annotations) ? annotations : {}).filter(
    ([name, value]) => /^\w{1,40}Hint$/.test(name) && typeof value === "boolean"
  )
  return hints.length === 0 ? {} : { annotations: Object.fromEntries(hints) as JsonObject }
}

/** The arguments in the form that the service reads, `metadata.tool_call`. */
const handedCall = (
  name: string,
  given: JsonObject,
  extent: HandedExtent,
  { annotations, inputSchema }: ToolCall
): JsonObject => {
  const hints = hintsIn(annotations)
  if (extent === "names") return Object.keys(hints).length === 0 ? {} : { tool_call: { name, ...hints } }
  const { arguments: handed, leftOut } = handedArguments(given, extent, inputSchema)
  return {
    tool_call: {
      name,
      arguments: handed,
      ...(leftOut.length > 0 && { left_out: leftOut }),
      ...hints,
      ...(extent === "whole" && describedIn(inputSchema, given))
    }
  }
}

/** Lets an organization count how often one run interrupts a person. */
const sessionOf = (agentId: string, session: string): JsonObject => ({
  session: createHash("sha256")
    .update(JSON.stringify([agentId, session]))
    .digest("hex")
    .slice(0, sessionDigestLength)
})

export const questionOf = (call: ToolCall, asking: Asking): Question => {
  const { agentId, day, extent, mapping, ownTools, session } = asking
  const stated = own(mapping?.file.tools, call.tool)
  const entry = stated !== undefined && counts(stated, day) ? stated : undefined
  const ownTool = entry === undefined ? own(ownTools, call.tool) : undefined
  const { fields, rest, whole }: ReadFields =
    entry !== undefined && mapping !== null
      ? readFields(entry, call.arguments, mapping.select)
      : ownTool !== undefined
        ? readOwnTool(ownTool, call)
        : { fields: {}, whole: true, rest: call.arguments }
  const actionType = entry?.action_type ?? call.name
  const action = {
    action_type: actionType,
    environment: entry?.environment ?? mapping?.file.environment ?? unstatedEnvironment,
    agent_id: mapping?.file.agent_id ?? agentId,
    ...(entry?.target_system !== undefined && { target_system: entry.target_system }),
    ...fields,
    metadata: {
      ...fields.metadata,
      tool: call.tool,
      ...(rest !== null && handedCall(actionType, rest, extent, call))
    },
    ...(session !== undefined && { context: sessionOf(agentId, session) })
  }
  const mapped = entry !== undefined || (stated === undefined && ownTool !== undefined)
  return fits(action)
    ? { mapped, whole, action }
    : { mapped, whole: false, action: { ...action, metadata: { tool: call.tool } } }
}
