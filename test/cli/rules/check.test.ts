import { Effect } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { belowRoot } from "../../../src/cli/rules/check.ts"
import { checkPolicies, checkRules } from "../../../src/rules/check/checkFiles.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { actionRisk } from "../../support/actionRisk.ts"
import { lightCheckout } from "../../support/checkout.ts"
import { documentIn, shapeOf } from "../../support/verbs.ts"

const checkout = join(mkdtempSync(join(tmpdir(), "action-risk-check-")), "checkout")
const factor = "rules/factors/volume/HIGH_ENTITY_COUNT.json"
const policy = "policies/starter/admin-grants-are-reviewed.json"

const edit = (file: string, from: string, to: string) => {
  const text = readFileSync(join(checkout, file), "utf8")
  if (!text.includes(from)) throw new Error(`${file} does not say ${from}`)
  writeFileSync(join(checkout, file), text.replace(from, to))
}

const run = (...args: ReadonlyArray<string>) => actionRisk(args, { checkout })

beforeAll(() => {
  lightCheckout(checkout)
  edit(factor, '"fact": "entities_affected"', '"fact": "entities_afected"')
  edit(policy, '"owner": "security",', "")
})
afterAll(() => rmSync(dirname(checkout), { recursive: true, force: true }))

describe("rules check", () => {
  it("tells people where a file is wrong, why, and what to write, and ends with 1", async () => {
    const { code, stderr, stdout } = await run("rules", "check")
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" })
    const lines = readFileSync(join(checkout, factor), "utf8").split("\n")
    const at = lines.findIndex((line) => line.includes('"entities_afected"'))
    const column = (lines[at]?.indexOf('"entities_afected"') ?? 0) + 1
    expect(stdout).toContain(`${factor}:${at + 1}:${column} error unknown-fact`)
    expect(stdout).toContain("unknown fact `entities_afected`, did you mean `entities_affected`?")
    expect(stdout).toContain("  write entities_affected\n  see docs/lints/unknown-fact.md\n")
    expect(stdout).toMatch(/\n\n[\d,]+ files, 1 error\n$/)
    expect(stdout).not.toMatch(/\bat .+:\d+:\d+\)|node:internal/)
  })

  it("treats a missing path as wrong usage", async () => {
    const { code, stderr, stdout } = await run("rules", "check", "rules/factors/volumes")
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain('"rules/factors/volumes". Expected: a file or folder that exists')
  })

  it.each([
    ["rules/factors", "rules/factors"],
    [join(packageRoot, "rules/factors/volume/"), "rules/factors/volume"],
    ["./rules/typologies/../ruleset.json", "rules/ruleset.json"],
    ["rules", "rules"]
  ])("treats %s as %s", async (typed, below) => {
    expect(await Effect.runPromise(belowRoot(typed))).toBe(below)
  })

  it.each(["package.json", "policies/starter", "..", "/"])(
    "treats %s, which is not a rule file, as wrong usage",
    async (typed) => {
      const error = await Effect.runPromise(Effect.flip(belowRoot(typed)))
      expect(error.problem.message).toContain("a file or folder under rules/")
    }
  )
})

describe("policies check", () => {
  it("prints one document of the documented shape, and ends with 1", async () => {
    const { code, stderr, stdout } = await run("policies", "check", "starter", "--json")
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" })
    const document = documentIn(shapeOf("policies check"), stdout)
    expect(document).toMatchObject({
      ok: false,
      findings: [{ rule: "missing-owner", severity: "error", file: policy, line: 1, column: 1 }]
    })
  })
})

describe("the shipped rules and policies", () => {
  it("have no findings", () => {
    expect(checkRules(packageRoot).findings).toEqual([])
    expect(checkPolicies(packageRoot).findings).toEqual([])
  })
})
