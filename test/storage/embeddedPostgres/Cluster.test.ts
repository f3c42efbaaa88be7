import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { makeFolder } from "../../../src/storage/embeddedPostgres/Cluster.ts"

const root = mkdtempSync(join(tmpdir(), "action-risk-folder-"))
afterAll(() => rmSync(root, { recursive: true }))

describe("makeFolder", () => {
  it("creates every level, and accepts existing ones", () => {
    const path = join(root, "a", "b", "c")
    makeFolder(path, 0o711)
    makeFolder(path, 0o711)
    expect(statSync(path).mode & 0o777).toBe(0o711)
  })

  it.runIf(existsSync("/proc"))("gives up at once where no folder can be made", () => {
    expect(() => makeFolder("/proc/action-risk/x", 0o711)).toThrow("ENOENT")
  })
})
