/** How a rulebook agrees with labelled calls: measures, a matrix of levels, and every disagreement with its cost. */

import { byCodeUnit } from "../../json/json.ts"
import type { Rulebook } from "../Rulebook.ts"
import { type LevelMatrix, levelMatrix } from "../levelMatrix.ts"
import { answerCall, type AnsweredCall, type LabelledCall } from "./AnsweredCall.ts"
import { type CallPair, type Measure, measureAgreement } from "./measures.ts"

export interface Disagreement extends AnsweredCall {
  readonly cost: number
}

/** Calls that have a property in common. */
export interface CallGroup {
  readonly name: string
  readonly calls: number
  /** Measures over pairs use only pairs with both calls in the group. */
  readonly measures: ReadonlyArray<Measure>
}

export interface Agreement {
  /** The name of the release. */
  readonly rules: string
  readonly policies: string
  readonly calls: number
  readonly measures: ReadonlyArray<Measure>
  /** How many calls labelled with the row's level got the column's level. */
  readonly confusion: LevelMatrix
  /** The sum over all disagreements. */
  readonly cost: number
  /** Most expensive first, then in file order. */
  readonly disagreements: ReadonlyArray<Disagreement>
  /** Pairs whose first call does not score higher; those in the reverse order come first. */
  readonly misordered: ReadonlyArray<CallPair>
  readonly byCompleteness: ReadonlyArray<CallGroup>
  readonly byPrefix: ReadonlyArray<CallGroup>
}

/**
 * The cost of an answer, by the label and the answered level. An answer that is too low costs damage, one that is too high costs trust, so
 * too low costs more than the same error in the other direction. Both grow with the distance and with the level that was missed or wrongly
 * given. All are even, because a second choice halves them.
 */
export const costs: LevelMatrix = {
  low: { low: 0, moderate: 2, high: 8, critical: 16 },
  moderate: { low: 6, moderate: 0, high: 4, critical: 12 },
  high: { low: 24, moderate: 12, high: 0, critical: 6 },
  critical: { low: 60, moderate: 32, high: 16, critical: 0 }
}

/** An answer that one of the labellers also considered costs half. */
const costOf = ({ label, level, second }: AnsweredCall): number =>
  costs[label][level] / (second.includes(level) ? 2 : 1)

const confusionOf = (calls: ReadonlyArray<AnsweredCall>): LevelMatrix =>
  levelMatrix((label, level) => calls.filter((call) => call.label === label && call.level === level).length)

/** `infra` for `infra-012`. Null for an id that does not end in a number. */
const prefixOf = ({ id }: AnsweredCall): string | null =>
  /^(.*[^\d\s./:_-])[\s./:_-]*\d+$/.exec(id)?.[1] ?? null

const groupsBy = (
  calls: ReadonlyArray<AnsweredCall>,
  pairs: ReadonlyArray<CallPair>,
  nameOf: (call: AnsweredCall) => string | null
): ReadonlyArray<CallGroup> => {
  const within = Map.groupBy(pairs, ([riskier, lessRisky]) => {
    const name = nameOf(riskier)
    return name === nameOf(lessRisky) ? name : null
  })
  return [...Map.groupBy(calls, nameOf)]
    .flatMap(([name, own]) =>
      name === null
        ? []
        : [
            {
              name,
              calls: own.length,
              measures: measureAgreement({ calls: own, pairs: within.get(name) ?? [] })
            }
          ]
    )
    .toSorted((a, b) => byCodeUnit(a.name, b.name))
}

/** `pairs`: pairs of ids, both of which belong to a call. The first call must score higher. */
export const agreementOf = (
  rulebook: Rulebook,
  labelled: ReadonlyArray<LabelledCall>,
  pairs: ReadonlyArray<readonly [string, string]>
): Agreement => {
  const calls = labelled.map((call) => answerCall(rulebook, call))
  const byId = new Map(calls.map((call) => [call.id, call]))
  const callPairs = pairs.flatMap(([riskier, lessRisky]): ReadonlyArray<CallPair> => {
    const [first, second] = [byId.get(riskier), byId.get(lessRisky)]
    return first === undefined || second === undefined ? [] : [[first, second]]
  })
  const { name, version } = rulebook.policies.policySet
  return { rules: rulebook.label, policies: `${name}@${version}`, ...compareAnswers(calls, callPairs) }
}

export const compareAnswers = (
  calls: ReadonlyArray<AnsweredCall>,
  pairs: ReadonlyArray<CallPair>
): Omit<Agreement, "rules" | "policies"> => {
  const disagreements = calls
    .filter(({ label, level }) => label !== level)
    .map((call): Disagreement => ({ ...call, cost: costOf(call) }))
    .toSorted((a, b) => b.cost - a.cost)
  const lead = ([riskier, lessRisky]: CallPair): number => riskier.score - lessRisky.score
  return {
    calls: calls.length,
    measures: measureAgreement({ calls, pairs }),
    confusion: confusionOf(calls),
    cost: disagreements.reduce((sum, { cost }) => sum + cost, 0),
    disagreements,
    misordered: pairs.filter((pair) => lead(pair) <= 0).toSorted((a, b) => lead(a) - lead(b)),
    byCompleteness: groupsBy(calls, pairs, ({ completeness }) => completeness),
    byPrefix: groupsBy(calls, pairs, prefixOf)
  }
}
