/** One embedded cluster: its folder, its programs, and the account that runs it. */

import { Effect } from "effect"
import { chownSync, existsSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { DatabaseProblem } from "../DatabaseProblem.ts"
import { type Binaries, locateBinaries } from "./binaries.ts"
import { makeFolder } from "./makeFolder.ts"
import { serverAccount, type ServerAccount } from "./serverAccount.ts"

export interface Cluster {
  /** DATA_DIR, absolute, without symbolic links. */
  readonly dataDirectory: string
  /** PostgreSQL's own folder inside it. */
  readonly folder: string
  readonly log: string
  readonly binaries: Binaries
  readonly account: ServerAccount | null
  /** `name=value` settings for every start. */
  readonly settings: ReadonlyArray<string>
}

export const clusterAt = Effect.fnUntraced(function* (
  dataDirectory: string,
  settings: ReadonlyArray<string> = []
): Effect.fn.Return<Cluster, DatabaseProblem> {
  const binaries = yield* locateBinaries
  return yield* Effect.try({
    try: () => {
      // Entered by the server's account, listed by the owner alone.
      makeFolder(dataDirectory, 0o711)
      const real = realpathSync(dataDirectory)
      const folder = clusterFolder(real)
      const account = serverAccount(real, folder)
      return { dataDirectory: real, folder, log: join(real, "postgres.log"), binaries, account, settings }
    },
    catch: (cause) =>
      new DatabaseProblem({
        message: `DATA_DIR ${dataDirectory} cannot be used: ${reasonOf(cause)}`,
        cause
      })
  })
})

/** PostgreSQL's own folder in DATA_DIR. */
export const clusterFolder = (dataDirectory: string): string => join(dataDirectory, "postgres")

export const isInitialized = (folder: string): boolean => existsSync(join(folder, "PG_VERSION"))

/** Hands a file or folder of ours to the account that runs the server. */
export const giveToServer = (cluster: Cluster, path: string): void => {
  if (cluster.account !== null) chownSync(path, cluster.account.uid, cluster.account.gid)
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
