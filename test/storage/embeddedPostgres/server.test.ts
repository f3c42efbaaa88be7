import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { socketFolderInUse } from "../../../src/storage/embeddedPostgres/server.ts"

const dataDirectory = mkdtempSync(join(tmpdir(), "action-risk-pid-"))
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }))

const folder = join(dataDirectory, "postgres")
mkdirSync(folder)
const cluster = {
  dataDirectory,
  folder,
  log: "",
  binaries: { root: "", initdb: "", pgCtl: "" },
  account: null,
  settings: []
}
const written = (...lines: ReadonlyArray<string>) => {
  writeFileSync(join(folder, "postmaster.pid"), lines.join("\n"))
  return socketFolderInUse(cluster)
}

describe("the folder of the running server's socket", () => {
  it("is unknown where no server runs", () => expect(socketFolderInUse(cluster)).toBe(null))

  it("is the one that the server wrote down", () =>
    expect(written("12", folder, "1700000000", "5432", "/tmp/x", "", "1 2", "ready")).toBe("/tmp/x"))

  it("is unknown while the server is still writing", () => {
    expect(written("12", folder, "1700000000", "5432")).toBe(null)
    expect(written("12", folder, "1700000000", "5432", "")).toBe(null)
  })

  it("is not another cluster's, whose files were copied here while it ran", () =>
    expect(written("12", "/elsewhere/postgres", "1700000000", "5432", "/tmp/x")).toBe(null))
})
