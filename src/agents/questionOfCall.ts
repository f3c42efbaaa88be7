/** From a tool call to the question about it: by the mapping, or by what the host's own tools are known to take. */

import type { Mapping, SelectValues } from "./argumentPaths.ts"
import type { ProposedAction } from "../client/Assessment.ts"
import type { Environment } from "../domain/Action.ts"
import type { Json, JsonObject } from "../json/json.ts"
import { commandTextMax, destinationMax, targetResourceMax } from "../limits.ts"
import { maskSecrets } from "./maskSecrets.ts"
import { type MappedField, type PathReading, figureFields, textFields, type ToolEntry } from "./ToolsFile.ts"

export interface ToolCall {
  /** As mappings name it: `mcp:shop/refund`, or the host's own tool: `Bash`. */
  readonly tool: string
  /** As the host names it: `mcp__shop__refund`. */
  readonly name: string
  readonly arguments: JsonObject
}

/** How the call was turned into the question. */
export interface HowAsked {
  /** The tool is a known one of the host, or stands in the mapping. */
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
  if (mapped === null || characters(mapped) > longest[field]) return null
  return field === "currency" && !/^[A-Za-z]{3}$/.test(mapped) ? null : mapped
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
}

const readFields = (entry: ToolEntry, given: JsonObject, select: SelectValues): ReadFields => {
  const read = Object.entries(entry.from_arguments ?? {}).map(([name, reading]) => {
    const values = select(reading.at ?? reading.count ?? reading.sum ?? "$", given)
    const value = isFigureField(name)
      ? readFigure(name, reading, values)
      : // Invariant: the shape of the file has no other fields.
        readText(name as keyof typeof longest, reading, values)
    return [name, value] as const
  })
  return {
    fields: Object.fromEntries(read.filter(([, value]) => value !== undefined && value !== null)),
    whole: read.every(([, value]) => value !== null)
  }
}

/** A tool of the host itself, which the service knows by its name: where its one telling argument goes. */
export interface OwnTool {
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
  /** The agent where the mapping names none. */
  readonly agentId: string
  /** Today in UTC, like 2027-06-30. */
  readonly day: string
}

const counts = (entry: ToolEntry, day: string): boolean =>
  entry.guess !== true && (entry.review_by === undefined || day <= entry.review_by)

const own = <A>(table: Readonly<Record<string, A>> | undefined, key: string): A | undefined =>
  table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined

/** Several commands of one call run one after the other, as the lines of a script do. */
const asLines = (given: Json): Json =>
  Array.isArray(given) && given.length > 0 && given.every((one) => typeof one === "string")
    ? given.join("\n")
    : given

/**
 * A command that does not fit: its beginning as the target, and all of it beside the action. From rule release 2.3.0 on the service
 * reads the whole in the place of its beginning; before, it let the whole only raise the risk.
 */
const beginning = (command: string) => {
  const text = maskSecrets(command)
  const target = [...text].slice(0, targetResourceMax).join("")
  return { target_resource: target, ...(text.length <= commandTextMax && { metadata: { command: text } }) }
}

/** A host that calls the argument otherwise than it did must not make the call look bare. */
const readOwnTool = ({ field, host, key }: OwnTool, given: JsonObject): ReadFields => {
  const text = asLines(own(given, key) ?? null)
  const value = readText(field, host === undefined ? {} : { host }, [text])
  if (typeof value === "string") return { fields: { [field]: value }, whole: true }
  const isCommand = /^(?:command|commands|cmd)$/.test(key)
  return { fields: isCommand && typeof text === "string" && text !== "" ? beginning(text) : {}, whole: false }
}

/** The worst case: whoever works elsewhere says so in the mapping. */
const unstatedEnvironment: Environment = "production"

export const questionOf = (call: ToolCall, { agentId, day, mapping, ownTools }: Asking): Question => {
  const stated = own(mapping?.file.tools, call.tool)
  const entry = stated !== undefined && counts(stated, day) ? stated : undefined
  const ownTool = own(ownTools, call.tool)
  const { fields, whole }: ReadFields =
    entry !== undefined && mapping !== null
      ? readFields(entry, call.arguments, mapping.select)
      : ownTool !== undefined && ownTool !== null
        ? readOwnTool(ownTool, call.arguments)
        : { fields: {}, whole: true }
  return {
    mapped: entry !== undefined || (stated === undefined && ownTool !== undefined),
    whole,
    action: {
      action_type: entry?.action_type ?? call.name,
      environment: entry?.environment ?? mapping?.file.environment ?? unstatedEnvironment,
      agent_id: mapping?.file.agent_id ?? agentId,
      ...(entry?.target_system !== undefined && { target_system: entry.target_system }),
      ...fields,
      metadata: { ...fields.metadata, tool: call.tool }
    }
  }
}
