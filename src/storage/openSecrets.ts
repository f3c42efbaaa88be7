/** Reads the secrets that the operator provided or generates them once in DATA_DIR, and refuses peppers that the database does not know. */

import { Effect, Layer, Redacted, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { createHmac, randomBytes } from "node:crypto"
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { AppConfig, variables } from "../config.ts"
import { type Peppers, peppers, WrongVariable } from "../environment.ts"
import { pepperBytesMin } from "../limits.ts"
import { Database } from "./Database.ts"
import { Secrets } from "./Secrets.ts"
import { isCode, makeFolder } from "./embeddedPostgres/Cluster.ts"
import { decodeRows } from "./sql/rows.ts"
import { ControlSql } from "./sql/Sql.ts"
import { DatabaseProblem } from "./storageErrors.ts"

export const secretsLayer = Layer.effect(
  Secrets,
  Effect.gen(function* () {
    const { dataDirectory, keyPeppers: given } = yield* AppConfig
    const { kind } = yield* Database
    if (given !== null) return Secrets.of({ keyPeppers: yield* recognized(given, variables.keyPeppers.name) })
    if (kind === "embedded") {
      const path = join(dataDirectory, "key-pepper")
      return Secrets.of({ keyPeppers: yield* recognized(yield* generatedPepper(path), `the file ${path}`) })
    }
    const { accepted, name } = variables.keyPeppers
    return yield* new WrongVariable({ name, problem: "is unset, and DATABASE_URL needs it", accepted })
  })
)

const wayOut = "restore it from a backup, or revoke these keys (action-risk keys list) and start again"

const inUse = (keys: number): string => (keys === 1 ? "1 key in use was" : `${keys} keys in use were`)

/**
 * Under a different pepper every key would be unknown, although everything would look healthy. `source` says where the peppers come from.
 */
const recognized = (keyPeppers: Peppers, source: string) =>
  Effect.flatMap(keysUnderOtherPeppers(keyPeppers), (keys) =>
    keys === 0
      ? Effect.succeed(keyPeppers)
      : Effect.fail(
          new DatabaseProblem({
            message: `${source} does not contain the pepper that ${inUse(keys)} made under: ${wayOut}`
          })
        )
  )

/** The pepper in the file. Only generated if no key can depend on an earlier one. */
const generatedPepper = Effect.fnUntraced(function* (path: string) {
  const keys = existsSync(path) ? 0 : yield* countUsableKeys
  if (keys > 0) {
    return yield* new DatabaseProblem({
      message: `the file ${path} is missing, and ${inUse(keys)} made under its pepper: ${wayOut}`
    })
  }
  const tooShort = `contains less than ${pepperBytesMin} bytes: restore it from a backup, or no key will be recognized again`
  return yield* secretAt(path, "base64url", peppers, tooShort)
})

/** No key has this text, so its hash is a check value and not the hash of any key. */
const checkedText = "action-risk key pepper"

const checkValue = (pepper: Redacted.Redacted): Uint8Array =>
  createHmac("sha256", Redacted.value(pepper)).update(checkedText).digest()

const CountRow = Schema.Struct({ count: Schema.Int })

/** The number of keys that would be lost with their pepper: those that are neither revoked nor expired. */
const countUsableKeys: Effect.Effect<number, SqlError.SqlError, ControlSql> = Effect.gen(function* () {
  const sql = yield* ControlSql
  const [row] = yield* decodeRows(CountRow)(sql`
    SELECT count(*)::int AS count FROM api_keys
    WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
  `)
  return row?.count ?? 0
})

const KnownRow = Schema.Struct({ known: Schema.Int, ours: Schema.Int })

/**
 * The number of usable keys that none of these peppers can have hashed. If it is 0, these peppers replace the remembered ones. A database
 * that remembers none, or has no usable keys, accepts any.
 */
const keysUnderOtherPeppers = Effect.fn("Secrets.keysUnderOtherPeppers")(function* (peppers: Peppers) {
  const sql = yield* ControlSql
  const values = peppers.map(checkValue)
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      // Processes that start at once wait for each other; otherwise each of two could take the other's pepper for the first one.
      yield* sql`LOCK TABLE pepper_checks IN SHARE ROW EXCLUSIVE MODE`
      const [row] = yield* decodeRows(KnownRow)(sql`
        SELECT count(*)::int AS known, count(*) FILTER (WHERE check_value = ANY (${values}::bytea[]))::int AS ours
        FROM pepper_checks
      `)
      if (row !== undefined && row.known > 0 && row.ours === 0) {
        const usable = yield* countUsableKeys
        if (usable > 0) return usable
        yield* sql`DELETE FROM pepper_checks`
      }
      yield* sql`
        INSERT INTO pepper_checks (check_value) SELECT unnest(${values}::bytea[]) ON CONFLICT DO NOTHING
      `
      return 0
    })
  )
})

const secretBytes = 32

/**
 * The text of the file. A missing file is created with random bytes in the given encoding, readable only by its owner. It is written under
 * a temporary name and then linked, so that two processes that start at once read the same secret.
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

/** The secret at `path`, parsed by `read`. If `read` returns undefined, `lost` completes the message about the file. */
export const secretAt = <A>(
  path: string,
  encoding: "base64" | "base64url",
  read: (text: string) => A | undefined,
  lost: string
): Effect.Effect<A, DatabaseProblem> =>
  Effect.try({
    try: () => {
      // The same mode as for the embedded server, whose account must be able to pass through the folder.
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
