/** Parts a box by a fact that dimensions are measured by, where its values differ most in what they come to. */

import type { FactName } from "../../scoring/Facts.ts"
import { interpolate } from "../../scoring/interpolate.ts"
import type { Anchors, Numbers } from "../../scoring/Model.ts"
import { type Box, narrow, valuesIn } from "../analysis/Box.ts"
import type { Span, Values } from "../analysis/Values.ts"
import { dataClassifications, reversibilities } from "../../domain/Action.ts"

const centsPerUsd = 100

/** A way to part what a fact may be, and how much of the dimensions is at stake, in basis points. */
export interface Parting {
  readonly fact: FactName
  readonly stake: number
  readonly parts: readonly [Values, Values]
}

/** At the middle anchor inside the stretch, where a scale bends, else in the middle. */
const cut = ({ max, min }: Span, anchors: Anchors, unit: number): number => {
  const inside = anchors.map(([x]) => x * unit).filter((x) => x > min && x <= max)
  return inside[Math.floor(inside.length / 2)] ?? min + Math.ceil((max - min) / 2)
}

const ofSpan = (
  box: Box,
  fact: FactName,
  stakeOf: (value: number) => number,
  at: (span: Span) => number
): ReadonlyArray<Parting> => {
  const span = valuesIn(box, fact)
  if (!("min" in span) || span.min === span.max) return []
  const from = at(span)
  const parts = [
    { min: span.min, max: from - 1 },
    { min: from, max: span.max }
  ] as const
  return [{ fact, stake: stakeOf(span.max) - stakeOf(span.min), parts }]
}

const ofList = (box: Box, fact: FactName, stake: number): ReadonlyArray<Parting> => {
  const values = valuesIn(box, fact)
  if (!("of" in values) || values.of.length < 2) return []
  return [{ fact, stake, parts: [{ of: values.of.slice(0, 1) }, { of: values.of.slice(1) }] }]
}

const middle = ({ max, min }: Span): number => min + Math.ceil((max - min) / 2)

/** Every parting by what dimensions are measured by; none is left where all facts in the box measure the same. */
export const partings = (box: Box, numbers: Numbers): ReadonlyArray<Parting> => {
  const { anchors, dataClassification, privilege, productionImpactBp, reversibility } = numbers
  const scaled = (fact: FactName, scale: Anchors, unit = 1) =>
    ofSpan(
      box,
      fact,
      (value) => interpolate(scale, value, unit),
      (span) => cut(span, scale, unit)
    )
  return [
    // Nearly every rule and every weight goes by these two.
    ...ofList(box, "action_class", Infinity),
    ...ofList(box, "environment", Infinity),
    ...ofList(box, "also_exports", numbers.dataLeavesBp),
    ...scaled("entities_affected", anchors.entities),
    ...scaled("records_affected", anchors.records),
    ...scaled("financial_value_usd_cents", anchors.usd, centsPerUsd),
    ...ofSpan(
      box,
      "data_classification_rank",
      (rank) => dataClassification[dataClassifications[rank] ?? "regulated"].baseBp,
      middle
    ),
    ...ofSpan(
      box,
      "reversibility_rank",
      (rank) => reversibility[reversibilities[rank] ?? "irreversible"],
      middle
    ),
    ...ofList(box, "privilege_change", privilege.changedInProductionBp - privilege.unchangedBp),
    ...ofList(box, "production_impact", productionImpactBp)
  ].filter(({ stake }) => stake > 0)
}

export const parted = (box: Box, { fact, parts }: Pick<Parting, "fact" | "parts">): ReadonlyArray<Box> =>
  parts.map((values) => narrow(box, fact, values)).filter((part) => part !== null)
