/** The RFC 8785 text of a JSON object, as `canonicalize` writes it, and at a third of its price where members are flat. */

import canonicalize from "canonicalize"
import type { Json } from "../domain/Action.ts"

/** Printable ASCII without what JSON escapes. */
const plain = /^[ !#-[\]-~]*$/

const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : nested(text))

/** Whatever is not simple is the library's, which also refuses what is no JSON. */
const nested = (value: Json): string => canonicalize(value) ?? ""

const textOf = (value: Json): string => {
  if (typeof value === "string") return quoted(value)
  if (typeof value === "boolean") return value ? "true" : "false"
  return Number.isSafeInteger(value) ? String(value) : nested(value)
}

/** A member that is undefined is none. */
export const canonicalText = (object: Readonly<Record<string, Json | undefined>>): string => {
  let members = ""
  for (const key of Object.keys(object).toSorted()) {
    const value = object[key]
    if (value !== undefined) members += `${members === "" ? "" : ","}${quoted(key)}:${textOf(value)}`
  }
  return `{${members}}`
}
