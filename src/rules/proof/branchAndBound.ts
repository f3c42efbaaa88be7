/** Searches all facts for some that the second evaluation scores lower than the first, by branch and bound. */

import {
  type ActionClass,
  actionClasses,
  dataClassifications,
  type Environment,
  environments,
  reversibilities
} from "../../domain/Action.ts"
import { proofLowerMax, proofStepsMax } from "../../limits.ts"
import type { FactName, Facts } from "../../scoring/Facts.ts"
import type { Anchors, Numbers } from "../../scoring/Model.ts"
import { classModelOf } from "../../scoring/StatedAction.ts"
import { interpolate, toPoints } from "../../scoring/arithmetic.ts"
import { combineDimensions, measureDimensions } from "../../scoring/dimensions.ts"
import { combineRisk } from "../../scoring/actionRisk.ts"
import type { ResolvedAction } from "../../scoring/missingFields.ts"
import {
  type Box,
  includes,
  type Interval,
  mildestPoint,
  narrow,
  pointOf,
  type ValueSet,
  valuesIn,
  wholeSpace
} from "../analysis/Box.ts"
import { all, any, type Literal, simplify, type Term } from "../analysis/Term.ts"
import { branchesOf, firstLiteral } from "../analysis/satisfiability.ts"
import { type GroupPair, pairGroups, type ScoreComparison } from "./ScoreComparison.ts"
import {
  enterBox,
  type GroupState,
  isCovered,
  maxOf,
  minOf,
  rootNode,
  type SearchNode
} from "./SearchNode.ts"
import { centsPerUsd } from "../../scoring/money.ts"

/** Facts for which the second evaluation is lower, with the scores of both. */
export interface LowerFacts {
  readonly facts: Facts
  /** Where they were found. */
  readonly box: Box
  readonly from: number
  readonly to: number
}

const openTerms = (standings: ReadonlyArray<GroupState>): ReadonlyArray<Term> =>
  standings.flatMap(({ openTiers: open }) => open.flatMap(({ rest }) => (rest === true ? [] : [rest])))

const splitByLiteral = (ask: Literal, box: Box): ReadonlyArray<Box> =>
  branchesOf(ask, box)
    .map((values) => narrow(box, ask.fact, values))
    .filter((part) => part !== null)

const pointsPerFloorPoint = 100

/** How much hangs on what is open of a ladder, in basis points. */
const groupStake = (standing: GroupState): number =>
  maxOf(standing, "hazardBp") -
  minOf(standing, "hazardBp") +
  pointsPerFloorPoint * (maxOf(standing, "floor") - minOf(standing, "floor"))

/**
 * Yields facts of the second evaluation being lower as it finds them, and null for each step between. Where it ends without
 * any, there are none: a part is left alone only where the second is proven to be as high throughout.
 */
export function* branchAndBound(comparison: ScoreComparison): Generator<LowerFacts | null> {
  const { from, lowered, moved, to, where } = comparison
  const pairs = pairGroups(comparison)
  const looser = pairs.differing.flatMap(({ beyond }: GroupPair) => [beyond.hazard, beyond.floor])
  const fell = lowered.map((figure) => figure.where)
  const shift = pointOf(moved)

  const fromIn = ({ box, changed, same }: SearchNode, end: BoundEnd) =>
    scoreBound(
      box,
      [...same, ...changed].map((one) => one.from),
      from.numbers,
      end
    )
  const toIn = ({ added, box, same }: SearchNode, end: BoundEnd) =>
    scoreBound({ ...box, ...shift }, [...same.map((one) => one.to), ...added], to.numbers, end)

  const isProven = (place: SearchNode): boolean => {
    const least = toIn(place, "least")
    const measuresAlike = fell.every((term) => simplify(term, place.box) === false)
    return (measuresAlike && isCovered(place, least)) || fromIn(place, "most") <= least
  }

  const lowerAt = (place: SearchNode, facts: Facts): LowerFacts | null => {
    const point = enterBox(place, pointOf(facts))
    if (point === null) return null
    const scores = { from: fromIn(point, "most"), to: toIn(point, "most") }
    return scores.to < scores.from ? { facts, box: place.box, ...scores } : null
  }

  /** By what changed first, and by what weighs most after that. */
  const parts = ({ added, box, changed, rest, same }: SearchNode): ReadonlyArray<Box> => {
    if (rest !== true) return splitByLiteral(firstLiteral(rest), box)
    const [turning] = openTerms([...changed.map((one) => one.from), ...added])
    if (turning !== undefined) return splitByLiteral(firstLiteral(turning), box)
    const measured = [from, to]
      .flatMap(({ numbers }) => splits(box, numbers))
      .map((parting) => ({
        stake: parting.stake,
        boxes: () => applySplit(box, parting)
      }))
    const asked = same.flatMap(({ from: standing }) =>
      openTerms([standing])
        .slice(0, 1)
        .map((term) => ({
          stake: groupStake(standing),
          boxes: () => splitByLiteral(firstLiteral(term), box)
        }))
    )
    const [most] = [...measured, ...asked].toSorted((a, b) => b.stake - a.stake)
    return most?.boxes() ?? []
  }

  function* descend(above: SearchNode, box: Box): Generator<LowerFacts | null> {
    const place = enterBox(above, box)
    if (place === null || isProven(place)) return yield null
    yield place.rest === true ? lowerAt(place, mildestPoint(place.box)) : null
    for (const part of parts(place)) yield* descend(place, part)
  }

  // What changed is asked first: most of what can be is left out by it at once.
  yield* descend(rootNode(pairs, all(any(...looser, ...fell), where)), wholeSpace)
}

/** A walk to its end, or to the steps and the findings that it may take. */
interface SearchRun {
  readonly lower: ReadonlyArray<LowerFacts>
  readonly finished: boolean
}

export const runSearch = (comparison: ScoreComparison): SearchRun => {
  const lower: Array<LowerFacts> = []
  let steps = 0
  for (const found of branchAndBound(comparison)) {
    if (found !== null) lower.push(found)
    if (++steps > proofStepsMax || lower.length >= proofLowerMax) return { lower, finished: false }
  }
  return { lower, finished: true }
}

/** The least and the greatest score of any facts in a box. */
type BoundEnd = "least" | "most"

const countAt = (box: Box, fact: FactName, end: BoundEnd): number => {
  const values = valuesIn(box, fact)
  // The facts that are asked here are counts and ranks.
  return "min" in values ? (end === "least" ? values.min : values.max) : 0
}

const flagAt = (box: Box, fact: FactName, end: BoundEnd): boolean =>
  includes(valuesIn(box, fact), end === "most") ? end === "most" : end === "least"

/** The corner of the box in which everything that dimensions rise with is least, or greatest. */
const cornerOf = (box: Box, end: BoundEnd): ResolvedAction => ({
  entities: countAt(box, "entities_affected", end),
  records: countAt(box, "records_affected", end),
  usdCents: countAt(box, "financial_value_usd_cents", end),
  dataClassification: dataClassifications[countAt(box, "data_classification_rank", end)] ?? "regulated",
  reversibility: reversibilities[countAt(box, "reversibility_rank", end)] ?? "irreversible",
  privilegeChange: flagAt(box, "privilege_change", end),
  productionImpact: flagAt(box, "production_impact", end),
  countsInconsistent: false
})

const blastRadii = (box: Box, numbers: Numbers, end: BoundEnd): ReadonlyArray<number> => {
  const completed = cornerOf(box, end)
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
export const scoreBound = (
  box: Box,
  standings: ReadonlyArray<GroupState>,
  numbers: Numbers,
  end: BoundEnd
): number => {
  const of = end === "least" ? minOf : maxOf
  const radii = blastRadii(box, numbers, end)
  const radius = end === "least" ? Math.min(...radii) : Math.max(...radii)
  const hazards = standings.map((standing) => of(standing, "hazardBp"))
  const floors = standings.map((standing) => of(standing, "floor"))
  const risk = toPoints(combineRisk(radius, hazards, numbers))
  return Math.max(numbers.actionRisk.scoreMin, risk, ...floors)
}

/** A way to part what a fact may be, and how much of the dimensions is at stake, in basis points. */
interface Split {
  readonly fact: FactName
  readonly stake: number
  readonly parts: readonly [ValueSet, ValueSet]
}

/** At the middle anchor inside the stretch, where a scale bends, else in the middle. */
const splitPoint = ({ max, min }: Interval, anchors: Anchors, unit: number): number => {
  const inside = anchors.map(([x]) => x * unit).filter((x) => x > min && x <= max)
  return inside[Math.floor(inside.length / 2)] ?? min + Math.ceil((max - min) / 2)
}

const intervalSplit = (
  box: Box,
  fact: FactName,
  stakeOf: (value: number) => number,
  at: (span: Interval) => number
): ReadonlyArray<Split> => {
  const span = valuesIn(box, fact)
  if (!("min" in span) || span.min === span.max) return []
  const from = at(span)
  const parts = [
    { min: span.min, max: from - 1 },
    { min: from, max: span.max }
  ] as const
  return [{ fact, stake: stakeOf(span.max) - stakeOf(span.min), parts }]
}

const listSplit = (box: Box, fact: FactName, stake: number): ReadonlyArray<Split> => {
  const values = valuesIn(box, fact)
  if (!("of" in values) || values.of.length < 2) return []
  return [{ fact, stake, parts: [{ of: values.of.slice(0, 1) }, { of: values.of.slice(1) }] }]
}

const middle = ({ max, min }: Interval): number => min + Math.ceil((max - min) / 2)

/** Every parting by what dimensions are measured by; none is left where all facts in the box measure the same. */
const splits = (box: Box, numbers: Numbers): ReadonlyArray<Split> => {
  const { anchors, dataClassification, privilege, productionImpactBp, reversibility } = numbers
  const scaled = (fact: FactName, scale: Anchors, unit = 1) =>
    intervalSplit(
      box,
      fact,
      (value) => interpolate(scale, value, unit),
      (span) => splitPoint(span, scale, unit)
    )
  return [
    // Nearly every rule and every weight goes by these two.
    ...listSplit(box, "action_class", Infinity),
    ...listSplit(box, "environment", Infinity),
    ...listSplit(box, "also_exports", numbers.dataLeavesBp),
    ...scaled("entities_affected", anchors.entities),
    ...scaled("records_affected", anchors.records),
    ...scaled("financial_value_usd_cents", anchors.usd, centsPerUsd),
    ...intervalSplit(
      box,
      "data_classification_rank",
      (rank) => dataClassification[dataClassifications[rank] ?? "regulated"].baseBp,
      middle
    ),
    ...intervalSplit(
      box,
      "reversibility_rank",
      (rank) => reversibility[reversibilities[rank] ?? "irreversible"],
      middle
    ),
    ...listSplit(box, "privilege_change", privilege.changedInProductionBp - privilege.unchangedBp),
    ...listSplit(box, "production_impact", productionImpactBp)
  ].filter(({ stake }) => stake > 0)
}

const applySplit = (box: Box, { fact, parts }: Pick<Split, "fact" | "parts">): ReadonlyArray<Box> =>
  parts.map((values) => narrow(box, fact, values)).filter((part) => part !== null)
