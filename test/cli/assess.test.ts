import { Schema } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { AssessmentResponse } from "../../src/api/AssessmentResponse.ts"
import { actionRisk as startProgram } from "../support/actionRisk.ts"
import { actionRisk } from "../support/inProcess.ts"

const example = (name: string) => join(import.meta.dirname, "../../examples/requests", `${name}.json`)
const payout = example("stripe-payout")

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "action-risk-assess-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

const fileOf = (text: string): string => {
  const path = join(folder, "request.json")
  writeFileSync(path, text)
  return path
}

/** The start of every color sequence: ESC [ */
const escapes = new RegExp(`${String.fromCharCode(27)}\\[`)

describe("assess", () => {
  it("prints the opinion with every part that a person asks for", async () => {
    const { code, stderr, stdout } = await actionRisk(["assess", payout])
    expect([code, stderr]).toEqual([0, ""])
    for (const part of [
      /^ CRITICAL \d+ {2}action risk/,
      /in production/,
      /Blast radius\n {2}financial impact +\d+ {2}█+/,
      /Risk factors\n {2}\w+ +[A-Z_]+ {2,}\S/,
      /SECONDARY_APPROVAL_RECOMMENDED, priority critical\n {2}because {2}\S/,
      /Summary\n {2}“treasury-sweeper” wants to create payouts/,
      /decision support only/
    ]) {
      expect(stdout).toMatch(part)
    }
  })

  it("shows for a sparse request the assumed values and what stating them could change", async () => {
    const { stdout } = await actionRisk(["assess", example("mcp-write-file")])
    expect(stdout).toMatch(
      /Missing information\n[^]*taken as \S+ +stating it moves the score to between \d+ and \d+/
    )
  })

  it("prints the body of the API under --json, and nothing else", async () => {
    const { code, stdout } = await actionRisk(["assess", payout, "--json", "--mode", "live"])
    const body = Schema.decodeUnknownSync(AssessmentResponse, { onExcessProperty: "error" })(
      JSON.parse(stdout)
    )
    expect([code, body.environment_mode, body.action_risk.level]).toEqual([0, "live", "critical"])
  })

  it("reads standard input for -", async () => {
    const { code, stdout } = await actionRisk(["assess", "-", "--json"], {
      input: readFileSync(payout, "utf8")
    })
    expect([code, JSON.parse(stdout).action_risk.level]).toEqual([0, "critical"])
  })

  it("scores with the working files under --rules draft, and names both in what it says", async () => {
    const { code, stdout } = await actionRisk(["assess", payout, "--json", "--rules", "draft"])
    expect([code, JSON.parse(stdout).risk_engine_version]).toEqual([
      0,
      expect.stringMatching(/^\d+\.\d+\.\d+\+\d+\.\d+\.\d+\.[0-9a-f]{8}$/)
    ])
  })

  it("adds what a customer's policy says, and never lowers the score by it", async () => {
    const plain = await actionRisk(["assess", payout, "--json"])
    const { stdout } = await actionRisk(["assess", payout, "--json", "--policies", "starter"])
    const body = JSON.parse(stdout)
    expect(body.policy_context.length).toBeGreaterThan(0)
    expect(body.policy_version).toMatch(/^starter@/)
    expect(body.action_risk.score).toBeGreaterThanOrEqual(JSON.parse(plain.stdout).action_risk.score)
  })

  it("lists every problem of a request at once, on one line, and scores nothing", async () => {
    const request = fileOf(
      '{"action_type": " ", "environment": "prod", "entities_affected": -1, "colour": "red"}'
    )
    const { code, stderr, stdout } = await actionRisk(["assess", request])
    expect([code, stdout, stderr.trimEnd().split("\n").length]).toEqual([1, "", 1])
    for (const field of ["action_type", "environment", "entities_affected", "colour"]) {
      expect(stderr).toContain(` ${field} `)
    }
  })

  it("reads JSON as strictly as the API: a repeated key is refused", async () => {
    const request = fileOf('{"action_type": "x", "environment": "production", "environment": "development"}')
    const { code, stderr } = await actionRisk(["assess", request])
    expect([code, stderr]).toEqual([1, expect.stringContaining("not valid JSON")])
  })

  it("refuses a missing file, in one line", async () => {
    const { code, stderr } = await actionRisk(["assess", "/nowhere/request.json"])
    expect([code, stderr]).toEqual([
      1,
      "action-risk: /nowhere/request.json: cannot be read: there is no such file\n"
    ])
  })

  it.each([
    ["--rules", "9.9.9"],
    ["--policies", "nobody"]
  ])("treats %s %s as wrong usage, and names the alternatives", async (flag, name) => {
    const { code, stderr, stdout } = await actionRisk(["assess", payout, flag, name])
    expect([code, stdout, stderr.trimEnd().split("\n").length]).toEqual([2, "", 1])
    expect(stderr).toContain("Expected: one of ")
  })

  it("uses color if forced, and otherwise none without a terminal", async () => {
    const plain = await startProgram(["assess", payout])
    const coloured = await startProgram(["assess", payout], { env: { FORCE_COLOR: "1" } })
    expect([plain, coloured].map(({ stdout }) => escapes.test(stdout))).toEqual([false, true])
  })
})
