/** A PostgreSQL for one bench, in a new folder, as durable as an installed one. */

import { Effect, Exit, Redacted, Scope } from "effect"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import pg from "pg"
import { openEmbeddedPostgres } from "../../src/storage/embeddedPostgres/EmbeddedPostgres.ts"

export interface OwnDatabase extends AsyncDisposable {
  readonly dataDirectory: string
  /** The owner's URL. */
  readonly url: string
  readonly owner: pg.Pool
  /** Assessments that are stored in test mode. */
  readonly countStored: () => Promise<number>
}

/** The durability of a commit before it is answered, here as anywhere. */
const durable = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" }

const parentOfFolders = "/tmp"

export const openDatabase = async (): Promise<OwnDatabase> => {
  const dataDirectory = mkdtempSync(join(parentOfFolders, "action-risk-bench-"))
  // PostgreSQL refuses to run as root, and the account it runs as instead must reach its folder.
  chmodSync(dataDirectory, 0o755)
  const scope = Scope.makeUnsafe()
  const url = await Effect.runPromise(
    openEmbeddedPostgres({ dataDirectory, serving: false }).pipe(Scope.provide(scope))
  )
  const owner = new pg.Pool({ connectionString: Redacted.value(url), max: 4 })
  for (const [name, value] of Object.entries(durable)) {
    const { rows } = await owner.query(`SELECT current_setting($1) AS value`, [name])
    if (rows[0]?.value !== value) throw new Error(`${name} is not ${value}: nothing would be measured`)
  }
  return {
    dataDirectory,
    url: Redacted.value(url),
    owner,
    countStored: async () => {
      const { rows } = await owner.query<{ stored: number }>(
        "SELECT count(*)::int AS stored FROM test.assessments"
      )
      return rows[0]?.stored ?? 0
    },
    [Symbol.asyncDispose]: async () => {
      await owner.end()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      rmSync(dataDirectory, { recursive: true, force: true })
    }
  }
}
