/** Single edits of the first release that let some request score lower. The reverse edits let none. */

import { edition1Classes } from "../../../src/scoring/edition1/NormalizedAction.ts"
import { type Edit, firstBook } from "../../support/rulebooks.ts"

const condition = (fact: string, operator: string, value: unknown): string =>
  JSON.stringify({ fact, operator, value })

const atLeast = (fact: string, value: number): string => condition(fact, "greaterThanInclusive", value)

const whole = JSON.stringify(firstBook.release.files.ruleset.json)

/** An edit in the ruleset's part of one class: from its name to the name of the next class. */
const inClass = (name: (typeof edition1Classes)[number], says: string, instead: string): Edit => {
  const from = whole.indexOf(`"${name}":{"added_privilege_bp"`)
  const ends = edition1Classes
    .map((other) => whole.indexOf(`"${other}":{"added_privilege_bp"`))
    .filter((at) => at > from)
  const part = whole.slice(from, Math.min(whole.length, ...ends))
  if (from < 0 || !part.includes(says)) throw new Error(`class ${name} does not say ${says}`)
  return ["ruleset", part, part.replace(says, instead)]
}

export const milder: ReadonlyArray<readonly [what: string, edit: Edit]> = [
  [
    "a threshold one higher",
    ["HIGH_ENTITY_COUNT", atLeast("entities_affected", 1_000), atLeast("entities_affected", 1_001)]
  ],
  ["a factor less", ["DESTINATION_STEP_UP", null]],
  ["a factor of one rule less, where only its hazard counts", ["AGENT_UNIDENTIFIED", null]],
  ["a severity lower", ["LOOKALIKE_DESTINATION", `"severity":"critical"`, `"severity":"high"`]],
  ["a hazard a hundredth of a percent lower", ["AGENT_UNIDENTIFIED", `"hazard_bp":1200`, `"hazard_bp":1199`]],
  ["a class no longer named", ["ADMIN_PRIVILEGE", `"write",`, ""]],
  ["a typology less", ["mass-irreversible-change-in-production", null]],
  ["a floor of a typology one lower", ["sensitive-export-to-novel-destination", `"floor":90`, `"floor":89`]],
  ["a severity's floor one lower", ["ruleset", `"high":40,"low":0`, `"high":39,"low":0`]],
  [
    "a reference lower",
    inClass(
      "export",
      `"production":{"data_classification":"restricted","entities":1000`,
      `"production":{"data_classification":"restricted","entities":100`
    )
  ],
  ["a ceiling lower", inClass("write", `"entities":1000000`, `"entities":1000`)],
  ["an anchor a hundredth of a percent lower", ["ruleset", `[1000,3000]`, `[1000,2999]`]],
  ["a weight of a class lower", inClass("deploy", `"data_effect_bp":5000`, `"data_effect_bp":4000`)],
  [
    "a share of the blast radius lower",
    ["ruleset", `"other_dimensions_bp":1500`, `"other_dimensions_bp":1400`]
  ],
  ["the first gate less", ["ruleset", `{"floor":40,"high_from":70,"production_only":false},`, ""]],
  ["the gate of production higher", ["ruleset", `"high_from":90`, `"high_from":91`]],
  ["a verb of a milder class", ["verbs", `"purge":{"class":"delete"`, `"purge":{"class":"write"`]],
  ["a longer wait for a baseline", ["ruleset", `"baseline_units_min":5`, `"baseline_units_min":6`]],
  ["a step up only from a larger multiple", ["ruleset", `"step_up_multiple":10`, `"step_up_multiple":20`]]
]

/** Edits of the lexicon that show in names of several words. Their reverse edits can hide other words. */
export const milderWords: ReadonlyArray<readonly [what: string, edit: Edit]> = [
  ["a word that takes production back", ["words", `"negating_prefixes":[`, `"negating_prefixes":["legacy",`]],
  ["a refund that is no payment", ["verbs", `"refund":{"class":"transact"`, `"refund":{"class":"write"`]]
]

/** Edits that can lower a score in both directions: under each of them some history counts for less. */
export const mixed: ReadonlyArray<readonly [what: string, edit: Edit]> = [
  ["a currency cheaper", ["currencies", `"usd_per_unit":"1.1688"`, `"usd_per_unit":"1.1"`]],
  // Past amounts in the currency count for more, so that an amount in dollars is a smaller multiple of the usual.
  ["a currency much dearer", ["currencies", `"usd_per_unit":"1.1688"`, `"usd_per_unit":"2.9"`]],
  ["a longer window", ["ruleset", `"window_days":30`, `"window_days":31`]],
  ["a destination established sooner", ["ruleset", `"established_days_min":3`, `"established_days_min":2`]]
]
