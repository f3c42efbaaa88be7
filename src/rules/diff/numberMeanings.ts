/** The meaning of each number of the ruleset for a score: which direction is riskier, which part of the score it affects, and for which facts. */

import { dataClassifications, environments, reversibilities } from "../../domain/Action.ts"
import { isRecord } from "../../json/json.ts"
import type { FactName } from "../../scoring/Facts.ts"
import { interpolate } from "../../scoring/arithmetic.ts"
import { impacts } from "../../scoring/reading/Act.ts"
import { all, any, atLeast, exactly, is, type Term } from "../analysis/Term.ts"
import { bothWays, type Direction, fallsWith, risesWith, unionOfDirections } from "./Diff.ts"
import type { ChangedPath } from "./changedPaths.ts"

/**
 * - `dimensions`: an evaluation computes its points from it.
 * - `tiers`: the floor of a severity, which counts where a rule holds.
 * - `facts`: it decides how a missing field, a contradicted field or a history counts.
 * - `adjustment`: it applies after the evaluations.
 * - `confidence`: it affects only the range and the confidence, by which a control can ask for more context.
 */
export type NumberPart = "dimensions" | "tiers" | "facts" | "adjustment" | "confidence"

/** `before` and `after`: the whole rulesets, because some numbers replace others that are absent. */
type Compare = (changed: ChangedPath, before: unknown, after: unknown) => Direction

export interface NumberMeaning {
  readonly compare: Compare
  readonly parts: ReadonlyArray<NumberPart>
  /** For a number of the dimensions: the facts for which it applies. */
  readonly where: (path: ReadonlyArray<string>) => Term
  /** For a number of the facts: the facts that it can raise. */
  readonly moves: ReadonlySet<FactName>
}

/** Facts that can rise if the numbers assume higher values for missing or contradicted fields, or use history from fewer requests. */
const risingFacts: ReadonlySet<FactName> = new Set<FactName>([
  "entities_affected",
  "records_affected",
  "financial_value_usd_cents",
  "data_classification_rank",
  "reversibility_rank",
  "privilege_change",
  "production_impact",
  "currency_missing",
  "privilege_claim_inconsistent",
  "reversibility_claim_inconsistent",
  "counts_inconsistent",
  "production_impact_inconsistent",
  "extent_unbounded",
  "destination_novel",
  "destination_unestablished",
  "destination_step_up",
  "destination_lookalike",
  "entity_volume_multiplier_x100",
  "financial_value_multiplier_x100",
  "velocity_multiplier_x100"
])

const noFacts: ReadonlySet<FactName> = new Set()

/** The facts that rise with an amount of money. */
export const moneyFacts: ReadonlySet<FactName> = new Set<FactName>([
  "financial_value_usd_cents",
  "financial_value_multiplier_x100",
  "destination_step_up"
])

/** Turns flags and ranked names into comparable numbers; null for any other value. */
const comparableNumber = (value: unknown): number | null => {
  if (typeof value === "number") return value
  if (typeof value === "boolean") return Number(value)
  const rank = [dataClassifications, reversibilities, impacts]
    .map((names) => names.findIndex((name) => name === value))
    .find((index) => index >= 0)
  return rank ?? null
}

const by =
  (compare: (from: number, to: number) => Direction): Compare =>
  ({ from, to }) => {
    const [before, after] = [comparableNumber(from), comparableNumber(to)]
    return before === null || after === null ? bothWays : compare(before, after)
  }

const rising = by(risesWith)
const falling = by(fallsWith)
const unclear: Compare = () => bothWays

/** The impact from which an act is assumed to affect live dependencies. Absent: no act is. */
const fromImpact: Compare = ({ from, to }) =>
  fallsWith(comparableNumber(from) ?? impacts.length, comparableNumber(to) ?? impacts.length)

/** Above zero, a stated count no longer decides the other one, so crossing zero has no direction. */
const recordsMin: Compare = (changed, before, after) =>
  changed.from === 0 || changed.to === 0 ? bothWays : rising(changed, before, after)

const valueAt = (json: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), json)

/** The factor of a class in every environment. If it has none, the environment's own factor applies. */
const classFactor: Compare = ({ path: [, name = ""] }, before, after) =>
  unionOfDirections(
    environments.map((place) => {
      const factorIn = (ruleset: unknown) =>
        comparableNumber(
          valueAt(ruleset, ["classes", name, "factor_bp", place]) ??
            valueAt(ruleset, ["environment", place, "factor_bp"])
        )
      const [from, to] = [factorIn(before), factorIn(after)]
      return from === null || to === null ? bothWays : risesWith(from, to)
    })
  )

const isPoints = (value: unknown): value is ReadonlyArray<readonly [number, number]> =>
  Array.isArray(value) && value.every((point) => Array.isArray(point) && point.length === 2)

/** Compares two scales at the points of both: between adjacent points both are straight lines. */
const scale: Compare = ({ from, to }) =>
  isPoints(from) && isPoints(to)
    ? unionOfDirections([...from, ...to].map(([x]) => risesWith(interpolate(from, x), interpolate(to, x))))
    : bothWays

const anyFacts = (): Term => all()
const ofClass = ([, name = ""]: ReadonlyArray<string>): Term => is("action_class", name)
const ofClassAndImpact = (path: ReadonlyArray<string>): Term =>
  all(
    ofClass(path),
    exactly(
      "impact_rank",
      impacts.findIndex((name) => name === path[3])
    )
  )
/** An act that is equally grave anywhere counts as in production. */
const inPlace = ([, place = ""]: ReadonlyArray<string>): Term =>
  any(is("environment", place), is("acts_anywhere", true))

const dimension = (
  where: NumberMeaning["where"] = anyFacts,
  compare: Compare = rising,
  ...others: ReadonlyArray<NumberPart>
): NumberMeaning => ({ compare, parts: ["dimensions", ...others], where, moves: noFacts })

const part = (name: Exclude<NumberPart, "facts">, compare: Compare = rising): NumberMeaning => ({
  compare,
  parts: [name],
  where: anyFacts,
  moves: noFacts
})

const facts = (moves: ReadonlySet<FactName>, compare: Compare = rising): NumberMeaning => ({
  compare,
  parts: ["facts"],
  where: anyFacts,
  moves
})

const these = (...names: ReadonlyArray<FactName>): ReadonlySet<FactName> => new Set(names)

/** A number without a known meaning may affect anything. */
const unknownMeaning: NumberMeaning = {
  compare: unclear,
  parts: ["dimensions", "facts", "adjustment"],
  where: anyFacts,
  moves: risingFacts
}

const classMeanings: ReadonlyArray<readonly [path: RegExp, meaning: NumberMeaning]> = [
  // Rules use categories by name, and history compares amounts within one category.
  [/^category$/, facts(risingFacts, unclear)],
  // Harmless acts are in no sum, keep contradictions as they are, and complete each count independently.
  [/^harmless$/, { ...unknownMeaning, where: ofClass }],
  // An act that always changes rights has its own figure, and ignores the claim that it does.
  [/^always_changes_privilege$/, { ...unknownMeaning, where: ofClass }],
  [/^data_leaves$/, { ...dimension(ofClass, rising, "facts"), moves: these("data_classification_rank") }],
  [/^(entity|data|money)_effect_bp$/, dimension(ofClass)],
  // If absent, the figure of all other objects applies.
  [/^asked_money_effect_bp$/, dimension(ofClass, unclear)],
  [/^(weight|privilege)_bp\./, dimension(ofClassAndImpact)],
  // If absent, the weight of all other acts of the class applies.
  [/^undone_weight_bp\b/, dimension(ofClass, unclear)],
  [/^factor_bp\b/, dimension(ofClass, classFactor)],
  [/^references\.records_min$/, facts(these("records_affected"), recordsMin)],
  [
    /^references\.production_impact_from$/,
    facts(these("production_impact", "production_impact_inconsistent"), fromImpact)
  ],
  [/^references\.usd\./, facts(moneyFacts)],
  [
    /^(reversibility_floor|references\.(soft_)?reversibility\b.*)$/,
    facts(these("reversibility_rank", "reversibility_claim_inconsistent"))
  ],
  [/^(egress|counts_go_together|references\..+)$/, facts(risingFacts)]
]

const meanings: ReadonlyArray<readonly [path: RegExp, meaning: NumberMeaning]> = [
  // A missing count is derived from the stated one by the proportion of the two, so neither figure has a direction.
  [/^extents\./, facts(risingFacts, unclear)],
  [/^plausible\./, part("confidence", unclear)],
  [/^anchors\.\w+$/, dimension(anyFacts, scale)],
  [
    /^data_classification\./,
    dimension(([, name = ""]) =>
      exactly(
        "data_classification_rank",
        dataClassifications.findIndex((one) => one === name)
      )
    )
  ],
  [/^environment\./, dimension(inPlace)],
  [/^weakened_factor_bp\./, dimension(() => atLeast("safeguard_weakened_rank", 1))],
  [/^remote_factor_bp$/, dimension(() => is("remote_target_unconfirmed", true))],
  // The figure of money also applies to claims.
  [
    /^kind_bp\./,
    dimension(([, kind = ""]) =>
      kind === "money" ? any(is("object_kind", kind), is("object_kind", "claim")) : is("object_kind", kind)
    )
  ],
  [/^undone_entities_max$/, dimension(anyFacts, unclear)],
  [/^production_impact_bp$/, dimension(() => is("production_impact", true))],
  [/^privilege\./, dimension(() => is("privilege_change", true))],
  [
    /^reversibility\./,
    dimension(([, name = ""]) =>
      exactly(
        "reversibility_rank",
        reversibilities.findIndex((one) => one === name)
      )
    )
  ],
  [/^(data_volume_bp|data_leaves_bp)$/, dimension()],
  [/^(blast_radius|action_risk)\./, dimension()],
  [/^severity_floors\./, part("tiers")],
  // A level that begins later gives the same score a milder name.
  [/^levels\./, part("adjustment", falling)],
  [/^incomplete_score_min$/, part("adjustment")],
  [/^confidence\.sufficient_percent$/, part("confidence")],
  // The lower the confidence, the more often too little is known.
  [/^confidence\./, part("confidence", falling)],
  [/^behavior\.baseline_units_min$/, facts(risingFacts, falling)],
  [/^behavior\.velocity_(days|hours)_min$/, facts(these("velocity_multiplier_x100"), falling)],
  [/^behavior\.step_up_(multiple|(entities|usd)_min)$/, facts(these("destination_step_up"), falling)],
  // Window, established days and hours: raising them makes some things familiar and others unfamiliar.
  [/^(behavior|cumulative_steps)\b/, facts(risingFacts, unclear)]
]

/** The first pattern that matches wins. */
export const meaningOfNumber = (path: ReadonlyArray<string>): NumberMeaning => {
  const [first, , ...rest] = path
  const [list, name] = first === "classes" ? [classMeanings, rest.join(".")] : [meanings, path.join(".")]
  return list.find(([pattern]) => pattern.test(name))?.[1] ?? unknownMeaning
}

/** Whether changing only this number can raise a score, and whether it can lower one. `before` and `after`: the whole rulesets. */
export const directionOf = (changed: ChangedPath, before: unknown, after: unknown): Direction =>
  meaningOfNumber(changed.path).compare(changed, before, after)
