/** A mutant is killed by a case, proved equivalent, or survives with a case that would kill it. */

import { describe, expect, it } from "vitest"
import { mutantsKilledPercentMin } from "../../../src/limits.ts"
import { openPolicyRulebook, openRulebook, releaseRuleGroups } from "../../../src/rules/Rulebook.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import type { FileMutation, MutableFile } from "../../../src/rules/mutation/MutationReport.ts"
import { type MutationRun, policyMutation, ruleMutation } from "../../../src/rules/mutation/runMutants.ts"
import { deep } from "../../support/depth.ts"
import { openedRulebook } from "../../support/openedRulebook.ts"
import { read } from "../../support/read.ts"
import { rulesFolder } from "../../support/rulesFolder.ts"

const working = openedRulebook("draft")

/** With the rules of the checkout, or with those of a folder that changed some. */
const mutationOf = (root: string, codes: ReadonlyArray<string>, rulebook = working) =>
  reportOn(read(ruleMutation(root, rulebook, sample)), codes)

const reportOn = ({ data, report, rules }: MutationRun, codes: ReadonlyArray<string>) => {
  const chosen = [...rules, ...data].filter(({ code }) => codes.includes(code))
  return report(chosen.map(tryAll), mutantsKilledPercentMin)
}

const tryAll = ({ mutate }: MutableFile): FileMutation => {
  const steps = mutate()
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/** The number of mutants of a data file. */
const sample = 6

const code = "HIGH_ENTITY_COUNT"
const casesFile = `rules/factors/volume/${code}.cases.json`

type Cases = { cases: Array<object> }

/** A factor with a rule for each severity, one with a flag, and a typology: `npm run test:deep` tries all. */
const everyday = [code, "AGENT_UNIDENTIFIED", "mass-irreversible-change-in-production"]

describe("the working rules", () => {
  it(`have cases that kill ${mutantsKilledPercentMin} % of their mutants`, { timeout: 120_000 }, () => {
    const codes = deep ? releaseRuleGroups(working.release).map((group) => group.code) : everyday
    const report = mutationOf(packageRoot, codes)
    expect(report.survivors.map(({ message }) => message).slice(0, report.ok ? 0 : 50)).toEqual([])
    expect(report.failing).toBe(0)
    const { equivalent, killed, survived, total } = report.mutants
    expect(killed + survived + equivalent).toBe(total)
    expect(total).toBeGreaterThan(deep ? 700 : 20)
  })
})

describe("a survivor", () => {
  const folder = rulesFolder()
  const cases = JSON.parse(folder.readText(casesFile)) as Cases
  const spoiled = (keep: (one: { readonly name: string }) => boolean) =>
    folder.writeText(
      casesFile,
      JSON.stringify({ cases: cases.cases.filter((one) => keep(one as { readonly name: string })) })
    )
  spoiled(({ name }) => !name.startsWith("999 ") && !name.startsWith("1,000 "))
  const { survivors } = mutationOf(folder.root, [code])

  it("is located at the change, and describes what no case notices", () => {
    const text = folder.readText(`rules/factors/volume/${code}.json`)
    const found = survivors.find(({ change }) => change.endsWith("→ greaterThanInclusive 999"))
    expect(found).toMatchObject({ rule: "surviving-mutant", name: `${code}.high`, code })
    const line = text.split("\n")[(found?.line ?? 0) - 1] ?? ""
    expect(line.slice((found?.column ?? 0) - 1)).toMatch(/^1000 \}/)
    expect(found?.message).toMatch(/entities_affected 999.* that expects moderate would$/)
  })

  it("is killed by the case that it proposes", () => {
    const file = JSON.parse(folder.readText(casesFile)) as Cases
    const proposed = survivors.flatMap(({ killer }, i) =>
      killer === undefined ? [] : [{ name: `proposed ${i}`, ...killer }]
    )
    expect(proposed.length).toBe(survivors.length)
    folder.writeText(casesFile, JSON.stringify({ cases: [...file.cases, ...proposed] }))
    expect(mutationOf(folder.root, [code])).toMatchObject({ failing: 0, survivors: [] })
  })
})

describe("an equivalent mutant", () => {
  it("is counted separately", () => {
    const folder = rulesFolder()
    const file = "rules/factors/environment/PRODUCTION_ENVIRONMENT.json"
    const json = JSON.parse(folder.readText(file))
    const production = { fact: "environment", operator: "equal", value: "production" }
    const rank = { fact: "environment_rank", operator: "greaterThanInclusive", value: 3 }
    // Both are equivalent. So four mutants are equivalent: without either of them, `any` for `all`, and the lower rank.
    json.rules[0].conditions = { all: [production, rank] }
    folder.writeText(file, JSON.stringify(json))
    const changed = read(openRulebook(folder.root, "draft"))
    const { mutants, survivors } = mutationOf(folder.root, ["PRODUCTION_ENVIRONMENT"], changed)
    expect(survivors.filter(({ change }) => !change.startsWith("hazard_bp"))).toEqual([])
    expect(mutants.equivalent).toBe(4)
  })
})

describe("a case that fails without any change", () => {
  it("kills nothing, and is reported", () => {
    const folder = rulesFolder()
    folder.edit(casesFile, '"expect": "critical"', '"expect": "high"')
    const report = mutationOf(folder.root, [code])
    expect([report.ok, report.failing]).toEqual([false, 1])
    expect(report.mutants.survived).toBeGreaterThan(0)
  })
})

describe("a file of data", () => {
  it(
    "is tried only if it is named, and its survivors are located at the change",
    { timeout: 120_000 },
    () => {
      const few = 3
      const run = read(ruleMutation(packageRoot, working, few))
      const { data, rules } = run
      expect(rules.some(({ code }) => code === "ruleset")).toBe(false)
      expect(data.map(({ code }) => code)).toEqual(
        expect.arrayContaining([
          "ruleset",
          "words/verbs",
          "words/objects",
          "words/signals",
          "words/words",
          "words/impacts",
          "commands",
          "programs/git",
          "statements/redis",
          "interpreters/python",
          "parameters/git",
          "alternatives",
          "providers/github"
        ])
      )
      const { mutants, survivors } = reportOn(run, ["providers/github"])
      expect(mutants.total).toBe(few)
      expect(survivors[0]?.message).toMatch(/^no case notices /)
      expect(survivors[0]?.line).toBeGreaterThan(1)
    }
  )

  it("has a mutant less that survives once a case asks about it", { timeout: 120_000 }, () => {
    const folder = rulesFolder()
    const provider = "rules/lexicon/providers/acme.json"
    const action = { class: "read" }
    folder.writeText(provider, JSON.stringify({ prefixes: ["acme"], actions: { frobnicate: action } }))
    const changed = read(openRulebook(folder.root, "draft"))
    const survivors = () =>
      mutationOf(folder.root, ["providers/acme"], changed).survivors.map(({ message }) => message)
    const change = "no case notices class read → destroy in `actions.frobnicate.class`"
    expect(survivors()).toContain(change)
    const calibration = JSON.parse(folder.readText("rules/calibration.json")) as { cases: Array<object> }
    const asks = {
      name: "a frobnication reads",
      why: "A tool that one team has.",
      request: { action_type: "acme.frobnicate", environment: "production" },
      expect: { level: "low", score: [1, 25] }
    }
    folder.writeText(
      "rules/calibration.json",
      JSON.stringify({ ...calibration, cases: [...calibration.cases, asks] })
    )
    expect(survivors()).not.toContain(change)
  })
})

describe("the catalogue of a policy set", () => {
  it("has cases that notice each entry that goes", () => {
    const rulebook = read(openPolicyRulebook(packageRoot, "starter", "draft"))
    const report = reportOn(read(policyMutation(packageRoot, rulebook, 1_000)), ["catalogue"])
    expect(report.mutants.total).toBeGreaterThan(10)
    expect(report.survivors.filter(({ change }) => change === "without the entry")).toEqual([])
  })
})
