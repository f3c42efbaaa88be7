/** The cases that can kill a mutant, each heard once without any change. */

import type { Facts } from "../../scoring/Facts.ts"
import type { Case } from "../cases/Case.ts"
import { type ReadyCase, ready, tryCase } from "../cases/tryCase.ts"
import { saysOf } from "./difference.ts"
import type { Mutant } from "./mutateLadder.ts"
import { type Scoring, scoringWith } from "./scoringWith.ts"

export interface Killer extends ReadyCase {
  /** Everything that the score asks the rules on the way to its opinion, without any change. */
  readonly asked: ReadonlyArray<Facts>
}

export interface Killers {
  readonly killers: ReadonlyArray<Killer>
  /** Cases that fail without any change and so can tell nothing. */
  readonly failing: number
}

export const readyKillers = (cases: ReadonlyArray<Case>, { model, policySet }: Scoring): Killers => {
  const tried = cases.map((one) => {
    const case_ = ready(one, model)
    const { hearings, passed } = tryCase(case_, model, policySet)
    return { ...case_, passed, asked: hearings.flatMap(({ asked }) => asked) }
  })
  const killers = tried.filter(({ passed }) => passed)
  return { killers, failing: tried.length - killers.length }
}

/**
 * Invariant: a score is a function of the answers to its questions. Where a mutant answers every question of a case as the
 * file does, the score is the same, and the case need not be heard again.
 */
const couldTell = ({ asked }: Killer, { changed, original }: Mutant): boolean =>
  asked.some((facts) => saysOf(changed, facts) !== saysOf(original, facts))

/** The first of the cases that fails with the change. */
export const findKiller = (
  mutant: Mutant,
  killers: ReadonlyArray<Killer>,
  scoring: Scoring
): Killer | undefined => {
  const { model, policySet } = scoringWith(scoring, mutant.changed)
  return killers.find((killer) => couldTell(killer, mutant) && !tryCase(killer, model, policySet).passed)
}
