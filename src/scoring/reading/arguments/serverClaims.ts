/** The server's claims about its tool: annotations, and titles and formats of parameters. They are not trusted, so they only raise. */

import { isRecord, type Json } from "../../../json/json.ts"
import { keyOf } from "../../names/splitName.ts"
import type { PreparedParameters } from "./Parameters.ts"
import { type Leaf, renamed, walkArguments } from "./walkArguments.ts"

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

/** Titles and formats by the name of their parameter, wherever in the schema it is. */
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

/** Parameters that their names do not explain, by the titles and the formats that the schema gives them. */
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
