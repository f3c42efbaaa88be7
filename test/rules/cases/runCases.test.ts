/** Every failing case and every gap is found, named and placed. */

import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { openRulebook } from "../../../src/rules/Rulebook.ts"
import { runCases, runPolicyCases } from "../../../src/rules/cases/runCases.ts"
import { loadPolicyVersion } from "../../../src/rules/policies/loadPolicySet.ts"
import { read } from "../../support/read.ts"
import { rulesFolder } from "../../support/rulesFolder.ts"

const factor = "rules/factors/volume/HIGH_ENTITY_COUNT.json"
const casesFile = "rules/factors/volume/HIGH_ENTITY_COUNT.cases.json"

const run = (root: string, options = {}) => runCases(root, read(openRulebook(root, "draft")), options)

const lineOf = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split("\n").length

describe("a case that fails", () => {
  const folder = rulesFolder()
  folder.edit(factor, '"value": 1000 }', '"value": 1001 }')
  const report = run(folder.root)
  const found = report.findings.find(({ message }) => message.includes("`1,000 entities`"))

  it("has its finding at its expectation", () => {
    const text = folder.readText(casesFile)
    const line = lineOf(text, '"name": "1,000 entities"')
    const expectation = text.split("\n").findIndex((one, i) => i >= line && one.includes('"expect"')) + 1
    expect(found).toMatchObject({
      rule: "failing-case",
      severity: "error",
      file: casesFile,
      line: expectation
    })
    expect(text.split("\n")[expectation - 1]?.slice((found?.column ?? 0) - 1)).toBe('"high"')
  })

  it("has the expected and the actual outcome, the score, and the atom that decided", () => {
    expect(found?.message).toMatch(
      /^`1,000 entities` expects high but gets moderate, score \d+: `HIGH_ENTITY_COUNT\.high` asks that entities_affected is at least 1,001; `entities_affected` is 1,000$/
    )
  })

  it("is counted", () => {
    expect(report.ok).toBe(false)
    expect(report.cases.failed).toBe(report.findings.length)
    expect(report.groups.find(({ of }) => of === "HIGH_ENTITY_COUNT")?.failed).toBe(1)
  })
})

describe("a call in a file of cases of the lexicon", () => {
  it("fails with both of its levels where one is another, at the line of the call", () => {
    const folder = rulesFolder()
    const file = "rules/lexicon/programs/git.cases.json"
    const [line] = [lineOf(folder.readText(file), '["git push --mirror backup"')]
    folder.edit(
      file,
      '["git push --mirror backup", "critical", "critical"]',
      '["git push --mirror backup", "low", "critical"]'
    )
    expect(run(folder.root).findings).toMatchObject([
      {
        rule: "failing-case",
        file,
        line,
        message: expect.stringMatching(
          /^`git push --mirror backup` expects low and critical but gets critical \(\d+\) and critical \(\d+\)$/
        )
      }
    ])
  })
})

describe("a case with too strong an outcome", () => {
  it("names the rule that holds", () => {
    const folder = rulesFolder()
    folder.edit(factor, '"value": 1000 }', '"value": 999 }')
    const { findings } = run(folder.root)
    expect(findings.find(({ file }) => file === casesFile)?.message).toMatch(
      /expects moderate but gets high, score \d+: `HIGH_ENTITY_COUNT\.high` holds: entities_affected is at least 999; `entities_affected` is 999$/
    )
  })
})

describe("a case of a factor that does not exist", () => {
  it("fails and says so", () => {
    const folder = rulesFolder()
    rmSync(join(folder.root, factor))
    const { findings } = run(folder.root)
    expect(findings.find(({ file }) => file === casesFile)?.message).toContain(
      "these rules have no `HIGH_ENTITY_COUNT`"
    )
  })
})

describe("a calibration case outside its score", () => {
  it("is found in calibration.json with its actual level and score", () => {
    const folder = rulesFolder()
    folder.edit("rules/calibration.json", '"score": [1, 10]', '"score": [0, 0]')
    expect(run(folder.root).findings[0]).toMatchObject({
      file: "rules/calibration.json",
      message: expect.stringMatching(/expects low, 0-0 but gets low, \d+$/) as string
    })
  })
})

describe("a suite without cases", () => {
  const folder = rulesFolder()
  for (const entry of readdirSync(join(folder.root, "policies/starter"))) {
    if (entry.endsWith(".cases.json")) rmSync(join(folder.root, "policies/starter", entry))
  }

  it("fails", () => {
    const policies = read(loadPolicyVersion(folder.root, "starter", "draft"))
    const report = runPolicyCases(folder.root, { ...read(openRulebook(folder.root, "draft")), policies })
    expect(report).toMatchObject({
      ok: false,
      cases: { total: 0, failed: 0 },
      findings: [{ rule: "no-cases", file: "policies/starter", message: "no cases found" }]
    })
  })

  it("a set without rules needs no cases", () => {
    const policies = read(loadPolicyVersion(folder.root, "none", "draft"))
    expect(
      runPolicyCases(folder.root, { ...read(openRulebook(folder.root, "draft")), policies })
    ).toMatchObject({
      ok: true,
      cases: { total: 0, failed: 0 }
    })
  })
})

describe("an unreadable file of cases", () => {
  it("fails with its problem", () => {
    const folder = rulesFolder()
    folder.edit(casesFile, '"expect": "high"', '"expect": "hihg"')
    const { findings, ok } = run(folder.root)
    expect(ok).toBe(false)
    expect(findings[0]).toMatchObject({ file: casesFile })
  })
})

describe("coverage", () => {
  it("finds a boundary without a case, in the rule's file", () => {
    const folder = rulesFolder()
    folder.edit(casesFile, '"entities_affected": 999,', '"entities_affected": 990,')
    const { coverage, findings, ok } = run(folder.root, { coverage: true })
    expect(ok).toBe(false)
    expect(findings.filter(({ file }) => file === factor)).toMatchObject([
      {
        rule: "boundary-without-case",
        line: lineOf(folder.readText(factor), '"value": 1000 }'),
        message: "no case is directly outside the threshold, at `entities_affected` 999"
      }
    ])
    const own = coverage?.codes.find(({ code }) => code === "HIGH_ENTITY_COUNT")
    expect([own?.reachable, own?.reached, own?.percent]).toEqual([17, 16, 94])
  })
})
