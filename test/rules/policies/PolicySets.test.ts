import { Effect } from "effect"
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { boundaryFacts } from "../../../src/rules/language/verify.ts"
import { policySetsAt } from "../../../src/rules/policies/policyRegistry.ts"
import { PolicySets } from "../../../src/rules/servedRules.ts"
import { factsFrom } from "../../support/arbitrary/ruleSets.ts"
import { freezePolicies } from "../../support/freezeIn.ts"
import { rulesFolder } from "../../support/rulesFolder.ts"

const setIn = (root: string, name: string) =>
  PolicySets.use((sets) => Effect.succeed(sets.get(name))).pipe(
    Effect.provide(policySetsAt(root)),
    Effect.runPromise
  )

/** Nothing happens in these facts, so no rule of the starter set matches. */
const quiet = boundaryFacts({ fact: "data_store", operator: "equal", value: false })

const rule = "policies/starter/bulk-deletion-in-production.json"
const worstFloor = { effect: "raise_floor", floor: 100, policy: "starter", recommendations: [] }

const matchedIn = async (root: string, name = "starter") => {
  const { findings, policySet } = await setIn(root, name)
  const [facts] = quiet
  if (facts === undefined) throw new Error("there are facts around every boundary")
  return { ...policySet.match(facts), files: findings.map(({ file }) => file) }
}

describe("a policy set", () => {
  it("without problems matches its rules and nothing else", async () => {
    const { root } = rulesFolder()
    expect(await matchedIn(root)).toEqual({ matched: [], incomplete: false, files: [] })
  })

  it("with an entry that is no file counts at its worst case, because a rule may be missing", async () => {
    const { root } = rulesFolder()
    rmSync(join(root, rule))
    mkdirSync(join(root, rule))
    const { files, incomplete, matched } = await matchedIn(root)
    expect({ files, incomplete, matched }).toMatchObject({
      files: [rule],
      incomplete: true,
      matched: [worstFloor]
    })
  })

  it("with one rule whose conditions are unreadable counts that rule as matched", async () => {
    const { edit, root } = rulesFolder()
    edit(rule, '"records_affected"', '"rows_affected"')
    const { files, incomplete, matched } = await matchedIn(root)
    expect({ files, incomplete }).toEqual({ files: [rule], incomplete: true })
    expect(matched).toMatchObject([
      { rule: "bulk-deletion-in-production", effect: "add_factor", factor: { severity: "high" } }
    ])
  })

  it.each([
    ["effect cannot be read", '"add_factor"', '"lower_score"', "bulk-deletion-in-production"],
    [
      "effects are two",
      '"then": {',
      '"then": { "raise_floor": { "score": 5 },',
      "bulk-deletion-in-production"
    ],
    ["file is no JSON", "{", "", "unreadable-policy-set"]
  ])("with one rule whose %s counts as asking for the highest score", async (_, from, to, named) => {
    const { edit, root } = rulesFolder()
    edit(rule, from, to)
    expect(await matchedIn(root)).toEqual({
      matched: [{ ...worstFloor, rule: named }],
      incomplete: true,
      files: expect.arrayContaining([rule])
    })
  })

  it("that does not exist counts at its worst case", async () => {
    const { root } = rulesFolder()
    const { incomplete, matched } = await matchedIn(root, "acme")
    expect({ incomplete, matched }).toEqual({
      incomplete: true,
      matched: [{ ...worstFloor, policy: "acme", rule: "unreadable-policy-set" }]
    })
  })

  it("with a broken part never asks for less than the whole set", async () => {
    const folder = rulesFolder()
    const whole = await setIn(folder.root, "starter")
    folder.edit(rule, '"records_affected"', '"rows_affected"')
    const broken = await setIn(folder.root, "starter")
    for (const facts of factsFrom(1, 200)) {
      const rules = broken.policySet.match(facts).matched.map((match) => match.rule)
      expect(rules).toEqual(
        expect.arrayContaining(whole.policySet.match(facts).matched.map((match) => match.rule))
      )
      expect(rules).toEqual(rules.toSorted())
    }
  })

  it("with more than 200 rules is unreadable", async () => {
    const { readText, root, writeText } = rulesFolder()
    for (let i = 0; i < 201; i++) {
      const text = readText(rule).replaceAll("bulk-deletion-in-production", `rule-${i}`)
      writeText(`policies/large/rule-${i}.json`, text.replaceAll("BULK_DELETION_IN_PRODUCTION", `RULE_${i}`))
    }
    writeText(
      "policies/large/policy.json",
      readText("policies/none/policy.json").replace('"none"', '"large"')
    )
    expect((await setIn(root, "large")).findings).toMatchObject([
      { message: "a set has at most 200 rules, not 201" }
    ])
  })

  it("may use downward operators in rules that only annotate or recommend", async () => {
    const { readText, root, writeText } = rulesFolder()
    const downwards = "policies/starter/small-known-payments-are-sampled.json"
    expect((await setIn(root, "starter")).findings).toEqual([])
    const before = readText(downwards)
    writeText(downwards, before.replace(/"then": .*$/s, '"then": { "raise_floor": { "score": 10 } } }'))
    const { findings } = await setIn(root, "starter")
    expect(findings.map(({ message }) => message).join()).toContain("could lower a score")
  })

  it("once frozen is served as frozen, and at its worst case if the frozen file was edited", async () => {
    const { edit, readText, root, writeText } = rulesFolder()
    const before = (await setIn(root, "starter")).policySet
    const file = freezePolicies(root, "starter")
    edit(rule, '"records_affected"', '"rows_affected"')
    const frozen = await setIn(root, "starter")
    expect(frozen.findings).toEqual([])
    expect([frozen.policySet.version, frozen.policySet.digest]).toEqual([before.version, before.digest])
    for (const facts of factsFrom(1, 50)) expect(frozen.policySet.match(facts)).toEqual(before.match(facts))
    writeText(file, readText(file).replace('"value":5000', '"value":9000'))
    expect((await matchedIn(root)).matched).toEqual([{ ...worstFloor, rule: "unreadable-policy-set" }])
  })

  it("frozen under the name of another version or another set counts at its worst case", async () => {
    const { readText, root, setVersion, writeText } = rulesFolder()
    setVersion("policies/starter/policy.json", "1.0.0")
    const text = readText(freezePolicies(root, "starter"))
    for (const [set, version] of [
      ["starter", "2.0.0"],
      ["house", "1.0.0"]
    ] as const) {
      writeText(`policies/releases/${set}@${version}.json`, text)
      expect((await setIn(root, set)).findings.map(({ message }) => message)).toEqual([
        "the version names itself `starter@1.0.0`"
      ])
    }
  })
})
