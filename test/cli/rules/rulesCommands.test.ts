/** The commands that read rules and policies: each prints JSON of its schema and ends with the documented exit code. */

import { Schema } from "effect"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { shapeOf } from "../../support/verbs.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { spoken } from "../../support/spoken.ts"
import { newestVersion } from "../../support/newestRelease.ts"
import { actionRisk } from "../../support/actionRisk.ts"
import { changedCheckout } from "../../support/changedRules.ts"

const example = (name: string) => join(packageRoot, "examples/requests", `${name}.json`)
const labels = join(packageRoot, "examples/labels/calls.ndjson")
const salesforce = example("salesforce-export")

const printed = async (...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await spoken(...args, "--json")
  expect(stderr).toEqual([])
  return { code, json: JSON.parse(stdout) as unknown }
}

describe("--json", () => {
  it.each([
    ["rules facts", [], 0],
    ["rules list", ["--rules", newestVersion], 0],
    ["rules show", ["HIGH_ENTITY_COUNT"], 0],
    ["rules show", ["sensitive-export-to-novel-destination", "--rules", newestVersion], 0],
    ["rules test", ["--coverage", "--rules", newestVersion], 0],
    ["rules explain", [salesforce], 0],
    ["rules explain", [salesforce, "--rules", "draft", "--policies", "starter"], 0],
    ["rules agree", ["--labels", labels], 0],
    ["rules agree", ["--labels", labels, "--rules", "draft", "--policies", "starter"], 0],
    ["rules mutate", ["HIGH_ENTITY_COUNT", "--min", "100"], 0],
    ["policies list", [], 0],
    ["policies show", ["starter"], 0],
    ["policies show", ["starter", "new-payees-are-called-back"], 0],
    ["policies test", ["starter", "--coverage", "--rules", "draft"], 0],
    ["policies explain", ["starter", example("stripe-payout")], 0],
    ["policies mutate", ["starter", "new-payees-are-called-back", "--rules", "draft"], 0]
  ] as const)("of `%s` %j has its shape and ends with %i", async (command, args, ending) => {
    const { code, json } = await printed(...command.split(" "), ...args)
    const shape = shapeOf(command)
    expect(() => Schema.decodeUnknownSync(shape)(json, { onExcessProperty: "error" })).not.toThrow()
    expect(code).toBe(ending)
  })
})

describe("a name that does not exist", () => {
  it.each([
    [["rules", "show", "HIGH_ENTITY_CONT"], "did you mean `HIGH_ENTITY_COUNT`?"],
    [["rules", "mutate", "HIGH_ENTITY_CONT"], "did you mean `HIGH_ENTITY_COUNT`?"],
    [["rules", "list", "--rules", "9.9.9"], newestVersion],
    [["rules", "test", "--rules", "9.9.9"], newestVersion],
    [["rules", "explain", salesforce, "--rules", "9.9.9"], newestVersion],
    [["rules", "explain", salesforce, "--policies", "nobodys"], "starter"],
    [["rules", "mutate", "--min", "101"], "0 to 100"],
    [["rules", "agree", "--labels", labels, "--rules", "9.9.9"], newestVersion],
    [["rules", "agree", "--labels", labels, "--policies", "nobodys"], "starter"],
    [["rules", "agree", "--labels", labels, "--limit", "-1"], "--limit"],
    [["rules", "agree"], "--labels"],
    [["policies", "show", "nobodys"], "starter"],
    [["policies", "show", "starter", "new-payees-are-called-bak"], "did you mean"],
    [["policies", "test", "nobodys"], "starter"]
  ])("is wrong usage: %j", async (args, hint) => {
    const { code, stderr, stdout } = await spoken(...args)
    expect([code, stdout, stderr.length]).toEqual([2, "", 1])
    expect(stderr[0]).toContain(hint)
  })
})

describe("an explanation", () => {
  it("shows the same risk as an assessment", async () => {
    const assessment = (await printed("assess", salesforce)).json
    const { json } = await printed("rules", "explain", salesforce)
    const { action_risk, blast_radius, risk_factors } = assessment as Record<string, unknown>
    expect(json).toMatchObject({ action_risk, blast_radius, factors: risk_factors })
  })

  it("shows how far a figure is from its threshold", async () => {
    const { json } = await printed("rules", "explain", salesforce, "--rules", newestVersion)
    const { rules } = json as { readonly rules: ReadonlyArray<{ readonly name: string }> }
    expect(rules.find(({ name }) => name === "HIGH_ENTITY_COUNT.critical")).toMatchObject({
      code: "HIGH_ENTITY_COUNT",
      result: false,
      atoms: [
        {
          fact: "entities_affected",
          operator: "greaterThanInclusive",
          value: 100_000,
          actual: 4_800,
          result: false,
          short_by: 95_200
        },
        { fact: "action_class", result: true }
      ]
    })
  })

  it.each([
    ["there is no such file", "/nowhere.json"],
    ["MALFORMED", join(packageRoot, "README.md")]
  ])("refuses in one line what it cannot read: %s", async (_, file) => {
    const { code, stderr, stdout } = await spoken("rules", "explain", file)
    expect([code, stdout, stderr.length]).toEqual([1, "", 1])
    expect(stderr[0]).toContain(file)
  })
})

describe("failing cases", () => {
  it("end with 1, each with its file, line and column, in every format", async () => {
    const checkout = changedCheckout()
    const changed = ["rules", "test", "--rules", "draft"]
    const place = /rules\/[\w/.-]+\.json:\d+:\d+ error failing-case/
    expect(await actionRisk(changed, { checkout })).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(place) as string
    })
    const github = await actionRisk([...changed, "--format", "github"], { checkout })
    expect(github.code).toBe(1)
    expect(github.stdout).toMatch(/^::error file=rules\/[\w/.-]+\.json,line=\d+/m)
  })
})
