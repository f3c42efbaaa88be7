import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { checkPolicies, checkRules } from "../../../src/rules/check/checkFiles.ts"
import { cleanRules } from "../../support/cleanRules.ts"
import { freezePolicies, freezeRules } from "../../support/freezeIn.ts"

const another = cleanRules()

const edit = (root: string, file: string, from: string, to: string) => {
  const text = readFileSync(join(root, file), "utf8")
  if (!text.includes(from)) throw new Error(`${file} does not say ${from}`)
  writeFileSync(join(root, file), text.replace(from, to))
}

const frozen = () => {
  const root = another()
  freezePolicies(root, "house")
  return { root, release: freezeRules(root) }
}

const described = (findings: ReturnType<typeof checkRules>["findings"]) =>
  findings.map(({ column, file, line, message, rule }) => `${file}:${line}:${column} ${rule}: ${message}`)

describe("frozen files", () => {
  it("have no findings, and neither have a policy set that changed and rules that changed under a higher version", () => {
    const { root } = frozen()
    expect(checkRules(root).findings).toEqual([])
    edit(root, "rules/typologies/bulk-deletion.json", '"floor": 60', '"floor": 70')
    edit(root, "rules/ruleset.json", '"version": "1.0.0"', '"version": "1.1.0"')
    edit(root, "policies/house/deletions-are-reviewed.json", "in bulk", "of many")
    expect(checkRules(root).findings).toEqual([])
    expect(checkPolicies(root).findings).toEqual([])
  })

  it.each(["1.0.0", "0.9.0"])("need another version than %s of rules that changed", (version) => {
    const { root } = frozen()
    edit(root, "rules/typologies/bulk-deletion.json", '"floor": 60', '"floor": 70')
    edit(root, "rules/ruleset.json", '"version": "1.0.0"', `"version": "${version}"`)
    expect(described(checkRules(root).findings)).toEqual([
      "rules/ruleset.json:3:14 version-not-raised: the working files differ from `1.0.0`, the newest release, so their version must be above it"
    ])
  })

  it("are reported if a byte of them is edited or a file is gone", () => {
    const { release, root } = frozen()
    edit(root, release, '"floor":60', '"floor":10')
    expect(described(checkRules(root).findings)).toEqual([
      `${release}:1:1 edited-release: its digest does not match its content: it was edited or damaged after it was frozen`
    ])
    rmSync(join(root, "policies/releases/house@1.0.0.json"))
    expect(described(checkPolicies(root).findings)).toEqual([
      "policies/releases/digests.json:1:1 missing-release: `house@1.0.0` was released, but its file is missing"
    ])
  })

  it("cause no defect if they are nested without end", () => {
    const { release, root } = frozen()
    writeFileSync(join(root, release), `{"a":${"[".repeat(500_000)}`)
    expect(described(checkRules(root).findings)).toEqual([
      `${release}:1:1 edited-release: its digest does not match its content: it was edited or damaged after it was frozen`
    ])
  })
})

describe("a policy set", () => {
  it("with too many rules is reported, whatever the rules are", () => {
    const root = another()
    for (let i = 0; i < 198; i++) writeFileSync(join(root, `policies/house/rule-${i}.json`), "{}")
    const tooMany = () =>
      checkPolicies(root, "house").findings.filter(({ rule }) => rule === "too-many-rules")
    expect(described(tooMany())).toEqual([
      "policies/house/policy.json:1:1 too-many-rules: a set has at most 200 rules, not 201"
    ])
    rmSync(join(root, "policies/house/rule-0.json"))
    expect(tooMany()).toEqual([])
  })
})
