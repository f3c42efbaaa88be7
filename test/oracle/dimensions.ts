/** Section 4: the six dimensions and the blast radius of a reading, in basis points. */

import { dataClassifications, reversibilities } from "../../src/domain/Action.ts"
import { interpolate, or, times } from "./arithmetic.ts"
import { numbers } from "./numbers.ts"
import type { Reading } from "./read.ts"

const at = <A>(list: ReadonlyArray<A>, rank: number): A => {
  const found = list[rank]
  if (found === undefined) throw new Error(`no rank ${rank}`)
  return found
}

export const dimensionsOf = (reading: Reading) => {
  const ofClass = numbers.classes[reading.class]
  const { base_bp, sensitivity_bp } =
    numbers.data_classification[at(dataClassifications, reading.classificationRank)]
  const entityAnchor = interpolate(numbers.anchors.entities, reading.entities)
  const volume = interpolate(numbers.anchors.records, reading.records)

  let effect = ofClass.entity_effect_bp
  if (ofClass.sensitivity_lifts_entity_effect && sensitivity_bp > effect) effect = sensitivity_bp

  let data = or(base_bp, times(times(numbers.data_volume_bp, volume), sensitivity_bp))
  if (ofClass.data_leaves || reading.alsoExports)
    data = or(data, times(numbers.data_leaves_bp, sensitivity_bp))

  const place = numbers.environment[reading.environment]
  let operational = or(place.base_bp, times(ofClass.operational_weight_bp, place.class_factor_bp))
  if (reading.productionImpact) operational = or(operational, numbers.production_impact_bp)

  let privilege = numbers.privilege.unchanged_bp
  if (reading.privilegeChange) {
    privilege = reading.production ? numbers.privilege.changed_in_production_bp : numbers.privilege.changed_bp
    privilege = or(privilege, ofClass.added_privilege_bp)
    privilege = or(privilege, times(numbers.privilege.entity_share_bp, entityAnchor))
  }

  return {
    financialImpact: interpolate(numbers.anchors.usd, reading.usdCents, 100),
    entityImpact: times(entityAnchor, effect),
    dataImpact: times(data, ofClass.data_effect_bp),
    operationalImpact: operational,
    privilegeImpact: privilege,
    reversibility: numbers.reversibility[at(reversibilities, reading.reversibilityRank)]
  }
}

/** I = M ⊕ 0.15·D over the five impacts, then B = I ⊕ 0.30·R·I. */
export const blastRadiusOf = (dimensions: ReturnType<typeof dimensionsOf>): number => {
  const { reversibility, ...impacts } = dimensions
  const [largest, ...others] = Object.values(impacts).toSorted((a, b) => b - a)
  const impact = others.reduce(
    (sum, other) => or(sum, times(numbers.blast_radius.other_dimensions_bp, other)),
    largest ?? 0
  )
  return or(impact, times(times(numbers.blast_radius.reversibility_bp, reversibility), impact))
}
