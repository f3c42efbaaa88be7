/** `prove-not-lower`: its output in every format, and its exit code. */

import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { plainTerminal } from "../../../src/cli/Terminal.ts"
import { shapeOf } from "../../support/verbs.ts"
import { renderProof } from "../../../src/cli/rules/proveNotLower.ts"
import { SituationFile } from "../../../src/rules/files/caseFiles.ts"
import { spoken } from "../../support/spoken.ts"
import { newestVersion } from "../../support/newestRelease.ts"
import { actionRisk } from "../../support/actionRisk.ts"
import { changedCheckout } from "../../support/changedRules.ts"

const decode = (command: string, text: string) =>
  Schema.decodeUnknownSync(shapeOf(command))(JSON.parse(text), {
    onExcessProperty: "error"
  })

describe("prove-not-lower", () => {
  const checkout = changedCheckout()
  const lowering = (...flags: ReadonlyArray<string>) =>
    actionRisk(["rules", "prove-not-lower", newestVersion, "draft", ...flags], { checkout })

  it("holds between a release and itself, and ends with 0", async () => {
    const { code, stderr, stdout } = await spoken(
      "rules",
      "prove-not-lower",
      newestVersion,
      newestVersion,
      "--json"
    )
    expect([code, stderr]).toEqual([0, []])
    expect(decode("rules prove-not-lower", stdout)).toEqual({ holds: true, covers: expect.any(String) })
  })

  it("ends with 1 and a request where one scores lower", async () => {
    const { code, stderr, stdout } = await lowering("--json")
    expect([code, stderr]).toEqual([1, ""])
    expect(decode("rules prove-not-lower", stdout)).toMatchObject({
      holds: false,
      witness: { from: { score: expect.any(Number) }, to: { score: expect.any(Number) } }
    })
  })

  it("prints one annotation for a request that scores lower, and none where there is none", async () => {
    const failing = await lowering("--format", "github")
    expect(failing.stdout.match(/^::error file=rules\/ruleset\.json/gm)).toHaveLength(1)
    const holding = await spoken(
      "rules",
      "prove-not-lower",
      newestVersion,
      newestVersion,
      "--format",
      "sarif"
    )
    expect(JSON.parse(holding.stdout)).toMatchObject({ runs: [{ results: [] }] })
  })

  it("proves policy sets over the newest rules", async () => {
    const words = ["policies", "prove-not-lower", "starter", "1.0.0", "1.0.0", "--json"]
    const { code, stdout } = await spoken(...words)
    expect(code).toBe(0)
    expect(decode("policies prove-not-lower", stdout)).toMatchObject({ holds: true })
  })

  it.each([
    [["rules", "prove-not-lower", newestVersion, "9.9.9"], newestVersion],
    [["policies", "prove-not-lower", "nobodys", "1.0.0", "draft"], "starter"],
    [["policies", "prove-not-lower", "starter", "9.9.9", "draft"], "1.0.0"]
  ])("treats %j as wrong usage", async (words, hint) => {
    const { code, stderr, stdout } = await spoken(...words)
    expect([code, stdout, stderr.length]).toEqual([2, "", 1])
    expect(stderr[0]).toContain(hint)
  })

  it("shows the request as a case to paste", () => {
    const request = { action_type: "invoice.pay", environment: "staging", financial_value: 1 } as const
    const page = renderProof(
      plainTerminal(100),
      {
        holds: false,
        covers: "one request that scores lower or gets a weaker control is enough",
        witness: {
          request,
          from: { score: 40, control: "HUMAN_CONFIRMATION_RECOMMENDED" },
          to: { score: 40, control: "ENHANCED_LOGGING_RECOMMENDED" }
        }
      },
      "1.0.0 → draft"
    )
    expect(page).toMatch(
      /^1\.0\.0 → draft: a request scored 40 with HUMAN_CONFIRMATION_RECOMMENDED and now scores 40 with ENHANCED_LOGGING_RECOMMENDED\n/
    )
    const pasted = JSON.parse(page.slice(page.indexOf("{"), page.lastIndexOf("}") + 1)) as {
      readonly request: unknown
    }
    expect(Schema.decodeUnknownSync(SituationFile)({ request: pasted.request }).request.actionType).toBe(
      "invoice.pay"
    )
  })
})
