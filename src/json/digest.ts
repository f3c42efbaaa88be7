/** The digest of a JSON document. */

import { createHash } from "node:crypto"
import { canonicalForm } from "./canonical.ts"

/** SHA-256 over the canonical form, hex. */
export const digestOf = (json: unknown): string =>
  createHash("sha256").update(canonicalForm(json), "utf8").digest("hex")
