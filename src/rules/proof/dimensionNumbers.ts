/** The numbers that dimensions are computed from, and which of them are lower under the second rulebook, for which facts. */

import {
  type ActionClass,
  actionClasses,
  dataClassifications,
  environments,
  reversibilities
} from "../../domain/Action.ts"
import type { FactName } from "../../scoring/Facts.ts"
import type { Anchors, ClassModel, Numbers } from "../../scoring/Model.ts"
import { all, any, atLeast, atMost, exactly, is, not, type Term } from "../analysis/Term.ts"
import type { LoweredNumber } from "./ScoreComparison.ts"
import { centsPerUsd } from "../../scoring/money.ts"

export const loweredDimensionNumbers = (from: Numbers, to: Numbers): ReadonlyArray<LoweredNumber> => [
  ...loweredNumbers(dimensionNumbers(from), dimensionNumbers(to)),
  ...loweredAnchors(from, to)
]

/** One figure of a ruleset, by the name that a reviewer finds it under; the higher, the riskier. */
export interface RiskNumber {
  readonly what: string
  readonly value: number
}

/** A figure of the dimensions, and the facts for which it counts. */
interface DimensionNumber extends RiskNumber {
  readonly where: Term
}

/** Those that stand lower in the second list, which has the same figures in the same order. */
export const loweredNumbers = <F extends RiskNumber>(
  from: ReadonlyArray<F>,
  to: ReadonlyArray<F>
): ReadonlyArray<F> => from.filter(({ value }, i) => (to[i]?.value ?? 0) < value)

/** The figures by which dimensions are measured and combined. */
const anyFacts = all()

const classNumbers = (name: ActionClass, model: ClassModel): ReadonlyArray<DimensionNumber> => {
  const figure = (what: string, value: number) => ({
    what: `classes.${name}.${what}`,
    value,
    where: is("action_class", name)
  })
  return [
    figure("entity_effect_bp", model.entityEffectBp),
    figure("sensitivity_lifts_entity_effect", Number(model.sensitivityLiftsEntityEffect)),
    figure("data_effect_bp", model.dataEffectBp),
    figure("data_leaves", Number(model.dataLeaves)),
    figure("operational_weight_bp", model.operationalWeightBp),
    figure("added_privilege_bp", model.addedPrivilegeBp)
  ]
}

/** By what one action of a class is measured as milder than the same as another class. */
export const milderClassNumbers = (
  from: { readonly name: ActionClass; readonly model: ClassModel },
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
  ].map((figure) => ({ ...figure, where: anyFacts }))

export const dimensionNumbers = (numbers: Numbers): ReadonlyArray<DimensionNumber> => [
  ...actionClasses.flatMap((name) => classNumbers(name, numbers.classes[name])),
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

/** Where a scale given by anchors stands lower than another, exactly. */
interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** The scale at `x` before rounding. */
const exactScaleAt = (anchors: Anchors, x: number): Fraction => {
  const next = anchors.findIndex(([anchor]) => x <= anchor)
  const [toX, toBp] = anchors[next] ?? anchors.at(-1) ?? [0, 0]
  const [fromX, fromBp] = anchors[next - 1] ?? [toX, toBp]
  if (next <= 0 || toX === fromX) return { numerator: BigInt(toBp), denominator: 1n }
  const under = BigInt(toX - fromX)
  return { numerator: BigInt(fromBp) * under + BigInt(toBp - fromBp) * BigInt(x - fromX), denominator: under }
}

const isLess = (a: Fraction, b: Fraction): boolean =>
  a.numerator * b.denominator < b.numerator * a.denominator

/**
 * Both scales are straight between the anchors of either, so that two ends tell about all between; rounding up keeps an order
 * that holds before it. Beyond the last anchor both are flat.
 */
const loweredIntervals = (from: Anchors, to: Anchors): ReadonlyArray<readonly [from: number, to: number]> => {
  const knots = [...new Set([0, ...[...from, ...to].map(([x]) => x)])].toSorted((a, b) => a - b)
  const falls = (x: number) => isLess(exactScaleAt(to, x), exactScaleAt(from, x))
  return knots.flatMap((knot, i) => {
    const next = knots[i + 1]
    if (next === undefined) return falls(knot) ? [[knot, Number.MAX_SAFE_INTEGER] as const] : []
    return falls(knot) || falls(next) ? [[knot, next] as const] : []
  })
}

const termOfIntervals = (fact: FactName, unit: number, spans: ReturnType<typeof loweredIntervals>): Term =>
  any(
    ...spans.map(([from, to]) =>
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
    const spans = loweredIntervals(from.anchors[name], to.anchors[name])
    return spans.length === 0 ? [] : [{ what: `anchors.${name}`, where: termOfIntervals(fact, unit, spans) }]
  })
