/** The one form of a JSON document that digests are taken over: RFC 8785. */

import { createHash } from "node:crypto"
import canonicalize from "canonicalize"

export const canonicalForm = (json: unknown): string => {
  const text = canonicalize(json)
  if (text === undefined) throw new TypeError("only JSON has a canonical form")
  return text
}

/** SHA-256 over the canonical form, hex. */
export const digestOf = (json: unknown): string =>
  createHash("sha256").update(canonicalForm(json), "utf8").digest("hex")
