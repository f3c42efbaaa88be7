/** A start on the remains of a server that was killed or lost power. */

import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Logger, Redacted, Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { spawn } from "node:child_process"
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openEmbeddedPostgres } from "../../../src/storage/embeddedPostgres/EmbeddedPostgres.ts"
import { freshDataDirectory, postmasterOf, removeDataDirectory } from "../../support/dataDirectory.ts"

const dataDirectory = freshDataDirectory()
const folder = join(dataDirectory, "postgres")
const pidFile = join(folder, "postmaster.pid")

const opened = async () => {
  const scope = Scope.makeUnsafe()
  const url = await Effect.runPromise(
    openEmbeddedPostgres({ dataDirectory, serving: false, settings: ["fsync=off"] }).pipe(
      Scope.provide(scope),
      Effect.provide([Reactivity.layer, Logger.layer([])])
    )
  )
  return { url, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

/** The path of the folder whose server actually answers. */
const answeringFolder = (url: Redacted.Redacted) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.makeClient({ url })
    const [row] = yield* sql<{ readonly folder: string }>`SELECT current_setting('data_directory') AS folder`
    return row?.folder
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer), Effect.runPromise)

/** Writes the file like a server of which nothing else remains. */
const leaveBehind = (text: string | Buffer) => {
  const { gid, uid } = ownerOf(folder)
  writeFileSync(pidFile, text, { mode: 0o600 })
  chownSync(pidFile, uid, gid)
}

let whole = ""
beforeAll(async () => {
  const first = await opened()
  whole = readFileSync(pidFile, "utf8")
  await first.close()
})
afterAll(() => removeDataDirectory(dataDirectory))

describe("the embedded PostgreSQL", { timeout: 60_000 }, () => {
  it.each([
    ["empty", ""],
    ["cut within its first number", "1"],
    ["of zeros, which a loss of power leaves", Buffer.alloc(100)],
    ["garbage", Buffer.from("\u0001\u00ff\n\u00fe not a number")]
  ])("starts again by itself where postmaster.pid is %s", async (_, text) => {
    leaveBehind(text)
    const { close, url } = await opened()
    expect(await answeringFolder(url)).toBe(folder)
    await close()
  })

  it("starts again where the number in postmaster.pid is another program's of the same account", async () => {
    const other = spawn("/bin/sleep", ["60"], { ...ownerOf(folder), stdio: "ignore" })
    leaveBehind(whole.replace(/^\d+/, String(other.pid)))
    const { close, url } = await opened()
    expect(await answeringFolder(url)).toBe(folder)
    await close()
    other.kill()
  })

  it("does not connect to a server in a folder that others can enter, and starts its own elsewhere", async () => {
    const taken = join(dirname(dataDirectory), "taken")
    mkdirSync(taken)
    chmodSync(taken, 0o755)
    let connected = 0
    const stranger = createServer((socket) => {
      connected++
      socket.destroy()
    }).listen(join(taken, ".s.PGSQL.5432"))
    const lines = whole.split("\n")
    lines[0] = "999999999"
    lines[4] = taken
    leaveBehind(lines.join("\n"))
    const { close, url } = await opened()
    expect(await answeringFolder(url)).toBe(folder)
    expect([connected, Redacted.value(url).includes(taken)]).toEqual([0, false])
    await close()
    stranger.close()
    rmSync(taken, { recursive: true })
  })

  it("does not touch a running server whose postmaster.pid was damaged", async () => {
    const running = await opened()
    const postmaster = postmasterOf(dataDirectory)
    const text = readFileSync(pidFile, "utf8")
    writeFileSync(pidFile, "")
    const second = opened()
    await expect(answeringFolder(running.url)).resolves.toBe(folder)
    writeFileSync(pidFile, text)
    const joined = await second
    expect(postmasterOf(dataDirectory)).toBe(postmaster)
    await joined.close()
    await running.close()
  })
})

function ownerOf(path: string) {
  const { gid, uid } = statSync(path)
  return { gid, uid }
}
