/** A secret that is generated once in DATA_DIR, for its owner's eyes alone. */

import { randomBytes } from "node:crypto"
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs"

const secretBytes = 32

/**
 * The text of the file, made of random bytes in the given encoding where there is none yet. Written whole under another
 * name and linked, so that of two processes both read the same secret.
 */
export const readOrCreateSecret = (path: string, encoding: "base64" | "base64url"): string => {
  const existing = readIfThere(path)
  if (existing !== null) return existing
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${randomBytes(secretBytes).toString(encoding)}\n`, { mode: 0o600 })
  try {
    linkSync(draft, path)
  } catch (cause) {
    if (!isCode(cause, "EEXIST")) throw cause
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(path, "utf8")
}

const readIfThere = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    if (isCode(cause, "ENOENT")) return null
    throw cause
  }
}

const isCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code
