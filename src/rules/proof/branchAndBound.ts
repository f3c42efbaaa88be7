/** Searches all facts by branch and bound for facts with a lower score or a weaker control in the second evaluation. */

import {
  type ActionClass,
  actionClasses,
  dataClassifications,
  type Environment,
  environments,
  reversibilities
} from "../../domain/Action.ts"
import { type ControlType, controlTypes } from "../../domain/Opinion.ts"
import { proofLowerMax, proofStepsMax } from "../../limits.ts"
import type { FactName, Facts } from "../../scoring/Facts.ts"
import type { Numbers } from "../../scoring/Numbers.ts"
import { classNumbersOf } from "../../scoring/StatedCall.ts"
import { type Anchors, interpolate, toPoints } from "../../scoring/arithmetic.ts"
import type { ResolvedCall } from "../../scoring/completeCall.ts"
import { combineDimensions, combineRisk, dimensionsOf, kindFigureOf } from "../../scoring/dimensions.ts"
import { centsPerUsd } from "../../scoring/money.ts"
import { actionRiskLevelOf } from "../../scoring/opinion.ts"
import { impacts } from "../../scoring/reading/Act.ts"
import { type ObjectKind, objectKinds } from "../../scoring/reading/Vocabulary.ts"
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
import {
  type Compared,
  controlRank,
  isFall,
  moveBetween,
  type OpinionMove,
  rankOfLevel,
  type ScoreAndControl
} from "../ScoreAndControl.ts"
import { all, any, type Literal, simplify, type Term } from "../analysis/Term.ts"
import { branchesOf, firstLiteral } from "../analysis/satisfiability.ts"
import { type EvaluationComparison, pairGroups, type TierEffect } from "./EvaluationComparison.ts"
import {
  areControlsCovered,
  enterBox,
  type GroupState,
  isCertain,
  isCovered,
  maxOf,
  minOf,
  rootNode,
  type SearchNode
} from "./SearchNode.ts"

/** Facts for which the second evaluation has a lower score or a weaker control. */
export interface LowerFacts extends Compared {
  readonly facts: Facts
  /** The box in which the search found them. */
  readonly box: Box
}

/**
 * Yields facts for which the second evaluation is lower in score or control as it finds them, and null for each step in between. If it ends
 * without finding any, there are none: a box is skipped only if the second evaluation is proven to be as high for all its facts. Every
 * factor counts here, whatever it rests on. Levels that begin later are checked elsewhere (unprovenDifferences.ts).
 */
export function* branchAndBound(comparison: EvaluationComparison): Generator<LowerFacts | null> {
  const pairs = pairGroups(comparison)
  const uncovered = pairs.differing.flatMap((pair) => Object.values(pair.uncovered))
  const search: Search = { comparison, ...evaluationsOf(comparison) }
  // Where nothing became milder, `isCovered` holds for every box, so the search can skip it.
  const milder = any(...uncovered, pairs.eased, ...comparison.lowered)
  const root = rootNode(pairs, all(milder, comparison.where))
  yield* descend(root, wholeSpace, search)
}

type BoundOf = (node: SearchNode, end: BoundEnd) => ScoreAndControl

interface Search {
  readonly comparison: EvaluationComparison
  readonly boundOfFrom: BoundOf
  readonly boundOfTo: BoundOf
}

const evaluationsOf = ({ from, overrides, to }: EvaluationComparison) => {
  const overridden = pointOf(overrides)
  const boundOfFrom: BoundOf = ({ box, changed, same }, end) =>
    opinionBound(
      box,
      [...same, ...changed].map((pair) => pair.from),
      from.numbers,
      end
    )
  const boundOfTo: BoundOf = ({ added, box, same }, end) =>
    opinionBound({ ...box, ...overridden }, [...same.map((pair) => pair.to), ...added], to.numbers, end)
  return { boundOfFrom, boundOfTo }
}

function* descend(above: SearchNode, box: Box, search: Search): Generator<LowerFacts | null> {
  const node = enterBox(above, box)
  if (node === null || isProven(node, search)) return yield null
  const lower = node.rest === true ? lowerFactsAt(node, mildestPoint(node.box), search) : null
  yield lower
  const parts = partsOf(node, search.comparison)
  // Invariant: the bounds of a box that cannot be split are exact. So no box is left without a proof or a finding.
  if (parts.length === 0 && lower === null) throw new Error("an unproven box cannot be split")
  for (const part of parts) yield* descend(node, part, search)
}

/** Whether the second evaluation is as high for all facts of the box: because groups cover groups, or by the bounds. */
const isProven = (node: SearchNode, { boundOfFrom, boundOfTo, comparison }: Search): boolean => {
  let known: ScoreAndControl | undefined
  const least = () => (known ??= boundOfTo(node, "least"))
  let bounds: OpinionMove | undefined
  const move = () => (bounds ??= moveBetween(boundOfFrom(node, "most"), least()))
  const noNumberLowered = comparison.lowered.every((term) => simplify(term, node.box) === false)
  const isScoreProven = (noNumberLowered && isCovered(node, () => least().score)) || move().points >= 0
  return isScoreProven && (areControlsCovered(node, () => controlRank(least().control)) || move().steps >= 0)
}

const lowerFactsAt = (
  node: SearchNode,
  facts: Facts,
  { boundOfFrom, boundOfTo }: Search
): LowerFacts | null => {
  const point = enterBox(node, pointOf(facts))
  if (point === null) return null
  // For the box of a single point, the bounds are the score and the control themselves.
  const [from, to] = [boundOfFrom(point, "most"), boundOfTo(point, "most")]
  return isFall(moveBetween(from, to)) ? { facts, box: node.box, from, to } : null
}

const openTerms = (groups: ReadonlyArray<GroupState>): ReadonlyArray<Term> =>
  groups.flatMap(({ openTiers }) => openTiers.flatMap(({ rest }) => (rest === true ? [] : [rest])))

const splitByLiteral = (literal: Literal, box: Box): ReadonlyArray<Box> =>
  branchesOf(literal, box)
    .map((values) => narrow(box, literal.fact, values))
    .filter((part) => part !== null)

const basisPointsPerPoint = 100

/** How far the undecided tiers of a group can move the score, in basis points. A control counts as a few. */
const groupStake = (group: GroupState): number => {
  const range = (what: TierEffect) => maxOf(group, what) - minOf(group, what)
  return range("hazardBp") + basisPointsPerPoint * (range("floor") + range("control"))
}

/** Splits by the limits of the search first, then by groups that changed, then by the fact or group that moves the score most. */
const partsOf = (
  { added, box, changed, rest, same }: SearchNode,
  { from, to }: EvaluationComparison
): ReadonlyArray<Box> => {
  if (rest !== true) return splitByLiteral(firstLiteral(rest), box)
  const [ofChanged] = openTerms([...changed.map((group) => group.from), ...added])
  if (ofChanged !== undefined) return splitByLiteral(firstLiteral(ofChanged), box)
  const byDimension = [from, to]
    .flatMap(({ numbers }) => splits(box, numbers))
    .map((split) => ({ stake: split.stake, parts: () => applySplit(box, split) }))
  const byGroup = same.flatMap((group) =>
    openTerms([group.from])
      .slice(0, 1)
      .map((term) => ({
        stake: groupStake(group.from),
        parts: () => splitByLiteral(firstLiteral(term), box)
      }))
  )
  const [most] = [...byDimension, ...byGroup].toSorted((a, b) => b.stake - a.stake)
  return most?.parts() ?? []
}

/** The result of a search that finished or reached its limit of steps or findings. */
interface SearchRun {
  readonly lower: ReadonlyArray<LowerFacts>
  readonly finished: boolean
}

export const runSearch = (comparison: EvaluationComparison): SearchRun => {
  const lower: Array<LowerFacts> = []
  let steps = 0
  for (const found of branchAndBound(comparison)) {
    if (found !== null) lower.push(found)
    if (++steps > proofStepsMax || lower.length >= proofLowerMax) return { lower, finished: false }
  }
  return { lower, finished: true }
}

/** Which bound to compute: the lowest or the highest score and control of any facts in a box. */
type BoundEnd = "least" | "most"

const countAt = (box: Box, fact: FactName, end: BoundEnd): number => {
  const values = valuesIn(box, fact)
  // Invariant: only called for counts and ranks.
  return "min" in values ? (end === "least" ? values.min : values.max) : 0
}

const flagAt = (box: Box, fact: FactName, end: BoundEnd): boolean =>
  includes(valuesIn(box, fact), end === "most") ? end === "most" : end === "least"

/** The corner of the box in which all facts that raise dimensions are lowest, or highest. */
const cornerOf = (box: Box, end: BoundEnd): ResolvedCall => ({
  entities: countAt(box, "entities_affected", end),
  records: countAt(box, "records_affected", end),
  usdCents: countAt(box, "financial_value_usd_cents", end),
  dataClassification: dataClassifications[countAt(box, "data_classification_rank", end)] ?? "regulated",
  reversibility: reversibilities[countAt(box, "reversibility_rank", end)] ?? "irreversible",
  privilegeChange: flagAt(box, "privilege_change", end),
  productionImpact: flagAt(box, "production_impact", end),
  // The dimensions do not depend on these three.
  countsInconsistent: false,
  privilegeInconsistent: false,
  destination: "history",
  agent: "history"
})

/** Kinds have no order, but all except claims count by a single figure. The amount of a claim has its own figure. */
const kindsAt = (box: Box, numbers: Numbers, end: BoundEnd): ReadonlyArray<ObjectKind> => {
  const values = valuesIn(box, "object_kind")
  const ascending = objectKinds
    .filter((kind) => kind !== "claim" && includes(values, kind))
    .toSorted((a, b) => kindFigureOf(a, numbers) - kindFigureOf(b, numbers))
  const extreme = end === "least" ? ascending[0] : ascending.at(-1)
  return [
    ...(extreme === undefined ? [] : [extreme]),
    ...(includes(values, "claim") ? ["claim" as const] : [])
  ]
}

const blastRadii = (box: Box, numbers: Numbers, end: BoundEnd): ReadonlyArray<number> => {
  const completed = cornerOf(box, end)
  const reading = {
    impact: impacts[countAt(box, "impact_rank", end)] ?? "critical",
    anywhere: flagAt(box, "acts_anywhere", end),
    remote: flagAt(box, "remote_target_unconfirmed", end),
    weakens: countAt(box, "safeguard_weakened_rank", end) > 0
  }
  const names = environments.filter((name) => includes(valuesIn(box, "environment"), name))
  const classes = actionClasses.filter((name) => includes(valuesIn(box, "action_class"), name))
  const alsoExports = flagAt(box, "also_exports", end)
  const measure = (name: ActionClass, environment: Environment, kind: ObjectKind): number => {
    const call = {
      class: classNumbersOf({ class: name, alsoExports }, numbers),
      environment,
      production: environment === "production",
      reading: { ...reading, kind }
    }
    return combineDimensions(dimensionsOf(call, numbers)(completed), numbers)
  }
  return kindsAt(box, numbers, end).flatMap((kind) =>
    classes.flatMap((name) => names.map((environment) => measure(name, environment, kind)))
  )
}

/**
 * The control that the level of a score and the groups ask for. A staged group weakens it at a moderate level: for the weakest control it
 * counts if it may hold, for the strongest only if it certainly holds.
 */
const controlBound = (
  score: number,
  groups: ReadonlyArray<GroupState>,
  numbers: Numbers,
  end: BoundEnd
): ControlType => {
  const of = end === "least" ? minOf : maxOf
  const counts = end === "least" ? ({ openTiers }: GroupState) => openTiers.length > 0 : isCertain
  const isStaged = groups.some((group) => group.staged && counts(group))
  const ofLevel = rankOfLevel(actionRiskLevelOf(score, numbers), isStaged)
  const rank = Math.max(ofLevel, ...groups.map((group) => of(group, "control")))
  return controlTypes[rank] ?? "HUMAN_ESCALATION_RECOMMENDED"
}

/**
 * A bound for the score and the control of all facts in a box. Every step of an evaluation is monotone, so the dimensions are lowest in one
 * corner of the box and highest in another. For the lowest score, only hazards and floors that hold in the whole box count; for the
 * highest, those that hold anywhere in it. The bound is exact if every tier is decided and every dimension is constant. Invariant: noisy-or
 * rises with each hazard, because the ruleset's schema rejects hazard shares above the whole.
 */
export const opinionBound = (
  box: Box,
  groups: ReadonlyArray<GroupState>,
  numbers: Numbers,
  end: BoundEnd
): ScoreAndControl => {
  const of = end === "least" ? minOf : maxOf
  const radii = blastRadii(box, numbers, end)
  const radius = end === "least" ? Math.min(...radii) : Math.max(...radii)
  const hazards = groups.map((group) => ({ hazardBp: of(group, "hazardBp") }))
  const floors = groups.map((group) => of(group, "floor"))
  const risk = toPoints(combineRisk(radius, hazards, numbers))
  const score = Math.max(numbers.actionRisk.scoreMin, risk, ...floors)
  return { score, control: controlBound(score, groups, numbers, end) }
}

/** A way to split the values of a fact in two, and how far the fact can move its dimension in the box, in basis points. */
interface Split {
  readonly fact: FactName
  readonly stake: number
  readonly parts: readonly [ValueSet, ValueSet]
}

const middle = ({ max, min }: Interval): number => min + Math.ceil((max - min) / 2)

/** The middle anchor inside the interval, where the scale bends, or the middle of the interval if it contains no anchor. */
const splitPoint = ({ max, min }: Interval, anchors: Anchors, unit: number): number => {
  const inside = anchors.map(([x]) => x * unit).filter((x) => x > min && x <= max)
  return inside[Math.floor(inside.length / 2)] ?? middle({ max, min })
}

const intervalSplit = (
  box: Box,
  fact: FactName,
  stakeOf: (value: number) => number,
  at: (interval: Interval) => number
): ReadonlyArray<Split> => {
  const values = valuesIn(box, fact)
  if (!("min" in values) || values.min === values.max) return []
  const from = at(values)
  const parts = [
    { min: values.min, max: from - 1 },
    { min: from, max: values.max }
  ] as const
  return [{ fact, stake: stakeOf(values.max) - stakeOf(values.min), parts }]
}

const listSplit = (box: Box, fact: FactName, stake: number): ReadonlyArray<Split> => {
  const values = valuesIn(box, fact)
  if (!("of" in values) || values.of.length < 2) return []
  return [{ fact, stake, parts: [{ of: values.of.slice(0, 1) }, { of: values.of.slice(1) }] }]
}

/**
 * Every possible split by a fact that affects dimensions. Empty if all facts in the box have the same dimensions. Invariant: every fact on
 * which a dimension depends is in this list.
 */
const splits = (box: Box, numbers: Numbers): ReadonlyArray<Split> => {
  const { anchors, dataClassification, privilege, productionImpactBp, reversibility } = numbers
  const scaled = (fact: FactName, scale: Anchors, unit = 1) =>
    intervalSplit(
      box,
      fact,
      (value) => interpolate(scale, value, unit),
      (interval) => splitPoint(interval, scale, unit)
    )
  // Two classifications with the same base can differ in sensitivity, and a privilege change without a number of its own can matter for
  // many entities: adding the ranks, and the 1, keeps these stakes positive.
  return [
    // These two come first, because nearly every rule and every weight depends on them.
    ...listSplit(box, "action_class", Infinity),
    ...listSplit(box, "environment", Infinity),
    ...intervalSplit(box, "impact_rank", (rank) => rank * basisPointsPerImpact, middle),
    ...listSplit(box, "object_kind", basisPointsPerImpact),
    ...listSplit(box, "acts_anywhere", basisPointsPerImpact),
    ...listSplit(box, "also_exports", basisPointsPerImpact),
    ...intervalSplit(
      box,
      "safeguard_weakened_rank",
      (rank) => Math.min(1, rank) * basisPointsPerImpact,
      middle
    ),
    ...scaled("entities_affected", anchors.entities),
    ...scaled("records_affected", anchors.records),
    ...scaled("financial_value_usd_cents", anchors.usd, centsPerUsd),
    ...intervalSplit(
      box,
      "data_classification_rank",
      (rank) => dataClassification[dataClassifications[rank] ?? "regulated"].baseBp + rank,
      middle
    ),
    ...intervalSplit(
      box,
      "reversibility_rank",
      (rank) => reversibility[reversibilities[rank] ?? "irreversible"],
      middle
    ),
    ...listSplit(box, "privilege_change", 1 + privilege.changedInProductionBp),
    ...listSplit(box, "production_impact", 1 + productionImpactBp)
  ].filter(({ stake }) => stake > 0)
}

/** Roughly how far one step of the impact moves the score. Only affects the order of splits. */
const basisPointsPerImpact = 2_000

const applySplit = (box: Box, { fact, parts }: Pick<Split, "fact" | "parts">): ReadonlyArray<Box> =>
  parts.map((values) => narrow(box, fact, values)).filter((part) => part !== null)
