/** What differs between two JSON documents, as the paths at which they do. */

import { create, type Delta } from "jsondiffpatch"
import { byCodeUnit } from "../byCodeUnit.ts"

export interface ChangedPath {
  readonly path: ReadonlyArray<string>
  /** Undefined where there was nothing. */
  readonly from: unknown
  readonly to: unknown
}

const differ = create({ arrays: { detectMove: false } })

const at = (json: unknown, key: string): unknown =>
  typeof json === "object" && json !== null
    ? Object.entries(json).find(([name]) => name === key)?.[1]
    : undefined

/** Arrays are compared whole: a position in a list of words or of points means nothing by itself. */
const walk = (
  delta: Delta,
  from: unknown,
  to: unknown,
  path: ReadonlyArray<string>
): ReadonlyArray<ChangedPath> => {
  if (delta === undefined) return []
  if (Array.isArray(delta) || (typeof delta === "object" && "_t" in delta)) return [{ path, from, to }]
  return Object.entries(delta).flatMap(([key, inner]) =>
    walk(inner as Delta, at(from, key), at(to, key), [...path, key])
  )
}

/** In code unit order. */
export const changedPaths = (from: unknown, to: unknown): ReadonlyArray<ChangedPath> =>
  walk(differ.diff(from, to), from, to, []).toSorted((a, b) => byCodeUnit(a.path.join("."), b.path.join(".")))
