/** Refuses keys that JSON permits and that change what a reader sees: repeated ones, and names of every object's own. */

import { type Node, parseTree } from "jsonc-parser"
import { problemsToldMax } from "../../Limits.ts"
import type { Problem } from "../Problem.ts"

type Path = Problem["path"]

const inherited = new Set(["__proto__", "constructor", "prototype"])

interface Keys {
  readonly count: number
  readonly inherited: ReadonlyArray<Path>
}

const none: Keys = { count: 0, inherited: [] }

const keysOf = (json: unknown, path: Path = []): Keys => {
  if (typeof json !== "object" || json === null) return none
  const entries: ReadonlyArray<readonly [PropertyKey, unknown]> = Array.isArray(json)
    ? json.map((value: unknown, i) => [i, value] as const)
    : Object.entries(json)
  let count = Array.isArray(json) ? 0 : entries.length
  const found: Array<Path> = []
  for (const [key, value] of entries) {
    if (inherited.has(String(key))) found.push([...path, key])
    if (typeof value !== "object") continue
    const inner = keysOf(value, [...path, key])
    count += inner.count
    found.push(...inner.inherited)
  }
  return { count, inherited: found }
}

/** The second and every further key of one name in one object. */
const repeatedKeys = (node: Node): ReadonlyArray<Problem> => {
  const seen = new Set<string>()
  const own = node.type === "object" ? (node.children ?? []) : []
  const repeated = own.flatMap(({ children: [key] = [] }): ReadonlyArray<Problem> => {
    if (key === undefined) return []
    const name = String(key.value)
    if (!seen.has(name)) {
      seen.add(name)
      return []
    }
    const message = `\`${name}\` stands twice in one object, and only the last would count`
    return [{ rule: "duplicate-key", path: [], offset: key.offset, message }]
  })
  return [...repeated, ...(node.children ?? []).flatMap(repeatedKeys)]
}

/** `keysWritten` is how many keys the text has; the value has fewer where one is repeated. */
export const refuseKeys = (json: unknown, text: string, keysWritten: number): ReadonlyArray<Problem> => {
  const { count, inherited: names } = keysOf(json)
  const tree = count === keysWritten ? undefined : parseTree(text)
  return [
    ...names.map((path): Problem => {
      const message = `\`${String(path.at(-1))}\` is a name that every object has already: choose another`
      return { rule: "prototype-key", path, at: "key", message }
    }),
    ...(tree === undefined ? [] : repeatedKeys(tree).slice(0, problemsToldMax))
  ]
}
