/** Paths into arguments (RFC 9535, by json-p3): of names, indices and `*` only, so that no path computes anything. */

import type { Json } from "../json/json.ts"
import { type PlacedProblem, readShaped } from "./fileShape.ts"
import { type ToolsFile, toolsShape } from "./ToolsFile.ts"

/** The values that a path selects, in order. */
export type SelectValues = (path: string, value: Json) => ReadonlyArray<Json>

/** As json-p3 writes a path of names, indices and `*`. */
const plainPath = /^\$(?:\['(?:[^'\\]|\\.)*'\]|\[-?\d+\]|\[\*\])*$/

const nothing: SelectValues = () => []

export interface Mapping {
  readonly file: ToolsFile
  readonly select: SelectValues
}

interface NamedPath {
  readonly at: string
  readonly path: string
  /** It has to select one value. */
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

/** The library is loaded only where the file has a path, because a hook starts anew for every call. */
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
        problems.push({ at, message: `has a path of more than names and indices${single ? "" : " and *"}` })
      queries.set(path, query)
    } catch (cause) {
      if (!(cause instanceof JSONPathError)) throw cause
      problems.push({ at, message: "has a path that is not one of RFC 9535" })
    }
  }
  if (problems.length > 0) return { problems }
  // The library takes the same JSON in a type that can be written to, and only reads it.
  const select: SelectValues = (path, value) =>
    (queries
      .get(path)
      ?.query(value as never)
      .values() ?? []) as ReadonlyArray<Json>
  return { file: read.file, select }
}
