/** The strict reader for all JSON texts, request bodies and rule files: stricter than RFC 8259 (contract 3). */

import { Result } from "effect"
import type { Json } from "./json.ts"
import { JsonReader, NotJson } from "./jsonReader.ts"

export interface StrictJson {
  readonly value: Json
  /** Some string or key contains U+0000, which JSON allows but this service does not store. */
  readonly holdsNul: boolean
}

/** `ignoreBOM` keeps the byte-order mark in the text, so that the reader can reject it. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const decode = (bytes: Uint8Array): string | null => {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

/** Parses a whole text and stops at the first flaw. Fails with a reason that names a position, never a value. */
export const strictJson = (bytes: Uint8Array): Result.Result<StrictJson, string> => {
  if (bytes.length === 0) return Result.fail("the body is empty; send one JSON object")
  const text = decode(bytes)
  if (text === null) return Result.fail("the body is not valid UTF-8")
  if (text.charCodeAt(0) === 0xfe_ff)
    return Result.fail("the body starts with a byte-order mark; send it without")
  const reader = new JsonReader(text, null)
  try {
    const value = reader.readText()
    return Result.succeed({ value, holdsNul: reader.holdsNul })
  } catch (cause) {
    if (cause instanceof NotJson) return Result.fail(cause.message)
    throw cause
  }
}
