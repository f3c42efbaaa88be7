/** Which words of a rule file changed, other than its conditions and what they give. */

import type { ChangedPath } from "../changedPaths.ts"
import { changedPaths } from "../changedPaths.ts"

/** Told by what they do to scores, not as text. */
const scored: ReadonlySet<string> = new Set(["rules", "hazard_bp", "floor", "version"])
/** A name says more than that it changed. */
const named: ReadonlySet<string> = new Set(["category", "lifecycle"])
/** What an effect says rather than does. */
const spoken: ReadonlySet<string> = new Set(["message", "recommendations", "note"])

const listOf = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value.map(String) : [])

const changedList = (name: string, from: unknown, to: unknown): string => {
  const [before, after] = [listOf(from), listOf(to)]
  const lost = before.filter((value) => !after.includes(value))
  const gained = after.filter((value) => !before.includes(value))
  const parts = [
    ...(gained.length > 0 ? [`adds ${gained.join(", ")}`] : []),
    ...(lost.length > 0 ? [`drops ${lost.join(", ")}`] : [])
  ]
  return `${name} ${parts.length === 0 ? "reordered" : parts.join(" and ")}`
}

const isText = ({ path: [first = "", ...rest] }: ChangedPath): boolean =>
  first === "then" ? spoken.has(rest.at(-1) ?? "") : !scored.has(first)

const reworded = "reworded"

const fate = ({ from, path, to }: ChangedPath): string => {
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
  const byFate = Map.groupBy(plain, fate)
  return [
    ...lists.map((text) => changedList(nameOf(text), text.from, text.to)),
    ...[...byFate].map(([fate, own]) => `${listOfNames(own.map(nameOf))} ${fate}`)
  ]
}

export interface ChangedTexts {
  /** `message reworded`, `recommendations adds TAKE_BACKUP` */
  readonly phrases: ReadonlyArray<string>
  readonly details: ReadonlyArray<string>
}

const shown = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value))

export const changedTexts = (from: unknown, to: unknown): ChangedTexts => {
  const texts = changedPaths(from, to).filter(isText)
  return {
    phrases: phrasesOf(texts),
    details: texts.map(({ from, path, to }) => `${path.join(".")}: ${shown(to)}, was ${shown(from)}`)
  }
}
