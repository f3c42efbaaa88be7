/** Single edits of the working rules that let some request score lower or get a weaker control. The reverse edits let none. */

import { type Edit, inClass } from "../../support/rulebooks.ts"

const condition = (fact: string, operator: string, value: unknown): string =>
  JSON.stringify({ fact, operator, value })

const atLeast = (fact: string, value: number): string => condition(fact, "greaterThanInclusive", value)

const alsoExports = condition("also_exports", "equal", true)

export const milder: ReadonlyArray<readonly [what: string, edit: Edit]> = [
  [
    "a threshold one higher",
    ["HIGH_ENTITY_COUNT", atLeast("entities_affected", 100_000), atLeast("entities_affected", 100_001)]
  ],
  ["a factor less", ["DESTINATION_STEP_UP", null]],
  ["a factor of one rule less, where only its hazard counts", ["UNFAMILIAR_AGENT", null]],
  ["a severity lower", ["LOOKALIKE_DESTINATION", `"severity":"critical"`, `"severity":"high"`]],
  ["a hazard a tenth of a percent lower", ["NOVEL_DESTINATION", `"hazard_bp":600`, `"hazard_bp":590`]],
  [
    "a class no longer named",
    [
      "SENSITIVE_DATA_EXPORT",
      `["export","communicate","unknown"]},${alsoExports}]},${atLeast("data_classification_rank", 3)}`,
      `["export","communicate"]},${alsoExports}]},${atLeast("data_classification_rank", 3)}`
    ]
  ],
  ["a typology less", ["mass-irreversible-change-in-production", null]],
  ["a floor of a typology one lower", ["sensitive-export-to-novel-destination", `"floor":90`, `"floor":89`]],
  ["a severity's floor one lower", ["ruleset", `"high":0,"critical":70`, `"high":0,"critical":69`]],
  [
    "undoing taken easier where nothing is stated",
    inClass("delete", `"moderate":"difficult_to_reverse"`, `"moderate":"mostly_reversible"`)
  ],
  [
    "live dependencies only from a higher impact on",
    inClass("deploy", `"production_impact_from":"high"`, `"production_impact_from":"critical"`)
  ],
  ["an anchor a hundredth of a percent lower", ["ruleset", `[1000,5400]`, `[1000,5399]`]],
  ["a share of a class lower", inClass("deploy", `"data_effect_bp":3000`, `"data_effect_bp":2000`)],
  ["a weight of one impact lower", inClass("access", `"high":7300`, `"high":7200`)],
  ["a kind of objects that counts less", ["ruleset", `"container":1550,`, `"container":1450,`]],
  [
    "what acts weigh on a laptop",
    [
      "ruleset",
      `"development":{"base_bp":200,"factor_bp":4500`,
      `"development":{"base_bp":200,"factor_bp":4300`
    ]
  ],
  [
    "a weakened protection outside production",
    ["ruleset", `"weakened_factor_bp":{"development":8500`, `"weakened_factor_bp":{"development":8000`]
  ],
  [
    "a share of the blast radius lower",
    ["ruleset", `"other_dimensions_bp":1500`, `"other_dimensions_bp":1400`]
  ],
  ["a step up only from a larger multiple", ["ruleset", `"step_up_multiple":10`, `"step_up_multiple":20`]]
]

/** Edits that only move a control, and no score. */
export const weaker: ReadonlyArray<readonly [what: string, edit: Edit]> = [
  [
    "a threshold of a severity without a floor",
    ["HIGH_ENTITY_COUNT", atLeast("entities_affected", 1_000), atLeast("entities_affected", 3_000)]
  ],
  ["a factor less that carries no points", ["DIFFICULT_TO_REVERSE", null]],
  ["a factor less of assumed data", ["DATA_CLASSIFICATION_UNKNOWN", null]],
  ["a high severity lower", ["REGULATED_DATA", `"severity":"high"`, `"severity":"moderate"`]],
  ["a level that needs less context", ["ruleset", `"sufficient_percent":50`, `"sufficient_percent":45`]]
]

/**
 * Edits of what a missing field or a history counts as. In the reverse some amount rises, and with it a factor of volume may appear,
 * or a factor may become more severe only by an assumption: both can weaken a control, and no search decides it.
 */
export const milderAmounts: ReadonlyArray<readonly [what: string, edit: Edit]> = [
  ["an amount taken lower where none is stated", inClass("transact", `"high":10000,`, `"high":9000,`)],
  ["a longer wait for a baseline", ["ruleset", `"baseline_units_min":5`, `"baseline_units_min":6`]]
]

/** Edits of knowledge: no search can try all calls that it is read in, in either direction. */
export const milderWords: ReadonlyArray<readonly [what: string, edit: Edit]> = [
  ["a word that takes production back", ["words", `"negations":[`, `"negations":["legacy",`]],
  ["a word of production forgotten", ["words", `"prod",`, ""]],
  [
    "a refund that is no payment",
    ["verbs", `"refund":{"class":"transact","impact":"moderate"`, `"refund":{"class":"write","impact":"low"`]
  ],
  ["a noun of another kind", ["objects", `"access key":{"is":"credential"`, `"access key":{"is":"record"`]],
  [
    "an entry of a lower impact",
    [
      "stripe",
      `"accounts.reject":{"class":"access","impact":"high"`,
      `"accounts.reject":{"class":"access","impact":"moderate"`
    ]
  ],
  [
    "a milder command",
    ["programs/npm", `"package.unpublish delete high anywhere irreversible"`, `"package.unpublish write low"`]
  ]
]

/** Edits that can lower a score in both directions: under each of them some history or some count counts for less. */
export const mixed: ReadonlyArray<readonly [what: string, edit: Edit]> = [
  ["a currency cheaper", ["currencies", `"usd_per_unit":"1.1688"`, `"usd_per_unit":"1.1"`]],
  // Past amounts in the currency count for more, so that an amount in dollars is a smaller multiple of the usual.
  ["a currency much dearer", ["currencies", `"usd_per_unit":"1.1688"`, `"usd_per_unit":"2.9"`]],
  ["a longer window", ["ruleset", `"window_days":30`, `"window_days":31`]],
  ["a destination established sooner", ["ruleset", `"established_days_min":3`, `"established_days_min":2`]]
]
