/** Paths into arguments (RFC 9535, by json-p3), limited to names, indices and `*`, so that no path computes anything. */

import { isRecord, type Json } from "../json/json.ts"
import { type PlacedProblem, readShaped } from "./fileShape.ts"
import { type ToolsFile, toolsShape } from "./ToolsFile.ts"

/** The names and indices from the root to a value. */
export type Location = ReadonlyArray<string | number>

interface Selected {
  readonly value: Json
  readonly location: Location
}

/** Selects the values at a path, in order. */
export type Select = (path: string, value: Json) => ReadonlyArray<Selected>

/** A path of names, indices and `*`, in the form that json-p3 prints. */
const plainPath = /^\$(?:\['(?:[^'\\]|\\.)*'\]|\[-?\d+\]|\[\*\])*$/

const nothing: Select = () => []

/** A copy without the values at these places. Elements of a list become null, so that the other elements keep their indices. */
export const withoutPlaces = (json: Json, places: ReadonlyArray<Location>): Json => {
  const below = Map.groupBy(
    places.filter(({ length }) => length > 0),
    ([first]) => first
  )
  const isGone = (key: string | number) => below.get(key)?.some(({ length }) => length === 1) === true
  const within = (key: string | number, value: Json): Json =>
    withoutPlaces(
      value,
      (below.get(key) ?? []).map((place) => place.slice(1))
    )
  if (Array.isArray(json))
    return (json as ReadonlyArray<Json>).map((value, at) => (isGone(at) ? null : within(at, value)))
  if (!isRecord(json)) return json
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, value]) => (isGone(key) ? [] : [[key, within(key, value as Json)]]))
  )
}

export interface Mapping {
  readonly file: ToolsFile
  readonly select: Select
}

interface NamedPath {
  readonly at: string
  readonly path: string
  /** The path must select exactly one value. */
  readonly single: boolean
}

const pathsOf = (file: ToolsFile): ReadonlyArray<NamedPath> =>
  Object.entries(file.tools).flatMap(([tool, entry]) =>
    Object.entries(entry.from_arguments ?? {}).flatMap(([field, { at, count, sum }]) => {
      const path = at ?? count ?? sum
      const place = `tools.${tool}.from_arguments.${field}`
      return path === undefined ? [] : [{ at: place, path, single: at !== undefined }]
    })
  )

/** Loads the library only if the file contains a path, because a hook is a new process for every call. */
export const readMapping = async (
  json: unknown
): Promise<Mapping | { readonly problems: ReadonlyArray<PlacedProblem> }> => {
  const read = readShaped(toolsShape, json)
  if ("problems" in read) return read
  const paths = pathsOf(read.file)
  if (paths.length === 0) return { file: read.file, select: nothing }
  const { compile, JSONPathError } = await import("json-p3")
  const queries = new Map<string, ReturnType<typeof compile>>()
  const problems: Array<PlacedProblem> = []
  for (const { at, path, single } of paths) {
    try {
      const query = compile(path)
      if (!plainPath.test(query.toString({ form: "canonical" })) || (single && !query.singularQuery()))
        problems.push({ at, message: `has a path with more than names and indices${single ? "" : " and *"}` })
      queries.set(path, query)
    } catch (cause) {
      if (!(cause instanceof JSONPathError)) throw cause
      problems.push({ at, message: "has a path that is not one of RFC 9535" })
    }
  }
  if (problems.length > 0) return { problems }
  // The library's type for JSON is mutable, but the library only reads it.
  const select: Select = (path, value) =>
    (queries.get(path)?.query(value as never).nodes ?? []) as unknown as ReadonlyArray<Selected>
  return { file: read.file, select }
}
