/** The paths at which two JSON documents differ, and a description of each changed text. */

import { create, type Delta } from "jsondiffpatch"
import { byCodeUnit } from "../../json/json.ts"

export interface ChangedPath {
  readonly path: ReadonlyArray<string>
  /** Undefined if the first document has no value at this path. */
  readonly from: unknown
  readonly to: unknown
}

const differ = create({ arrays: { detectMove: false } })

const at = (json: unknown, key: string): unknown =>
  typeof json === "object" && json !== null && Object.hasOwn(json, key) ? Reflect.get(json, key) : undefined

/** Arrays are compared as a whole, because a position in a list of words or points means nothing. */
const pathsOfDelta = (
  delta: Delta,
  from: unknown,
  to: unknown,
  path: ReadonlyArray<string>
): ReadonlyArray<ChangedPath> => {
  if (delta === undefined) return []
  if (Array.isArray(delta) || (typeof delta === "object" && "_t" in delta)) return [{ path, from, to }]
  return Object.entries(delta).flatMap(([key, inner]) =>
    pathsOfDelta(inner as Delta, at(from, key), at(to, key), [...path, key])
  )
}

/** In code unit order. */
export const changedPaths = (from: unknown, to: unknown): ReadonlyArray<ChangedPath> =>
  pathsOfDelta(differ.diff(from, to), from, to, []).toSorted((a, b) =>
    byCodeUnit(a.path.join("."), b.path.join("."))
  )

/** Keys whose changes are described by their effect on scores and not as texts. */
const scored: ReadonlySet<string> = new Set(["rules", "hazard_bp", "floor", "version"])
/** Keys whose values are names. For a change, both names are shown. */
const named: ReadonlySet<string> = new Set(["category", "lifecycle"])
/** Keys of an effect that contain text and do not affect the score. */
const effectTexts: ReadonlySet<string> = new Set(["message", "recommendations", "note"])

const listOf = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value.map(String) : [])

const changedList = (name: string, from: unknown, to: unknown): string => {
  const [before, after] = [listOf(from), listOf(to)]
  const removed = before.filter((value) => !after.includes(value))
  const added = after.filter((value) => !before.includes(value))
  const parts = [
    ...(added.length > 0 ? [`adds ${added.join(", ")}`] : []),
    ...(removed.length > 0 ? [`drops ${removed.join(", ")}`] : [])
  ]
  return `${name} ${parts.length === 0 ? "reordered" : parts.join(" and ")}`
}

const isText = ({ path: [first = "", ...rest] }: ChangedPath): boolean =>
  first === "then" ? effectTexts.has(rest.at(-1) ?? "") : !scored.has(first)

const reworded = "reworded"

const textFate = ({ from, path, to }: ChangedPath): string => {
  if (from === undefined) return "added"
  if (to === undefined) return "removed"
  return named.has(path.at(-1) ?? "") ? `${String(to)}, was ${String(from)}` : reworded
}

/** `message, misses and why reworded` */
const listOfNames = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`

const phrasesOf = (texts: ReadonlyArray<ChangedPath>): ReadonlyArray<string> => {
  const nameOf = ({ path }: ChangedPath) => path.at(-1) ?? ""
  const lists = texts.filter(({ from, to }) => Array.isArray(from) || Array.isArray(to))
  const plain = texts.filter((text) => !lists.includes(text))
  const byFate = Map.groupBy(plain, textFate)
  return [
    ...lists.map((text) => changedList(nameOf(text), text.from, text.to)),
    ...[...byFate].map(([fate, own]) => `${listOfNames(own.map(nameOf))} ${fate}`)
  ]
}

export const shownJson = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value))

/** Phrases such as `message reworded` and `recommendations adds TAKE_BACKUP`, and one line for each changed text. */
export const describeTextChanges = (from: unknown, to: unknown) => {
  const texts = changedPaths(from, to).filter(isText)
  return {
    phrases: phrasesOf(texts),
    details: texts.map(({ from, path, to }) => `${path.join(".")}: ${shownJson(to)}, was ${shownJson(from)}`)
  }
}
