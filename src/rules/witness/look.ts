/** What a rulebook makes of a situation: the reported action risk and everything that matched. */

import type { Matches } from "../../scoring/Evaluation.ts"
import type { ActionRiskLevel } from "../../domain/Level.ts"
import { converse } from "../../scoring/Deliberation.ts"
import { actionRiskLevelOf } from "../../scoring/level.ts"
import { settle } from "../../scoring/settle.ts"
import { openCase } from "../../scoring/weigh.ts"
import { type Situation, snapshotOf } from "../cases.ts"
import type { Rulebook } from "../Rulebook.ts"

export interface Look {
  readonly score: number
  readonly level: ActionRiskLevel
  readonly confidencePercent: number
  readonly matches: Matches
}

const look = ({ policies, release: { model } }: Rulebook, situation: Situation): Look => {
  const it = openCase(situation.request, snapshotOf(situation, model), model)
  const { confidencePercent, score, weighed } = converse(settle(it), (facts) => ({
    rules: model.match(facts),
    policies: policies.policySet.match(facts)
  }))
  return {
    score,
    level: actionRiskLevelOf(score, model.numbers),
    confidencePercent,
    matches: weighed.matches
  }
}

/** Looks at each situation once under each rulebook, however often it is asked. */
export type Eyes = (book: Rulebook, situation: Situation) => Look

export const openEyes = (): Eyes => {
  const seen = new WeakMap<Rulebook, WeakMap<Situation, Look>>()
  return (book, situation) => {
    const looks = seen.get(book) ?? new WeakMap<Situation, Look>()
    seen.set(book, looks)
    const known = looks.get(situation) ?? look(book, situation)
    looks.set(situation, known)
    return known
  }
}
