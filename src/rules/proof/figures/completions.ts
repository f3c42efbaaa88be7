/** What missing and contradicted fields are taken for. */

import { dataClassifications, reversibilities } from "../../../domain/Action.ts"
import { actionClasses } from "../../../domain/ActionType.ts"
import type { Completion, Numbers } from "../../../scoring/Model.ts"
import type { Figure } from "./Figure.ts"

const ofCompletion = (path: string, completion: Completion): ReadonlyArray<Figure> => [
  { what: `${path}.entities`, value: completion.entities },
  { what: `${path}.records`, value: completion.records },
  { what: `${path}.usd`, value: completion.usd },
  {
    what: `${path}.data_classification`,
    value: dataClassifications.indexOf(completion.dataClassification)
  },
  { what: `${path}.reversibility`, value: reversibilities.indexOf(completion.reversibility) },
  { what: `${path}.privilege_change`, value: Number(completion.privilegeChange) },
  { what: `${path}.production_impact`, value: Number(completion.productionImpact) }
]

export const completions = (numbers: Numbers): ReadonlyArray<Figure> => [
  ...actionClasses.flatMap((name) => {
    const path = `classes.${name}`
    const model = numbers.classes[name]
    return [
      ...ofCompletion(`${path}.references.production`, model.references.production),
      ...ofCompletion(`${path}.references.other`, model.references.other),
      ...ofCompletion(`${path}.ceilings`, model.ceilings),
      { what: `${path}.reversibility_floor`, value: reversibilities.indexOf(model.reversibilityFloor) },
      { what: `${path}.always_changes_privilege`, value: Number(model.alwaysChangesPrivilege) },
      { what: `${path}.counts_go_together`, value: Number(model.countsGoTogether) },
      { what: `${path}.egress`, value: Number(model.egress) }
    ]
  }),
  { what: "also_exports_leave", value: Number(numbers.alsoExportsLeave === true) },
  { what: "single.references.entities", value: numbers.single.references.entities },
  { what: "single.references.records", value: numbers.single.references.records },
  { what: "single.ceilings.entities", value: numbers.single.ceilings.entities },
  { what: "single.ceilings.records", value: numbers.single.ceilings.records }
]

/** How history is read: the sooner a figure counts, the riskier. */
export const vigilance = ({ behavior }: Numbers): ReadonlyArray<Figure> => [
  { what: "behavior.baseline_units_min", value: -behavior.baselineUnitsMin },
  { what: "behavior.velocity_days_min", value: -behavior.velocityDaysMin },
  { what: "behavior.velocity_hours_min", value: -behavior.velocityHoursMin },
  { what: "behavior.step_up_multiple", value: -behavior.stepUpMultiple },
  { what: "behavior.step_up_entities_min", value: -behavior.stepUpEntitiesMin },
  { what: "behavior.step_up_usd_min", value: -behavior.stepUpUsdMin }
]
