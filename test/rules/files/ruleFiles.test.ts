import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { findingLine } from "../../../src/rules/Finding.ts"
import { loadDraft } from "../../../src/rules/release/loadRelease.ts"
import { rulesFolder } from "../../support/rulesFolder.ts"

const factor = "rules/factors/volume/HIGH_ENTITY_COUNT.json"
const typology = "rules/typologies/irreversible-data-store-destruction-in-production.json"
const ruleset = "rules/ruleset.json"
const currencies = "rules/currencies.json"

const folder = rulesFolder()

const findingsAfter = (file: string, from: string, to: string): ReadonlyArray<string> => {
  const before = folder.readText(file)
  folder.edit(file, from, to)
  const read = loadDraft(folder.root)
  folder.writeText(file, before)
  return Result.isFailure(read) ? read.failure.map(findingLine) : []
}

describe("the working rules", () => {
  it("are readable", () => {
    expect(Result.isSuccess(loadDraft(folder.root))).toBe(true)
  })

  it.each([
    [factor, '"volume"', '"volumes"', "category: "],
    [factor, '"volume"', '"data"', "category: `data` is in a folder named `volume`"],
    [
      factor,
      '"code": "HIGH_ENTITY_COUNT"',
      '"code": "HIGH_COUNT"',
      "code: `HIGH_COUNT` is in a file named `HIGH_ENTITY_COUNT`"
    ],
    [factor, '"stable"', '"stable", "priority": 1', "priority: `priority` is not part of the dialect"],
    [factor, '"why"', '"because"', "why: `why` is missing"],
    [factor, "{entities_affected}", "{entities}", "message: `{entities}` is not a fact"],
    [factor, '"VERIFY_SCOPE"', '"verify scope"', "recommendations[0]: expected UPPER_SNAKE_CASE"],
    [factor, '"hazard_bp": 0', '"hazard_bp": 10001', "hazard_bp: expected a value between 0 and 10000"],
    [factor, '"hazard_bp": 0', '"hazard_bp": 0.5', "hazard_bp: expected an integer"],
    [
      factor,
      '"severity": "moderate"',
      '"severity": "moderate", "hazard_bp": 900',
      "rules[1].event.params: hazard_bp falls while severity rises"
    ],
    [factor, '"severity": "moderate"', '"severity": "medium"', "rules[0].event.params.severity: "],
    [
      factor,
      '"type": "HIGH_ENTITY_COUNT"',
      '"type": "error"',
      "rules[0].event.type: expected UPPER_SNAKE_CASE"
    ],
    [
      factor,
      '"type": "HIGH_ENTITY_COUNT"',
      '"type": "OTHER"',
      "rules[0].event.type: the event is named `OTHER`, but the rule raises `HIGH_ENTITY_COUNT`"
    ],
    [
      factor,
      '"entities_affected", "operator"',
      '"entities_afected", "operator"',
      "did you mean `entities_affected`?"
    ],
    [factor, '"greaterThanInclusive"', '"lessThan"', "`lessThan` on `entities_affected` could lower a score"],
    [factor, '"rules": [', '"rules": [ {', "a key in double quotes is missing"],
    [typology, '"floor": 90', '"floor": 101', "floor: expected a value between 0 and 100"],
    [
      typology,
      '"name": "irreversible',
      '"name": "Irreversible',
      "name: expected lower-case words joined by hyphens"
    ],
    [ruleset, '"version": "', '"version": "v', "version: expected a version such as 1.0.0"],
    [
      ruleset,
      "[1000, 5000]",
      "[1000, 2000]",
      "anchors.entities: expected anchors that increase in both columns"
    ],
    [
      ruleset,
      "[100, 3000]",
      "[10, 3000]",
      "anchors.entities: expected anchors that increase in both columns"
    ],
    [
      ruleset,
      '"hazard_base_bp": 0',
      '"hazard_base_bp": 2501',
      "action_risk: expected hazard_base_bp and hazard_blast_radius_bp of at most 10000 together"
    ],
    [
      ruleset,
      '"usd": [10000, 100000, 250000, 1000000]',
      '"usd": [10000, 100000, 250000, 1000000, 2000000]',
      "cumulative_steps.usd: expected a value with a length of at most 4"
    ],
    [
      ruleset,
      '"minimal": 0',
      '"minimal": 11',
      "levels: expected figures that never decrease from `minimal` to `critical`"
    ],
    [
      ruleset,
      '"reversibility_bp"',
      '"reversibilityBp"',
      "blast_radius.reversibilityBp: unknown key `reversibilityBp`, did you mean `reversibility_bp`?"
    ],
    [
      ruleset,
      '"destroy": {',
      '"destroys": {',
      "classes.destroys: unknown key `destroys`, did you mean `destroy`?"
    ],
    [
      currencies,
      '"usd_per_unit": "1" }',
      '"usd_per_unit": "1e3" }',
      "expected dollars per unit as a decimal string"
    ],
    [currencies, '"usd_per_unit": "0.272294"', '"usd_per_unit": "0.000"', "expected a rate above zero"],
    [currencies, '"usd_per_unit": "0.272294"', '"usd_per_unit": 0.272294', "currencies.AED.usd_per_unit: "],
    [currencies, '"AED"', '"aed"', "currencies"]
  ])("are refused if %s has something else instead of %s: %s", (file, from, to, message) => {
    const findings = findingsAfter(file, from, to)
    expect(findings.join("\n")).toContain(message)
    expect(findings[0]).toMatch(new RegExp(`^${file.replaceAll(".", "\\.")}: `))
  })

  it("are refused with the findings of all files together", () => {
    const texts = [factor, typology].map((file) => folder.readText(file))
    folder.edit(factor, '"why"', '"because"')
    folder.edit(typology, '"why"', '"because"')
    const read = loadDraft(folder.root)
    folder.writeText(factor, texts[0] ?? "")
    folder.writeText(typology, texts[1] ?? "")
    const files = Result.isFailure(read) ? read.failure.map(({ file }) => file) : []
    expect(new Set(files)).toEqual(new Set([factor, typology]))
  })

  it("are refused if the milder of two rules has more hazard, whatever their order", () => {
    const exporting = "rules/factors/data/SENSITIVE_DATA_EXPORT.json"
    const json = JSON.parse(folder.readText(exporting))
    const [first] = json.rules
    const rule = (name: string, severity: string, hazard_bp: number) => ({
      ...first,
      name,
      event: { ...first.event, params: { severity, hazard_bp } }
    })
    const rules = [rule("c", "high", 500), rule("a", "moderate", 900), rule("b", "moderate", 0)]
    const before = folder.readText(exporting)
    folder.writeText(exporting, JSON.stringify({ ...json, rules }))
    const read = loadDraft(folder.root)
    folder.writeText(exporting, before)
    expect(Result.isFailure(read) ? read.failure.map(findingLine) : []).toEqual([
      `${exporting}: rules[0].event.params: hazard_bp falls while severity rises: \`c\` carries 500, the milder \`a\` 900`
    ])
  })

  it("are refused if two rules have the same name", () => {
    const other = "rules/factors/volume/HIGH_RECORD_COUNT.json"
    expect(findingsAfter(other, '"HIGH_RECORD_COUNT.moderate"', '"HIGH_ENTITY_COUNT.moderate"')).toEqual([
      "rules/factors/volume/HIGH_RECORD_COUNT.json: rules[0].name: `HIGH_ENTITY_COUNT.moderate` already names a rule in rules/factors/volume/HIGH_ENTITY_COUNT.json"
    ])
  })
})
