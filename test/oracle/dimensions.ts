/** The six dimensions, the blast radius and the action risk, in basis points. */

import { dataClassifications, reversibilities } from "../../src/domain/Action.ts"
import { interpolate, or, times } from "./arithmetic.ts"
import type { Counted } from "./counted.ts"
import type { Question } from "./Question.ts"
import { numbers, sensitivities } from "./files.ts"
import { ownRowOf } from "./taken.ts"

export const dimensionsOf = (question: Question, counted: Counted) => {
  const { words } = question
  const row = ownRowOf(question)
  // A call that is as grave from anywhere gets no discount for its environment; only the disturbance of the environment itself differs.
  const place = words.anywhere ? "production" : words.environment
  const at = numbers.environment[place]
  const reach = interpolate(numbers.anchors.entities, counted.entities)

  const { base_bp, sensitivity_bp } =
    sensitivities[dataClassifications[counted.classification] ?? "regulated"]
  const volume = interpolate(numbers.anchors.records, counted.records)
  const held = or(base_bp, times(times(numbers.data_volume_bp, volume), sensitivity_bp))
  const leaving = row.data_leaves ? times(numbers.data_leaves_bp, sensitivity_bp) : 0

  const usual = row.factor_bp?.[place] ?? at.factor_bp
  const felt = Math.max(
    usual,
    words.weakens ? numbers.weakened_factor_bp[place] : 0,
    words.remote ? numbers.remote_factor_bp : 0
  )
  const isUndone =
    !words.weakens &&
    !counted.productionImpact &&
    counted.reversibility === 0 &&
    counted.entities <= numbers.undone_entities_max
  const weights = (isUndone ? row.undone_weight_bp : undefined) ?? row.weight_bp
  const act = times(
    or(weights[words.impact], numbers.kind_bp[words.kind === "claim" ? "money" : words.kind]),
    felt
  )
  const live = counted.productionImpact && !row.harmless ? times(numbers.production_impact_bp, felt) : 0

  const production = words.environment === "production"
  const claimed = production ? numbers.privilege.changed_in_production_bp : numbers.privilege.changed_bp
  const rights = or(
    or(times(row.privilege_bp[words.impact], at.factor_bp), row.always_changes_privilege ? 0 : claimed),
    times(numbers.privilege.entity_share_bp, reach)
  )
  return {
    financialImpact: times(
      times(
        interpolate(numbers.anchors.usd, counted.usdCents, 100),
        words.kind === "claim" && row.asked_money_effect_bp !== undefined
          ? row.asked_money_effect_bp
          : row.money_effect_bp
      ),
      at.money_bp
    ),
    entityImpact: times(times(reach, row.entity_effect_bp), at.factor_bp),
    dataImpact: times(times(or(held, leaving), row.data_effect_bp), at.data_bp),
    operationalImpact: or(or(numbers.environment[words.environment].base_bp, act), live),
    privilegeImpact: counted.privilegeChange ? rights : 0,
    reversibility: numbers.reversibility[reversibilities[counted.reversibility] ?? "irreversible"]
  }
}
export type Dimensions = ReturnType<typeof dimensionsOf>

const descending = (list: ReadonlyArray<number>): ReadonlyArray<number> => list.toSorted((a, b) => b - a)

/** I = M ⊕ share · D …, B = I ⊕ (share · R) · I */
export const blastRadiusOf = ({ reversibility, ...impacts }: Dimensions): number => {
  const { other_dimensions_bp, reversibility_bp } = numbers.blast_radius
  const [largest = 0, ...others] = descending(Object.values(impacts))
  const all = others.reduce((sum, other) => or(sum, times(other_dimensions_bp, other)), largest)
  return or(all, times(times(reversibility_bp, reversibility), all))
}

/** A = B ⊕ H · (base + share · B) */
export const actionRiskOf = (blastRadius: number, hazards: ReadonlyArray<number>): number => {
  const { hazard_base_bp, hazard_blast_radius_bp } = numbers.action_risk
  const hazard = descending(hazards).reduce(or, 0)
  const scale = Math.min(10_000, hazard_base_bp + times(hazard_blast_radius_bp, blastRadius))
  return or(blastRadius, times(hazard, scale))
}
