/** `rules report` and `policies report` as command lines. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { listReleases } from "../../../src/rules/release/loadRelease.ts"
import { actionRisk } from "../../support/inProcess.ts"
import { reportShape } from "../../../src/cli/report/reportCommand.ts"
import { documentIn } from "../../support/verbs.ts"

const folder = mkdtempSync(join(tmpdir(), "action-risk-report-"))
afterAll(() => rmSync(folder, { recursive: true }))

const first = listReleases(packageRoot)[0] ?? ""

describe("rules report", () => {
  it("writes a page, says its answers as JSON, and ends with 0 whatever they are", async () => {
    const out = join(folder, "report.html")
    const history = join(packageRoot, "examples/history/december.ndjson")
    const args = ["rules", "report", first, first, "--history", history, "--out", out, "--json"]
    const { code, stderr, stdout } = await actionRisk(args)
    expect([code, stderr]).toEqual([0, ""])
    const told = documentIn(reportShape, stdout)
    expect(told).toMatchObject({ from: first, to: first, out })
    expect(told.answers.map(({ section }) => section)).toEqual([
      "check",
      "cases",
      "changes",
      "proof",
      "backtest"
    ])
    expect(told.answers.slice(2).map(({ state }) => state)).toEqual(["good", "good", "good"])
    expect(readFileSync(out, "utf8")).toMatch(/^<!doctype html>/)
  })
})

describe("policies report", () => {
  it("prints Markdown to standard output where no file is named", async () => {
    const args = ["policies", "report", "starter", "1.0.0", "1.0.0", "--format", "markdown"]
    const { code, stderr, stdout } = await actionRisk(args)
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(/^## Customer policies: `starter@1\.0\.0` → `starter@1\.0\.0`\n/)
    expect(stdout).toContain("Neither: both are equivalent.")
  })

  it("takes --json only where Markdown goes to a file", async () => {
    const args = ["policies", "report", "starter", "1.0.0", "1.0.0", "--format", "markdown", "--json"]
    const { code, stderr, stdout } = await actionRisk(args)
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toMatch(/^action-risk: [^\n]*--out[^\n]*\n$/)
  })
})
