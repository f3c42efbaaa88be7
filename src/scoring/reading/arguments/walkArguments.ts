/** Flattens the arguments of a call, and what a server claims about them, into lists of values with paths. One walk with a budget; the order of keys does not matter. */

import { isRecord, type Json, type JsonObject } from "../../../json/json.ts"
import { memberPath } from "../../../json/memberPath.ts"
import { keyOf, splitName } from "../../names/splitName.ts"
import type { ArgumentLimits, PreparedParameters } from "./Parameters.ts"

/** One value of the tree. */
export interface Leaf {
  /** `$.items[0].price` */
  readonly path: string
  /** As the caller wrote it; for an element of a list, the name of the list. */
  readonly name: string
  /** The name in lower case and without punctuation: `dryrun`. */
  readonly key: string
  /** The last words of the name, joined, longest first: `delivery_email_address` is an `emailaddress` and an `address`. */
  readonly suffixes: ReadonlyArray<string>
  /** The keys above it, the nearest last. */
  readonly above: ReadonlyArray<string>
  readonly value: Json
  /** The members of the surrounding object, by their names without punctuation. */
  readonly siblings: ReadonlyMap<string, Json>
  /** An element of a list. */
  readonly isElement: boolean
}

/** A value from the arguments and its path. */
export interface AtPath<A> {
  readonly value: A
  readonly path: string
}

export const atPath = ({ path, value }: Leaf): AtPath<string> => ({
  path,
  value: typeof value === "string" ? value : JSON.stringify(value)
})

export interface WalkedArguments {
  /** Values other than objects and lists. */
  readonly values: ReadonlyArray<Leaf>
  /** Objects and lists. */
  readonly containers: ReadonlyArray<Leaf>
  /** The paths where the budget ran out. */
  readonly unread: ReadonlyArray<string>
}

const isList = (json: Json): json is ReadonlyArray<Json> => Array.isArray(json)

/** JSON inside a string is read like any other JSON. */
const unwrapped = (json: Json): Json => {
  if (typeof json !== "string" || !/^\s*[{[]/.test(json)) return json
  try {
    const inner = JSON.parse(json) as Json
    return typeof inner === "object" && inner !== null ? inner : json
  } catch {
    // Text that only begins like JSON stays text.
    return json
  }
}

const suffixesOf = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.map((_, from) => words.slice(from).join(""))

/** The same value under another name. */
const renamed = (leaf: Leaf, name: string, isKnown: (word: string) => boolean): Leaf => {
  const suffixes = suffixesOf(splitName(name, isKnown).words)
  return { ...leaf, name, key: suffixes[0] ?? "", suffixes }
}

/** Unwraps `params` or `request` if it is an object and the only member. */
const withoutWrapper = (
  json: Json,
  path: string,
  wrappers: ReadonlySet<string>
): { readonly json: Json; readonly path: string } => {
  let [inner, at] = [json, path]
  for (let i = 0; i < 4 && isRecord(inner); i++) {
    const [name, another] = Object.keys(inner)
    if (name === undefined || another !== undefined || !wrappers.has(keyOf(name))) break
    const next = unwrapped(inner[name] as Json)
    if (!isRecord(next)) break
    inner = next as JsonObject
    at = `${at}.${name}`
  }
  return { json: inner, path: at }
}

/** In a list without objects, all elements are alike, so further ones only add to the count. */
const isPlainList = (list: ReadonlyArray<Json>): boolean =>
  list.every((element) => typeof element !== "object" || element === null)

class Walk {
  readonly values: Array<Leaf> = []
  readonly containers: Array<Leaf> = []
  readonly unread: Array<string> = []
  private left: number
  private readonly limits: ArgumentLimits
  private readonly parameters: PreparedParameters
  private readonly isKnown: (word: string) => boolean
  private readonly suffixes = new Map<string, ReadonlyArray<string>>()

  constructor(parameters: PreparedParameters, isKnown: (word: string) => boolean) {
    this.parameters = parameters
    this.limits = parameters.limits
    this.isKnown = isKnown
    this.left = parameters.limits.nodesMax
  }

  private suffixesOfKey(name: string): ReadonlyArray<string> {
    const known = this.suffixes.get(name)
    if (known !== undefined) return known
    const found = suffixesOf(splitName(name.slice(0, this.limits.valueMax), this.isKnown).words)
    this.suffixes.set(name, found)
    return found
  }

  private leaf(
    json: Json,
    path: string,
    name: string,
    rest: Pick<Leaf, "above" | "siblings" | "isElement">
  ): Leaf {
    const suffixes = this.suffixesOfKey(name)
    return { path, name, key: suffixes[0] ?? "", suffixes, value: json, ...rest }
  }

  visit(
    stated: Json,
    path: string,
    name: string,
    rest: Pick<Leaf, "above" | "siblings" | "isElement">
  ): void {
    if (this.left-- <= 0 || rest.above.length > this.limits.depthMax) {
      if (this.unread.length < this.limits.depthMax) this.unread.push(path)
      return
    }
    const json = unwrapped(stated)
    const leaf = this.leaf(json, path, name, rest)
    if (typeof json !== "object" || json === null) {
      this.values.push(leaf)
      return
    }
    if (name !== "") this.containers.push(leaf)
    const above = name === "" || rest.isElement ? rest.above : [...rest.above, leaf.key]
    if (isList(json)) return this.visitList(json, path, name, { above, siblings: rest.siblings })
    const names = Object.keys(json).toSorted()
    const siblings = new Map(names.map((key) => [keyOf(key), (json as JsonObject)[key] ?? null]))
    this.visitPair(siblings, path, above)
    for (const key of names)
      this.visit((json as JsonObject)[key] ?? null, memberPath(path, key), key, {
        above,
        siblings,
        isElement: false
      })
  }

  private visitList(
    list: ReadonlyArray<Json>,
    path: string,
    name: string,
    rest: Pick<Leaf, "above" | "siblings">
  ): void {
    const { elementsMax } = this.limits
    for (const [at, element] of list.slice(0, elementsMax).entries())
      this.visit(element, `${path}[${at}]`, name, { ...rest, isElement: true })
    if (list.length > elementsMax && !isPlainList(list)) this.unread.push(`${path}[${elementsMax}]`)
  }

  /** `{"name": "DEBUG", "value": "1"}` means the same as `{"DEBUG": "1"}`. */
  private visitPair(members: ReadonlyMap<string, Json>, path: string, above: ReadonlyArray<string>): void {
    for (const [nameKey, valueKey] of this.parameters.pairs) {
      const name = members.get(nameKey)
      const value = members.get(valueKey)
      if (typeof name !== "string" || value === undefined) continue
      this.visit(value, `${path}.${valueKey}`, name, { above, siblings: new Map(), isElement: false })
    }
  }
}

export const walkArguments = (
  stated: Json,
  parameters: PreparedParameters,
  isKnown: (word: string) => boolean,
  root = "$"
): WalkedArguments => {
  const { json, path } = withoutWrapper(unwrapped(stated), root, parameters.wrappers)
  const walk = new Walk(parameters, isKnown)
  walk.visit(json, path, "", { above: [], siblings: new Map(), isElement: false })
  return walk
}

/** The server's claims about its tool. They are not trusted, so they can only raise risk. */
export interface ServerClaims {
  /** `destructiveHint`, `readOnlyHint` and others, as MCP has them. */
  readonly annotations: Json
  /** JSON Schema of the arguments. */
  readonly inputSchema: Json
}

/** Annotations as values that the rules for parameters can match. */
export const annotationsOf = (
  { annotations }: ServerClaims,
  parameters: PreparedParameters,
  isKnown: (word: string) => boolean
): ReadonlyArray<Leaf> =>
  isRecord(annotations)
    ? walkArguments(annotations, parameters, isKnown, "annotations").values.filter(
        ({ value }) => typeof value === "boolean"
      )
    : []

type Claims = ReadonlyMap<string, ReadonlySet<string>>

/** Titles and formats by parameter name, from anywhere in the schema. */
const claimsIn = (schema: Json, { limits }: PreparedParameters): Claims => {
  const claims = new Map<string, Set<string>>()
  const open: Array<readonly [json: unknown, depth: number]> = [[schema, 0]]
  let left = limits.nodesMax
  for (let next = open.pop(); next !== undefined && left > 0; next = open.pop()) {
    const [json, depth] = next
    if (typeof json !== "object" || json === null || depth > limits.depthMax) continue
    left--
    const properties = isRecord(json) && isRecord(json["properties"]) ? json["properties"] : {}
    for (const [name, described] of Object.entries(properties).slice(0, limits.nodesMax)) {
      if (!isRecord(described)) continue
      const names = [described["title"], described["format"]].filter((one) => typeof one === "string")
      const key = keyOf(name)
      if (names.length > 0) claims.set(key, new Set([...(claims.get(key) ?? []), ...names]))
    }
    for (const inner of Object.values(json).slice(0, limits.nodesMax)) open.push([inner, depth + 1])
  }
  return claims
}

/** Parameters whose names explain nothing, renamed by the titles and formats that the schema gives them. */
export const retitled = (
  unexplained: ReadonlyArray<Leaf>,
  { inputSchema }: ServerClaims,
  parameters: PreparedParameters,
  isKnown: (word: string) => boolean
): ReadonlyArray<Leaf> => {
  if (!isRecord(inputSchema) || unexplained.length === 0) return []
  const claims = claimsIn(inputSchema, parameters)
  return unexplained.flatMap((leaf) =>
    [...(claims.get(leaf.key) ?? [])].map((name) =>
      renamed(leaf, name.slice(0, parameters.limits.valueMax), isKnown)
    )
  )
}
