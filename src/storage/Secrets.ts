/** The secrets that the operator gave, or that were generated once in DATA_DIR. */

import { Context, Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { AppConfig, variables } from "../Config.ts"
import { type Peppers, peppers } from "../config/readers.ts"
import { WrongVariable } from "../config/variable.ts"
import { Database } from "./Database.ts"
import { DatabaseProblem } from "./DatabaseProblem.ts"

export class Secrets extends Context.Service<
  Secrets,
  {
    /** Newest first: new keys are hashed with the first, known keys are found by any. */
    readonly keyPeppers: Peppers
  }
>()("action-risk/storage/Secrets") {
  static readonly layer = Layer.effect(
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
}

const generatedPepper = (dataDirectory: string) => {
  const path = join(dataDirectory, "key-pepper")
  return Effect.try({
    try: () => peppers(readOrCreate(path)),
    catch: (cause) =>
      new DatabaseProblem({
        message: `the file ${path} cannot be used: give it to the user who runs this`,
        cause
      })
  }).pipe(
    Effect.filterOrFail(
      (found) => found !== undefined,
      () =>
        new DatabaseProblem({
          message: `the file ${path} is empty: restore it, or no key will be known again`
        })
    )
  )
}

/** Written whole under another name and linked, so that of two processes both read the same secret. */
const readOrCreate = (path: string): string => {
  const existing = readIfThere(path)
  if (existing !== null) return existing
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 })
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
