/** Prepares the arguments of a call to leave the machine: masks secrets, shortens long prose, and keeps everything within the size of a question. */

import general from "../../rules/lexicon/parameters/general.json" with { type: "json" }
import { isRecord, type Json, type JsonObject } from "../json/json.ts"
import { memberPath } from "../json/memberPath.ts"
import { leftOutPathsMax, handedBytesMax, handedDepthMax, handedProseMax, handedTextMax } from "../limits.ts"
import { maskSecrets } from "../domain/maskSecrets.ts"

/** `shape`: names, figures, and words listed in the tool's schema. `names`: only the tool's name. */
export const handedExtents = ["whole", "shape", "names"] as const
export type HandedExtent = (typeof handedExtents)[number]

export interface HandedArguments {
  readonly arguments: JsonObject
  /** The paths of values that were left out, fully or partly. The service knows which of them could have affected the reading. */
  readonly leftOut: ReadonlyArray<string>
}

/** Replaces a text that is not sent. */
const leftOutText = "…"

/** The roles of parameters by the words of their names. The service uses the same table. */
const roles: ReadonlyMap<string, string> = new Map(
  Object.entries(general.roles).flatMap(([role, keys]) => keys.split(" ").map((key) => [key, role]))
)

const roleOf = (name: string): string | undefined => {
  const words = name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^a-z\d]+/)
  return words.map((_, from) => roles.get(words.slice(from).join(""))).find((role) => role !== undefined)
}

/** Parts of prose that are always kept: mentions, and the marks of masked secrets. */
const counts = /<!\w{1,40}>|(?<!\S)@\w{1,40}|\*{5}/g

const beginningOf = (text: string, charactersMax: number): string => {
  const characters = [...text]
  const rest = characters.slice(charactersMax).join("")
  const counting = [...new Set(rest.match(counts))].join(" ").slice(0, charactersMax)
  return `${characters.slice(0, charactersMax).join("")}… (${characters.length} characters) ${counting}`.trimEnd()
}

interface Place {
  readonly path: string
  /** The role of the parameter. Elements of a list have the role of the list. */
  readonly role: string | undefined
  readonly depth: number
  /** The part of the tool's schema for this value. */
  readonly schema: unknown
}

class HandOver {
  readonly leftOut: Array<string> = []
  private readonly extent: HandedExtent
  /** The maximum length of a text that may be code. */
  private readonly textMax: number

  constructor(extent: HandedExtent, textMax: number) {
    this.extent = extent
    this.textMax = textMax
  }

  value(json: Json, place: Place): Json {
    if (typeof json === "string") return this.text(json, place)
    if (typeof json === "number" && place.role === "secret") return this.leaveOut(leftOutText, place)
    if (typeof json !== "object" || json === null) return json
    if (place.depth >= handedDepthMax) return this.leaveOut(leftOutText, place)
    return Array.isArray(json)
      ? (json as ReadonlyArray<Json>).map((element, at) => this.value(element, elementOf(place, at)))
      : this.members(json as JsonObject, place)
  }

  members(json: JsonObject, place: Place): JsonObject {
    return Object.fromEntries(
      Object.entries(json).map(([name, value]) => [name, this.value(value, memberOf(place, name))])
    )
  }

  private leaveOut(text: string, { path }: Place): string {
    this.leftOut.push(path)
    return text
  }

  private text(text: string, place: Place): string {
    if (this.extent === "shape" && !isListed(text, place.schema)) return this.leaveOut(leftOutText, place)
    const masked = maskSecrets(text)
    const { role } = place
    if (role === "secret" && masked === text) return this.leaveOut(leftOutText, place)
    const charactersMax = role === "prose" ? Math.min(handedProseMax, this.textMax) : this.textMax
    // The number of UTF-16 units is at least the number of characters.
    return masked.length <= charactersMax ? masked : this.leaveOut(beginningOf(masked, charactersMax), place)
  }
}

const isListed = (text: string, schema: unknown): boolean =>
  isRecord(schema) &&
  (schema["const"] === text || (Array.isArray(schema["enum"]) && schema["enum"].includes(text)))

const memberOf = ({ depth, path, schema }: Place, name: string): Place => {
  const properties = isRecord(schema) && isRecord(schema["properties"]) ? schema["properties"] : {}
  return {
    path: memberPath(path, name),
    role: roleOf(name),
    depth: depth + 1,
    schema: Object.hasOwn(properties, name) ? properties[name] : undefined
  }
}

const elementOf = ({ depth, path, role, schema }: Place, at: number): Place => ({
  path: `${path}[${at}]`,
  role,
  depth: depth + 1,
  schema: isRecord(schema) ? schema["items"] : undefined
})

/** Whether there are more values than fit in a question. Stops as soon as that is clear. */
const isTooMany = (given: JsonObject): boolean => {
  const open: Array<Json> = [given]
  let values = 0
  for (let json = open.pop(); json !== undefined; json = open.pop()) {
    const inner: ReadonlyArray<Json> = typeof json === "object" && json !== null ? Object.values(json) : []
    values += inner.length
    if (values > handedBytesMax) return true
    for (const value of inner) open.push(value)
  }
  return false
}

const bytesOf = (handed: HandedArguments): number => Buffer.byteLength(JSON.stringify(handed))

const nothing: HandedArguments = { arguments: {}, leftOut: ["$"] }

/**
 * `schema`: the schema of the tool's arguments, if known. If the arguments are too large, long texts are cut first, and finally every text
 * that is not short.
 */
export const handedArguments = (
  given: JsonObject,
  extent: HandedExtent,
  schema?: unknown
): HandedArguments => {
  if (isTooMany(given)) return nothing
  for (const textMax of [Number.POSITIVE_INFINITY, handedTextMax, handedProseMax]) {
    const handing = new HandOver(extent, textMax)
    const handed = {
      arguments: handing.members(given, { path: "$", role: undefined, depth: 0, schema }),
      leftOut: handing.leftOut
    }
    if (handed.leftOut.length <= leftOutPathsMax && bytesOf(handed) <= handedBytesMax) return handed
  }
  return nothing
}
