/** Which server counts as ours: the folder that `postmaster.pid` names is trusted only where no other account can have made it. */

import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { socketFolderInUse } from "../../../src/storage/embeddedPostgres/server.ts"

const root = process.getuid?.() === 0
const dataDirectory = mkdtempSync(join(tmpdir(), "action-risk-pid-"))
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }))

const folder = join(dataDirectory, "postgres")
const socket = join(dataDirectory, "socket")
const pidFile = join(folder, "postmaster.pid")
const cluster = {
  dataDirectory,
  folder,
  log: "",
  binaries: { root: "", initdb: "", pgCtl: "" },
  account: null,
  settings: []
}

beforeEach(() => {
  for (const path of [folder, socket]) {
    rmSync(path, { recursive: true, force: true })
    mkdirSync(path, { mode: 0o700 })
  }
})

const written = (...lines: ReadonlyArray<string>) => {
  writeFileSync(pidFile, lines.join("\n"), { mode: 0o600 })
  return socketFolderInUse(cluster)
}

const whole = ["12", folder, "1700000000", "5432", socket, "", "1 2", "ready"]

describe("the folder of the running server's socket", () => {
  it("is unknown where no server runs", () => expect(socketFolderInUse(cluster)).toBe(null))

  it("is the one that the server wrote down", () => expect(written(...whole)).toBe(socket))

  it("is unknown while the server is still writing", () => {
    expect(written("12", folder, "1700000000", "5432")).toBe(null)
    expect(written("12", folder, "1700000000", "5432", "")).toBe(null)
  })

  it("is not another cluster's, whose files were copied here while it ran", () =>
    expect(written("12", "/elsewhere/postgres", ...whole.slice(2))).toBe(null))

  it("is unknown where it is gone, a link, or open to others: its maker could listen in it", () => {
    chmodSync(socket, 0o701)
    expect(written(...whole)).toBe(null)
    rmSync(socket, { recursive: true })
    expect(written(...whole)).toBe(null)
    mkdirSync(join(dataDirectory, "elsewhere"), { mode: 0o700 })
    symlinkSync(join(dataDirectory, "elsewhere"), socket)
    expect(written(...whole)).toBe(null)
  })

  it("is unknown where others could read or write what names it", () => {
    expect(written(...whole)).toBe(socket)
    chmodSync(pidFile, 0o620)
    expect(socketFolderInUse(cluster)).toBe(null)
  })

  it.skipIf(!root)("is unknown where another account owns it, or the file that names it", () => {
    expect(written(...whole)).toBe(socket)
    chownSync(pidFile, 1, 1)
    expect(socketFolderInUse(cluster)).toBe(null)
    expect(written(...whole), "the file keeps its owner").toBe(null)
    chownSync(pidFile, 0, 0)
    chownSync(socket, 1, 1)
    expect(socketFolderInUse(cluster)).toBe(null)
    expect(socketFolderInUse({ ...cluster, account: { uid: 1, gid: 1 } })).toBe(null)
    chownSync(pidFile, 1, 1)
    expect(socketFolderInUse({ ...cluster, account: { uid: 1, gid: 1 } })).toBe(socket)
  })
})
