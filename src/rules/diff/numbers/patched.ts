/** A rulebook with one number of another's, so that a request can be seen to differ by that number alone. */

import { Result } from "effect"
import { decodeFile } from "../../decodeFile.ts"
import { RulesetFile } from "../../files/RulesetFile.ts"
import type { Rulebook } from "../../Rulebook.ts"

const replaced = (json: unknown, [key, ...rest]: ReadonlyArray<string>, value: unknown): unknown => {
  if (key === undefined) return value
  const object = typeof json === "object" && json !== null ? { ...json } : {}
  const entries = Object.entries(object)
  const inner = replaced(entries.find(([name]) => name === key)?.[1], rest, value)
  const others = entries.filter(([name]) => name !== key)
  return Object.fromEntries(inner === undefined ? others : [...others, [key, inner]])
}

/** Null where that number cannot stand among the others. */
export const patched = (book: Rulebook, path: ReadonlyArray<string>, value: unknown): Rulebook | null => {
  const { files, model, rules } = book.release
  const ruleset = { ...files.ruleset, json: replaced(files.ruleset.json, path, value) }
  return Result.match(decodeFile(RulesetFile, ruleset), {
    onFailure: () => null,
    onSuccess: (file) => {
      const { version: _, ...numbers } = file
      return { ...book, release: { files, rules, model: { ...model, numbers } } }
    }
  })
}
