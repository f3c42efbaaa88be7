/** Answers without a service: the same as `assess` gives, kept where the commands that read recorded assessments can read them. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { ProposedAction } from "../../src/client/Assessment.ts"
import { isAssessment } from "../../src/client/Assessment.ts"
import { answerLocally, localEngineVersion } from "../../src/local/localAnswers.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { actionRisk } from "../support/inProcess.ts"
import { newestVersion } from "../support/newestRelease.ts"

const folder = mkdtempSync(join(tmpdir(), "action-risk-local-"))
const kept = join(folder, "opinions.ndjson")
afterAll(() => rmSync(folder, { recursive: true }))

const examples = join(packageRoot, "examples/requests")
const requests: ReadonlyArray<readonly [name: string, request: ProposedAction]> = readdirSync(examples)
  .filter((name) => name.endsWith(".json"))
  .map((name) => [name, JSON.parse(readFileSync(join(examples, name), "utf8"))])

/** The members of an answer that depend on the call, and not on the time. */
const ofTheCall = (assessment: object): object => {
  const said: Record<string, unknown> = { ...assessment }
  for (const own of ["assessment_id", "action_id", "request_id", "created_at", "timing"]) delete said[own]
  return { ...said, processing_time_ms: 0, environment_mode: "" }
}

const command = async (...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await actionRisk([...args, "--json"])
  expect(stderr).toBe("")
  return { code, json: JSON.parse(stdout) }
}

beforeAll(async () => {
  for (const [, request] of requests) await answerLocally(request, kept)
})

describe("an answer without a service", () => {
  it.each(requests)("is that of assess: %s", async (name, request) => {
    const answer = await answerLocally(request, null)
    const { json } = await command("assess", join(examples, name))
    if (answer.opinion === "none") throw new Error(answer.message)
    expect([answer.opinion, isAssessment(answer.assessment)]).toEqual(["full", true])
    expect(ofTheCall(answer.assessment)).toEqual(ofTheCall(json))
    expect(answer.assessment.risk_engine_version).toBe(await localEngineVersion())
  })

  it.each([
    ["that no service takes", { action_type: " ", environment: "production" }, "VALIDATION_FAILED"],
    [
      "that is too long",
      { action_type: "x", environment: "test", metadata: { x: "x".repeat(65_536) } },
      "PAYLOAD_TOO_LARGE"
    ]
  ])("is no opinion on a question %s, and nothing is kept", async (_, request, code) => {
    const before = readFileSync(kept)
    expect(await answerLocally(request as ProposedAction, kept)).toMatchObject({ opinion: "none", code })
    expect(readFileSync(kept)).toEqual(before)
  })

  it("is the same where it cannot be kept, which one line on standard error says", async () => {
    const said = vi.spyOn(process.stderr, "write").mockReturnValue(true)
    const [[, request] = ["", { action_type: "x", environment: "sandbox" } as const]] = requests
    const answer = await answerLocally(request, "/dev/null/opinions.ndjson")
    const lines = said.mock.calls.map(([line]) => String(line))
    said.mockRestore()
    expect(answer.opinion).toBe("full")
    expect(lines).toEqual([expect.stringMatching(/^action-risk: the opinion was not kept: [^\n]+\n$/)])
  })
})

describe("the file of opinions", () => {
  it("is a history for rules backtest, of an organization without one", async () => {
    const { json } = await command("rules", "backtest", newestVersion, newestVersion, "--history", kept)
    expect(json).toMatchObject({ counts: { unchanged: requests.length }, unreadable: [] })
  })

  it("is a recording for tools gaps", async () => {
    const { json } = await command("tools", "gaps", "--recorded", kept)
    expect(json.gaps.length).toBeGreaterThan(0)
    expect(json.tools).toBe(new Set(requests.map(([, { action_type: type }]) => type)).size)
  })

  it("is calls for rules agree, each with the level that it was answered with until a person gives it another", async () => {
    const { json } = await command("rules", "agree", "--labels", kept)
    expect([json.calls, json.disagreements_total]).toEqual([requests.length, 0])
    const lines = readFileSync(kept, "utf8").trimEnd().split("\n")
    const { action_risk: risk, ...rest } = JSON.parse(lines[0] ?? "")
    const level = risk.level === "low" ? "critical" : "low"
    const corrected = join(folder, "corrected.ndjson")
    writeFileSync(
      corrected,
      [JSON.stringify({ ...rest, action_risk: { ...risk, level } }), ...lines.slice(1)].join("\n")
    )
    const again = await command("rules", "agree", "--labels", corrected)
    expect(again.json.disagreements).toEqual([
      expect.objectContaining({ id: rest.assessment_id, label: level, level: risk.level })
    ])
  })
})
