/** The least and the greatest score of any facts in a box. */

import { dataClassifications, type Environment, environments, reversibilities } from "../../domain/Action.ts"
import { type ActionClass, actionClasses } from "../../domain/ActionType.ts"
import { combineRisk } from "../../scoring/actionRisk.ts"
import { toPoints } from "../../scoring/basisPoints.ts"
import { combineDimensions } from "../../scoring/blastRadius.ts"
import { classModelOf } from "../../scoring/Claims.ts"
import type { Completed } from "../../scoring/complete.ts"
import { measureDimensions } from "../../scoring/dimensions.ts"
import type { FactName } from "../../scoring/Facts.ts"
import type { Numbers } from "../../scoring/Model.ts"
import { type Box, valuesIn } from "../analysis/Box.ts"
import { includes } from "../analysis/Values.ts"
import { leastOf, mostOf, type Standing } from "./Standing.ts"

export type End = "least" | "most"

const countAt = (box: Box, fact: FactName, end: End): number => {
  const values = valuesIn(box, fact)
  // The facts that are asked here are counts and ranks.
  return "min" in values ? (end === "least" ? values.min : values.max) : 0
}

const flagAt = (box: Box, fact: FactName, end: End): boolean =>
  includes(valuesIn(box, fact), end === "most") ? end === "most" : end === "least"

/** The corner of the box in which everything that dimensions rise with is least, or greatest. */
const completedAt = (box: Box, end: End): Completed => ({
  entities: countAt(box, "entities_affected", end),
  records: countAt(box, "records_affected", end),
  usdCents: countAt(box, "financial_value_usd_cents", end),
  dataClassification: dataClassifications[countAt(box, "data_classification_rank", end)] ?? "regulated",
  reversibility: reversibilities[countAt(box, "reversibility_rank", end)] ?? "irreversible",
  privilegeChange: flagAt(box, "privilege_change", end),
  productionImpact: flagAt(box, "production_impact", end),
  countsInconsistent: false
})

const blastRadii = (box: Box, numbers: Numbers, end: End): ReadonlyArray<number> => {
  const completed = completedAt(box, end)
  const places = environments.filter((name) => includes(valuesIn(box, "environment"), name))
  const alsoExports = flagAt(box, "also_exports", end)
  const classes = actionClasses.filter((name) => includes(valuesIn(box, "action_class"), name))
  const measure = (name: ActionClass, environment: Environment): number => {
    const place = {
      class: classModelOf({ class: name, alsoExports }, numbers),
      environment,
      production: environment === "production"
    }
    return combineDimensions(measureDimensions(place, completed, numbers), numbers)
  }
  return classes.flatMap((name) => places.map((environment) => measure(name, environment)))
}

/**
 * Every step of a score is monotone, so that one corner of the box has its least and another its greatest dimensions; of hazards
 * and floors those count that hold throughout, or anywhere. Exact where nothing in the box is open.
 */
export const bound = (box: Box, standings: ReadonlyArray<Standing>, numbers: Numbers, end: End): number => {
  const of = end === "least" ? leastOf : mostOf
  const radii = blastRadii(box, numbers, end)
  const radius = end === "least" ? Math.min(...radii) : Math.max(...radii)
  const hazards = standings.map((standing) => of(standing, "hazardBp"))
  const floors = standings.map((standing) => of(standing, "floor"))
  const risk = toPoints(combineRisk(radius, hazards, numbers))
  return Math.max(numbers.actionRisk.scoreMin, risk, ...floors)
}
