import { execFileSync } from "node:child_process"
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { type RunOptions, serving } from "../../support/actionRisk.ts"
import { checkoutWithoutLinks, libraryLinks } from "../../support/checkout.ts"
import { freshDataDirectory, postmasterOf, removeDataDirectory } from "../../support/dataDirectory.ts"

const root = process.getuid?.() === 0
const nobody = 65_534
/** An account that every Linux has, and one that none has. */
const [named, unknown] = [1, 54_321]

const used: Array<string> = []
afterAll(() => {
  for (const dataDirectory of used) removeDataDirectory(dataDirectory)
})

/** A path that does not exist yet, or a folder that belongs to `owner`. */
const dataDirectory = (owner?: number) => {
  const made = freshDataDirectory()
  used.push(made)
  if (owner !== undefined) {
    mkdirSync(made)
    chownSync(made, owner, owner)
  }
  return made
}

/** Serves, returns the owner of the postmaster's process and files, and stops. */
const served = async (data: string, options: RunOptions = {}, logged = /^$/) => {
  const server = await serving({ ...options, env: { DATA_DIR: data } })
  const owner = statSync(`/proc/${postmasterOf(data)}`).uid
  server.signal("SIGTERM")
  const { code, stderr } = await server.finished
  expect(code).toBe(0)
  expect(stderr).toMatch(logged)
  return [owner, statSync(join(data, "postgres")).uid]
}

describe.concurrent("PostgreSQL, started by us", { timeout: 90_000 }, () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "action-risk-checkout-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("starts in a folder that only we may enter, and makes missing library links", async () => {
    const checkout = checkoutWithoutLinks(join(folder, "checkout"))
    expect([statSync(folder).mode & 0o077, libraryLinks(checkout)]).toEqual([0, []])
    const [owner] = await served(join(folder, "data"), { checkout })
    expect(owner).toBe(root ? uidOf("action-risk") : process.getuid?.())
    expect(libraryLinks(checkout).length).toBeGreaterThan(0)
  })

  it.skipIf(!root)("runs as the data directory's owner where root starts it", async () => {
    expect(await served(dataDirectory(named))).toEqual([named, named])
  })

  it.skipIf(!root)("runs as its own account where the data directory's owner is unknown here", async () => {
    const own = uidOf("action-risk")
    expect(await served(dataDirectory(unknown))).toEqual([own, own])
  })

  it.skipIf(!root)(
    "runs as the account `nobody` only for a folder of that account, and warns of its other programs",
    async () => {
      const warned = /every other program of that account can read and change/
      expect(await served(dataDirectory(nobody), {}, warned)).toEqual([nobody, nobody])
    }
  )

  it.skipIf(!root)("gets only the account's own permissions if these suffice", async () => {
    const data = dataDirectory()
    const server = await serving({ env: { DATA_DIR: data } })
    const status = execFileSync("cat", [`/proc/${postmasterOf(data)}/status`], { encoding: "utf8" })
    server.signal("SIGTERM")
    await server.finished
    expect(status).toMatch(/^CapEff:\s0+$/m)
  })

  it.skipIf(!root || !everyoneMayEnter(process.execPath))("runs as the user who starts it", async () => {
    expect(await served(dataDirectory(nobody), { uid: nobody })).toEqual([nobody, nobody])
  })

  it.skipIf(root)("runs as the current user", async () => {
    const us = process.getuid?.()
    expect(await served(dataDirectory())).toEqual([us, us])
  })

  it("listens nowhere on the network, and keeps all others from its socket and files", async () => {
    const data = dataDirectory()
    const server = await serving({ env: { DATA_DIR: data } })
    const [, , , port = "", socketFolder = "", address = ""] = execFileSync(
      "cat",
      [join(data, "postgres/postmaster.pid")],
      {
        encoding: "utf8"
      }
    ).split("\n")
    const modes = [
      socketFolder,
      join(socketFolder, `.s.PGSQL.${port}`),
      join(data, "key-pepper"),
      join(data, "postgres")
    ].map((path) => (statSync(path).mode & 0o077).toString(8))
    server.signal("SIGTERM")
    await server.finished
    expect([address, modes]).toEqual(["", ["0", "0", "0", "0"]])
  })
})

/** The run's own cluster has made the account where it was missing. */
function uidOf(account: string): number {
  return Number(execFileSync("id", ["-u", account], { encoding: "utf8" }))
}

function everyoneMayEnter(path: string): boolean {
  return path === "/" || ((statSync(path).mode & 0o001) === 1 && everyoneMayEnter(join(path, "..")))
}
