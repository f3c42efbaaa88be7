/** `--history`: earlier requests count as in a case file, for `assess` and for `explain`. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import type { AssessmentResponse } from "../../src/api/AssessmentResponse.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { spoken } from "../support/spoken.ts"
import { newestVersion } from "../support/newestRelease.ts"

const folder = mkdtempSync(join(tmpdir(), "action-risk-history-"))
afterAll(() => rmSync(folder, { recursive: true }))

const fileOf = (name: string, json: object): string => {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(json))
  return path
}

const payout = join(packageRoot, "examples/requests/stripe-payout.json")
const now = "2026-11-16T12:00:00Z"
const earlier = {
  at: "2026-11-02T09:00:00Z",
  request: { action_type: "stripe.payouts.create", environment: "production", agent_id: "agent-7" },
  repeat: { times: 14, every: "1d" }
}
const known = fileOf("known.json", { now, earlier: [earlier] })

const assessed = async (...args: ReadonlyArray<string>): Promise<AssessmentResponse> => {
  const { code, stderr, stdout } = await spoken("assess", payout, "--json", ...args)
  expect([code, stderr]).toEqual([0, []])
  return JSON.parse(stdout)
}

describe("--history", () => {
  it("gives the opinion a baseline", async () => {
    const { behavioral_context, risk_factors } = await assessed("--rules", newestVersion, "--history", known)
    expect(behavioral_context).toMatchObject({
      historical_comparison_available: true,
      sample_size: 14,
      action_type_seen_before: true
    })
    expect(risk_factors.map(({ code }) => code)).not.toContain("NO_BEHAVIORAL_BASELINE")
  })

  it("also changes an explanation", async () => {
    const { stdout } = await spoken(
      "rules",
      "explain",
      payout,
      "--rules",
      newestVersion,
      "--history",
      known,
      "--json"
    )
    const { action_risk, factors } = JSON.parse(stdout)
    const opinion = await assessed("--rules", newestVersion, "--history", known)
    expect([action_risk, factors]).toEqual([opinion.action_risk, opinion.risk_factors])
  })

  it("left out means that the organization has no earlier requests", async () => {
    expect((await assessed()).behavioral_context).toMatchObject({ sample_size: 0 })
  })

  it.each([
    [
      "later than its own now",
      { now, earlier: [{ ...earlier, at: "2026-11-16T12:00:00Z" }] },
      "is not before `now`"
    ],
    ["of another shape", { now, before: [] }, "before"],
    ["without an instant", { earlier: [] }, "now"]
  ])("that is %s is refused in one line that names the file and the place", async (_, json, problem) => {
    const file = fileOf("wrong.json", json)
    const { code, stderr, stdout } = await spoken("assess", payout, "--history", file)
    expect([code, stdout, stderr.length]).toEqual([1, "", 1])
    expect(stderr[0]).toContain(`${file}: `)
    expect(stderr[0]).toContain(problem)
  })
})
