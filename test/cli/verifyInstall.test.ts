/** `action-risk verify-install`: which files of a package it reports as changed. */

import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, expect, it } from "vitest"
import { verifyInstalled } from "../../src/cli/verifyInstall.ts"
import { actionRisk } from "../support/inProcess.ts"

const folders: Array<string> = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const write = (folder: string, path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const packed = { "bin/run.js": "run()", "dist/deep/part.js": "part()", "rules/words.json": "{}" }

const installed = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "action-risk-installed-"))
  folders.push(folder)
  const sums = Object.entries(packed).map(([path, text]) => {
    write(folder, path, text)
    return `${createHash("sha256").update(text).digest("hex")}  ${path}\n`
  })
  write(folder, "dist/SHA256SUMS", sums.join(""))
  return folder
}

it("finds nothing in a package as it was packed, with an operator's own rules in it", () => {
  const folder = installed()
  write(folder, "rules/own.json", "{}")
  expect(verifyInstalled(folder)).toMatchObject({
    files: 3,
    changed: [],
    missing: [],
    unknown: [],
    parts: null
  })
})

it("finds changed, removed and added files, and a different digest if the list was changed", () => {
  const folder = installed()
  const before = verifyInstalled(folder)?.digestsSha256
  write(folder, "rules/words.json", "[]")
  write(folder, "dist/deep/other.js", "evil()")
  rmSync(join(folder, "bin/run.js"))
  expect(verifyInstalled(folder)).toMatchObject({
    changed: ["rules/words.json"],
    missing: ["bin/run.js"],
    unknown: ["dist/deep/other.js"],
    digestsSha256: before
  })
  write(folder, "dist/SHA256SUMS", "")
  expect(verifyInstalled(folder)?.digestsSha256).not.toBe(before)
})

it("has nothing to say about a checkout", async () => {
  const { code, stderr } = await actionRisk(["verify-install"])
  expect([code, stderr]).toEqual([1, expect.stringContaining("no digests to compare with")])
})
