/** Two releases of different editions: which sample requests score lower under the second, and what each of them falls by. */

import type { Rulebook } from "../Rulebook.ts"
import type { Situation } from "../cases/Situation.ts"
import {
  findWitness,
  memoizedScorer,
  type SituationScorer,
  type Witness
} from "../counterexample/findWitness.ts"
import { gapOf } from "../diff/Diff.ts"
import { isReadAlike } from "../diff/diffEditions.ts"
import { changesBetween } from "../diff/diffRulebooks.ts"
import { saysLess, withRuleGroup } from "../diff/diffRuleGroups.ts"

/** Requests that fall by one change. */
export interface Fall {
  /** `lexicon`: the words are read as another act. A code: that factor or rule alone says less. `ruleset`: all else. */
  readonly code: string
  readonly requests: number
  /** The request that falls most. */
  readonly witness: Witness
}

/** The codes of the factors, typologies and policy rules that got looser for some facts. */
const looserRules = (from: Rulebook, to: Rulebook): ReadonlyArray<string> =>
  changesBetween(from, to)
    .filter(({ code, kind }) => (kind === "looser" || kind === "moved") && !wholes.has(code))
    .map(({ code }) => code)

const wholes: ReadonlySet<string> = new Set(["lexicon", "ruleset"])

interface Attribution {
  readonly code: string
  /** The first rulebook with this one rule as it is now. */
  readonly alone: Rulebook
  /** The second rulebook with this one rule as it was. */
  readonly without: Rulebook
}

const attributions = (from: Rulebook, to: Rulebook): ReadonlyArray<Attribution> =>
  looserRules(from, to).map((code) => ({
    code,
    alone: withRuleGroup(from, to, code),
    without: withRuleGroup(to, from, code)
  }))

/** Most requests first; of as many, in the order of the codes. */
export const fallsBetween = (
  from: Rulebook,
  to: Rulebook,
  situations: ReadonlyArray<Situation>
): ReadonlyArray<Fall> => {
  const scorer = memoizedScorer()
  const context = { from, to, scorer }
  const gap = gapOf(context)
  const alike = isReadAlike(context)
  const rules = attributions(from, to)
  const codeOf = (situation: Situation): string => {
    if (!alike(situation)) return "lexicon"
    const [before, after] = [scorer(from, situation), scorer(to, situation)]
    // Hazards are tuned together with the numbers, so a rule that only has a lower hazard is not a separate reason.
    const reason = rules.find(
      ({ alone, code, without }) =>
        saysLess(before.matches, after.matches, code) &&
        scorer(alone, situation).score < before.score &&
        scorer(without, situation).score >= before.score
    )
    return reason?.code ?? "ruleset"
  }
  const fallen = situations.filter((situation) => gap(situation) < 0)
  return [...Map.groupBy(fallen, codeOf)]
    .flatMap(([code, own]): ReadonlyArray<Fall> => {
      const witness = widestFall(own, context, (situation) => codeOf(situation) === code)
      return witness === undefined ? [] : [{ code, requests: own.length, witness }]
    })
    .toSorted((a, b) => b.requests - a.requests || (a.code < b.code ? -1 : 1))
}

const widestFall = (
  fallen: ReadonlyArray<Situation>,
  context: { readonly from: Rulebook; readonly to: Rulebook; readonly scorer: SituationScorer },
  isOfKind: (situation: Situation) => boolean
): Witness | undefined => {
  const gap = gapOf(context)
  return findWitness(context, context.scorer, {
    wanted: [(situation) => gap(situation) < 0 && isOfKind(situation)],
    known: fallen.toSorted((a, b) => gap(a) - gap(b)),
    boxes: () => []
  })
}
