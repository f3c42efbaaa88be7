/** The numbers from which dimensions are computed and combined, and the ones among them that are lower under the second rulebook. */

import { dataClassifications, environments, reversibilities } from "../../domain/Action.ts"
import type { FactName } from "../../scoring/Facts.ts"
import type { Anchors } from "../../scoring/Model.ts"
import type { ClassModel, Numbers } from "../../scoring/edition1/Model.ts"
import { type Edition1Class, edition1Classes } from "../../scoring/edition1/NormalizedAction.ts"
import { centsPerUsd } from "../../scoring/money.ts"
import { all, any, atLeast, atMost, exactly, is, not, type Term } from "../analysis/Term.ts"
import type { LoweredNumber } from "./ScoreComparison.ts"

export const loweredDimensionNumbers = (from: Numbers, to: Numbers): ReadonlyArray<LoweredNumber> => [
  ...loweredNumbers(dimensionNumbers(from), dimensionNumbers(to)),
  ...loweredAnchors(from, to)
]

/** A number of a ruleset with its path in the file. The higher the value, the riskier. */
export interface RiskNumber {
  readonly what: string
  readonly value: number
}

/** A number of the dimensions, and the facts for which it counts. */
interface DimensionNumber extends RiskNumber {
  readonly where: Term
}

/** The numbers that are lower in the second list. Both lists name the same numbers in the same order. */
export const loweredNumbers = <N extends RiskNumber>(
  from: ReadonlyArray<N>,
  to: ReadonlyArray<N>
): ReadonlyArray<N> => from.filter(({ value }, i) => (to[i]?.value ?? 0) < value)

const anyFacts = all()

const classNumbers = (name: Edition1Class, model: ClassModel): ReadonlyArray<DimensionNumber> => {
  const numberOf = (key: string, value: number) => ({
    what: `classes.${name}.${key}`,
    value,
    where: is("action_class", name)
  })
  return [
    numberOf("entity_effect_bp", model.entityEffectBp),
    numberOf("sensitivity_lifts_entity_effect", Number(model.sensitivityLiftsEntityEffect)),
    numberOf("data_effect_bp", model.dataEffectBp),
    numberOf("data_leaves", Number(model.dataLeaves)),
    numberOf("operational_weight_bp", model.operationalWeightBp),
    numberOf("added_privilege_bp", model.addedPrivilegeBp)
  ]
}

/** The numbers of `from` that are lower if the same action is read as the class `to`. */
export const milderClassNumbers = (
  from: { readonly name: Edition1Class; readonly model: ClassModel },
  to: ClassModel
): ReadonlyArray<DimensionNumber> =>
  loweredNumbers(classNumbers(from.name, from.model), classNumbers(from.name, to))

const tableNumbers = (numbers: Numbers): ReadonlyArray<DimensionNumber> => [
  ...dataClassifications.flatMap((name, rank) => {
    const where = exactly("data_classification_rank", rank)
    const { baseBp, sensitivityBp } = numbers.dataClassification[name]
    return [
      { what: `data_classification.${name}.base_bp`, value: baseBp, where },
      { what: `data_classification.${name}.sensitivity_bp`, value: sensitivityBp, where }
    ]
  }),
  ...environments.flatMap((name) => {
    const where = is("environment", name)
    const { baseBp, classFactorBp } = numbers.environment[name]
    return [
      { what: `environment.${name}.base_bp`, value: baseBp, where },
      { what: `environment.${name}.class_factor_bp`, value: classFactorBp, where }
    ]
  }),
  ...reversibilities.map((name, rank) => ({
    what: `reversibility.${name}`,
    value: numbers.reversibility[name],
    where: exactly("reversibility_rank", rank)
  }))
]

const privilegeNumbers = ({ privilege }: Numbers): ReadonlyArray<DimensionNumber> => {
  const changed = is("privilege_change", true)
  const production = is("environment", "production")
  return [
    { what: "privilege.unchanged_bp", value: privilege.unchangedBp, where: not(changed) },
    { what: "privilege.changed_bp", value: privilege.changedBp, where: all(changed, not(production)) },
    {
      what: "privilege.changed_in_production_bp",
      value: privilege.changedInProductionBp,
      where: all(changed, production)
    },
    { what: "privilege.entity_share_bp", value: privilege.entityShareBp, where: changed }
  ]
}

const combinationNumbers = ({ actionRisk, blastRadius }: Numbers): ReadonlyArray<DimensionNumber> =>
  [
    { what: "blast_radius.other_dimensions_bp", value: blastRadius.otherDimensionsBp },
    { what: "blast_radius.reversibility_bp", value: blastRadius.reversibilityBp },
    { what: "action_risk.blast_radius_bp", value: actionRisk.blastRadiusBp },
    { what: "action_risk.hazard_base_bp", value: actionRisk.hazardBaseBp },
    { what: "action_risk.hazard_blast_radius_bp", value: actionRisk.hazardBlastRadiusBp },
    { what: "action_risk.score_min", value: actionRisk.scoreMin }
  ].map((number) => ({ ...number, where: anyFacts }))

export const dimensionNumbers = (numbers: Numbers): ReadonlyArray<DimensionNumber> => [
  ...edition1Classes.flatMap((name) => classNumbers(name, numbers.classes[name])),
  ...tableNumbers(numbers),
  ...privilegeNumbers(numbers),
  ...combinationNumbers(numbers),
  { what: "data_volume_bp", value: numbers.dataVolumeBp, where: anyFacts },
  { what: "data_leaves_bp", value: numbers.dataLeavesBp, where: anyFacts },
  {
    what: "also_exports_leave",
    value: Number(numbers.alsoExportsLeave === true),
    where: is("also_exports", true)
  },
  { what: "production_impact_bp", value: numbers.productionImpactBp, where: is("production_impact", true) }
]

interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** The value of the scale at `x`, before rounding. */
const exactScaleAt = (anchors: Anchors, x: number): Fraction => {
  const next = anchors.findIndex(([anchor]) => x <= anchor)
  const [toX, toBp] = anchors[next] ?? anchors.at(-1) ?? [0, 0]
  const [fromX, fromBp] = anchors[next - 1] ?? [toX, toBp]
  if (next <= 0 || toX === fromX) return { numerator: BigInt(toBp), denominator: 1n }
  const width = BigInt(toX - fromX)
  return { numerator: BigInt(fromBp) * width + BigInt(toBp - fromBp) * BigInt(x - fromX), denominator: width }
}

const isLess = (a: Fraction, b: Fraction): boolean =>
  a.numerator * b.denominator < b.numerator * a.denominator

/**
 * The intervals in which the second scale can be lower. Between two neighbouring anchors of either scale both scales are
 * straight, so it is enough to compare the two ends. Rounding keeps the order of two values. Beyond the last anchor both
 * scales are flat.
 */
const loweredIntervals = (from: Anchors, to: Anchors): ReadonlyArray<readonly [from: number, to: number]> => {
  const anchors = [...new Set([0, ...[...from, ...to].map(([x]) => x)])].toSorted((a, b) => a - b)
  const isLower = (x: number) => isLess(exactScaleAt(to, x), exactScaleAt(from, x))
  return anchors.flatMap((anchor, i) => {
    const next = anchors[i + 1]
    if (next === undefined) return isLower(anchor) ? [[anchor, Number.MAX_SAFE_INTEGER] as const] : []
    return isLower(anchor) || isLower(next) ? [[anchor, next] as const] : []
  })
}

const termOfIntervals = (
  fact: FactName,
  unit: number,
  intervals: ReturnType<typeof loweredIntervals>
): Term =>
  any(
    ...intervals.map(([from, to]) =>
      all(atLeast(fact, from * unit), atMost(fact, Math.min(to * unit, Number.MAX_SAFE_INTEGER)))
    )
  )

const anchoredFacts = [
  ["usd", "financial_value_usd_cents", centsPerUsd],
  ["entities", "entities_affected", 1],
  ["records", "records_affected", 1]
] as const

export const loweredAnchors = (from: Numbers, to: Numbers): ReadonlyArray<LoweredNumber> =>
  anchoredFacts.flatMap(([name, fact, unit]) => {
    const intervals = loweredIntervals(from.anchors[name], to.anchors[name])
    return intervals.length === 0
      ? []
      : [{ what: `anchors.${name}`, where: termOfIntervals(fact, unit, intervals) }]
  })
