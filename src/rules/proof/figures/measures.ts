/** The figures by which dimensions are measured and combined. */

import { dataClassifications, environments, reversibilities } from "../../../domain/Action.ts"
import { type ActionClass, actionClasses } from "../../../domain/ActionType.ts"
import type { ClassModel, Numbers } from "../../../scoring/Model.ts"
import { all, exactly, is, not } from "../../analysis/Term.ts"
import { fallen, type MeasureFigure } from "./Figure.ts"

const everywhere = all()

const ofClass = (name: ActionClass, model: ClassModel): ReadonlyArray<MeasureFigure> => {
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
export const milderAs = (
  from: { readonly name: ActionClass; readonly model: ClassModel },
  to: ClassModel
): ReadonlyArray<MeasureFigure> => fallen(ofClass(from.name, from.model), ofClass(from.name, to))

const ofTables = (numbers: Numbers): ReadonlyArray<MeasureFigure> => [
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

const ofPrivilege = ({ privilege }: Numbers): ReadonlyArray<MeasureFigure> => {
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

const ofCombination = ({ actionRisk, blastRadius }: Numbers): ReadonlyArray<MeasureFigure> =>
  [
    { what: "blast_radius.other_dimensions_bp", value: blastRadius.otherDimensionsBp },
    { what: "blast_radius.reversibility_bp", value: blastRadius.reversibilityBp },
    { what: "action_risk.blast_radius_bp", value: actionRisk.blastRadiusBp },
    { what: "action_risk.hazard_base_bp", value: actionRisk.hazardBaseBp },
    { what: "action_risk.hazard_blast_radius_bp", value: actionRisk.hazardBlastRadiusBp },
    { what: "action_risk.score_min", value: actionRisk.scoreMin }
  ].map((figure) => ({ ...figure, where: everywhere }))

export const measures = (numbers: Numbers): ReadonlyArray<MeasureFigure> => [
  ...actionClasses.flatMap((name) => ofClass(name, numbers.classes[name])),
  ...ofTables(numbers),
  ...ofPrivilege(numbers),
  ...ofCombination(numbers),
  { what: "data_volume_bp", value: numbers.dataVolumeBp, where: everywhere },
  { what: "data_leaves_bp", value: numbers.dataLeavesBp, where: everywhere },
  {
    what: "also_exports_leave",
    value: Number(numbers.alsoExportsLeave === true),
    where: is("also_exports", true)
  },
  { what: "production_impact_bp", value: numbers.productionImpactBp, where: is("production_impact", true) }
]
