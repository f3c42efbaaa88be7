/** Reads the secrets that the operator gave, or generates them once in DATA_DIR. */

import { Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { AppConfig, variables } from "../config.ts"
import { peppers, WrongVariable } from "../environment.ts"
import { Database } from "./Database.ts"
import { Secrets } from "./Secrets.ts"
import { makeFolder } from "./embeddedPostgres/Cluster.ts"
import { DatabaseProblem } from "./storageErrors.ts"

export const secretsLayer = Layer.effect(
  Secrets,
  Effect.gen(function* () {
    const { dataDirectory, keyPeppers } = yield* AppConfig
    const { kind } = yield* Database
    if (keyPeppers !== null) return Secrets.of({ keyPeppers })
    if (kind === "embedded") return Secrets.of({ keyPeppers: yield* generatedPepper(dataDirectory) })
    const { accepted, name } = variables.keyPeppers
    return yield* new WrongVariable({ name, problem: "is unset, and DATABASE_URL needs it", accepted })
  })
)

const generatedPepper = (dataDirectory: string) =>
  secretAt(
    join(dataDirectory, "key-pepper"),
    "base64url",
    peppers,
    "is empty: restore it, or no key will be known again"
  )

const secretBytes = 32

/**
 * The text of the file. A missing file is created with random bytes in the given encoding, readable only by its owner. It is
 * written under another name and then linked, so that two processes that start at once read the same secret.
 */
const readOrCreateSecret = (path: string, encoding: "base64" | "base64url"): string => {
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

/** The secret at `path`, parsed by `read`. Where `read` returns undefined, `lost` completes the message about the file. */
export const secretAt = <A>(
  path: string,
  encoding: "base64" | "base64url",
  read: (text: string) => A | undefined,
  lost: string
): Effect.Effect<A, DatabaseProblem> =>
  Effect.try({
    try: () => {
      // The same mode as the embedded server's: its account must be able to pass through the folder.
      makeFolder(dirname(path), 0o711)
      return read(readOrCreateSecret(path, encoding))
    },
    catch: (cause) =>
      new DatabaseProblem({
        message: `the file ${path} cannot be used: give it to the user who runs this`,
        cause
      })
  }).pipe(
    Effect.filterOrFail(
      (found) => found !== undefined,
      () => new DatabaseProblem({ message: `the file ${path} ${lost}` })
    )
  )
