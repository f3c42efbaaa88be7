/** Canonical JSON (RFC 8785): for any document, with its digest, and faster for flat objects. */

import canonicalize from "canonicalize"
import { createHash } from "node:crypto"
import type { Json } from "./json.ts"

/** The RFC 8785 form of a JSON document. Digests are computed over this form. */
export const canonicalForm = (json: unknown): string => {
  const text = canonicalize(json)
  if (text === undefined) throw new TypeError("only JSON has a canonical form")
  return text
}

/** Hex SHA-256 of the text in UTF-8. */
const sha256Of = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex")

/** Hex SHA-256 of the canonical form. */
export const digestOf = (json: unknown): string => sha256Of(canonicalForm(json))

/** Printable ASCII that JSON does not escape. */
const plain = /^[ !#-[\]-~]*$/

const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : nested(text))

/** The library writes everything that is not flat, and rejects values that are not JSON. */
const nested = (value: Json): string => canonicalize(value) ?? ""

const textOf = (value: Json): string => {
  if (typeof value === "string") return quoted(value)
  if (typeof value === "boolean") return value ? "true" : "false"
  return Number.isSafeInteger(value) ? String(value) : nested(value)
}

/**
 * The RFC 8785 text of a JSON object, equal to that of `canonicalize`. Takes a third of the time if all members are flat. Omits undefined
 * members.
 */
export const canonicalText = (object: Readonly<Record<string, Json | undefined>>): string => {
  let members = ""
  for (const key of Object.keys(object).toSorted()) {
    const value = object[key]
    if (value !== undefined) members += `${members === "" ? "" : ","}${quoted(key)}:${textOf(value)}`
  }
  return `{${members}}`
}
