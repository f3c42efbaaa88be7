/** From a tool call to the question about it: by the mapping, or by what the host's own tools are known to take. */

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
  /** As mappings name it: `mcp:shop/refund`, or the host's own tool: `Bash`. */
  readonly tool: string
  /** As the host names it: `mcp__shop__refund`. */
  readonly name: string
  readonly arguments: JsonObject
  /** JSON Schema of the arguments, if the tool's server sent one. */
  readonly inputSchema?: unknown
  /** The hints of the tool's server, as MCP has them. */
  readonly annotations?: unknown
}

/** How the call was turned into the question. */
export interface HowAsked {
  /** The tool is one of the host's known tools, or is in the mapping. */
  readonly mapped: boolean
  /** Every argument that the mapping names was handed over whole. */
  readonly whole: boolean
}

export interface Question extends HowAsked {
  readonly action: ProposedAction
}

/** Undefined: nothing is there. Null: something is there that cannot be handed over. */
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

/** A figure from 0 on, also where it is written as a decimal text. */
const figureOf = (value: Json): number | null => {
  const figure = typeof value === "string" && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
  return typeof figure === "number" && Number.isFinite(figure) && figure >= 0 ? figure : null
}

/** By the text of the number, because 1999 times 0.01 is not 19.99 in floating point. */
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
  // A count that is no whole number was not meant as one.
  return Number.isSafeInteger(figure) ? figure : null
}

const isFigureField = (field: string): field is (typeof figureFields)[number] =>
  figureFields.some((each) => each === field)

/** The fields that the arguments give, and whether all that is there could be handed over. */
interface ReadFields {
  readonly fields: Partial<ProposedAction>
  readonly whole: boolean
  /** The arguments that are not in the fields. Null for the host's own tools, for which only the fields are sent. */
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
    // The number of things does not say what they are.
    if (value !== undefined && value !== null && reading.count === undefined)
      said.push(...selected.map(({ location }) => location))
    return [name, value] as const
  })
  return {
    fields: Object.fromEntries(read.filter(([, value]) => value !== undefined && value !== null)),
    whole: read.every(([, value]) => value !== null),
    // Invariant: an object without some members is an object.
    rest: withoutPlaces(given, said) as JsonObject
  }
}

/** A tool of the host itself, which the service knows by its name: where its one telling argument goes. A patch goes without the lines of its files. */
export type OwnTool = OwnArgument | "patch"

interface OwnArgument {
  readonly field: "target_resource" | "destination"
  readonly key: string
  /** The argument is a URL, and its host is handed over. */
  readonly host?: true
}

interface Asking {
  /** Null where there is no mapping. */
  readonly mapping: Mapping | null
  /** Null: its name says everything. */
  readonly ownTools: Readonly<Record<string, OwnTool | null>>
  /** How much of the arguments of other tools is handed over. */
  readonly extent: HandedExtent
  /** The agent where the mapping names none. */
  readonly agentId: string
  /** The run of the agent, of which only a digest is sent. Undefined where the host does not name it. */
  readonly session?: string | undefined
  /** Today in UTC, like 2027-06-30. */
  readonly day: string
}

const counts = (entry: ToolEntry, day: string): boolean =>
  entry.guess !== true && (entry.review_by === undefined || day <= entry.review_by)

const own = <A>(table: Readonly<Record<string, A>> | undefined, key: string): A | undefined =>
  table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined

/** A word that a shell reads as itself, wherever it is: no assignment, no pattern, no name of a home folder. */
const plainWord = /^(?![A-Za-z_]\w*\+?=)[\w@%+=:,./-]+$/
/** Plain words that a shell does not read as a program. */
const reservedWord =
  /^(?:case|coproc|do|done|elif|else|esac|fi|for|function|if|in|select|then|time|until|while)$/

const quotedWord = (word: string): string =>
  plainWord.test(word) && !reservedWord.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** The words of one command as a shell reads them back; several commands as the lines of a script, which run one after the other. */
const joined = (key: string, given: Json): Json => {
  if (!Array.isArray(given) || given.length === 0) return given
  const texts = given.filter((one) => typeof one === "string")
  if (texts.length < given.length) return given
  return key === "commands" ? texts.join("\n") : texts.map(quotedWord).join(" ")
}

/** The service reads `metadata.command` instead of the target, which is only its beginning. */
const readLongCommand = (text: string): ReadFields => {
  const command = maskSecrets(text)
  const target = [...command].slice(0, targetResourceMax).join("")
  return command.length > commandTextMax
    ? { fields: { target_resource: target }, whole: false, rest: null }
    : { fields: { target_resource: target, metadata: { command } }, whole: true, rest: null }
}

const fileOfPatch = /^\*\*\* (?:(?:Add|Delete|Update) File|Move to): .+$/gm

/** Hosts call the argument otherwise, so each text is searched. The lines of the files stay on the machine. */
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

/** A host that calls the argument otherwise than it did must not make the call look bare. */
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

/** The service reads no larger body. */
const fits = (action: ProposedAction): boolean => Buffer.byteLength(JSON.stringify(action)) <= bodyBytesMax

/** The worst case. The mapping names the environment of an agent that works elsewhere. */
const unstatedEnvironment: Environment = "production"

/** The titles and the formats that the tool's schema gives to the arguments of the call: the rest of a schema can be long and tells nothing. */
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

/** The arguments as the service reads them, `metadata.tool_call`. */
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

/** So that an organization can count how often one run interrupts a person. */
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
