/** The result of comparing two rulebooks: every change with its kind, its direction and a request that demonstrates it. */

import type { RulebookPair } from "../Rulebook.ts"
import { isFall, isRise, moveBetween, type OpinionMove } from "../ScoreAndControl.ts"
import type { Box } from "../analysis/Box.ts"
import type { Situation } from "../cases/Situation.ts"
import { scoreIn, type Witness } from "../counterexample/findWitness.ts"

/**
 * - `stricter`, `looser`: over all possible requests, the change only raises, or only lowers, what the rules find.
 * - `moved`: it raises some requests and lowers others.
 * - `text`: it changes wording, recommendations or owners, which affect no score and no control.
 */
export const changeKinds = ["looser", "moved", "stricter", "text"] as const
export type ChangeKind = (typeof changeKinds)[number]

export interface Change {
  /**
   * The code of a factor, the name of a typology, the id of a policy rule; `ruleset.<path>`, `currencies.<code>`, `catalogue.<entry>`;
   * `lexicon` for its files, and `knowledge.<kind>` for how calls are affected. The kind of the last three depends on the requests that
   * were tried.
   */
  readonly code: string
  readonly kind: ChangeKind
  /** The file that contains the change. */
  readonly file: string
  /** One sentence in plain words: `high from 1,000 entities, was 500`. */
  readonly summary: string
  /** Each changed value on one line, before and after. */
  readonly details: ReadonlyArray<string>
  /** Absent for `text`, and if no request was found that demonstrates the change. For `moved`, one that falls if there is one. */
  readonly witness?: Witness
  /** Only for `moved`: a second request, which scores higher or gets a stronger control. */
  readonly risingWitness?: Witness
}

export interface Diff {
  /** The labels of the rulebooks. */
  readonly from: string
  readonly to: string
  /** Ascending by code. */
  readonly changes: ReadonlyArray<Change>
}

/** The inputs of a search for a witness. */
export interface WitnessContext extends RulebookPair {
  /** Situations to try first. Most readable ones first. */
  readonly samples: ReadonlyArray<Situation>
}

/** The direction in which a witness should move. */
export type Towards = "lower" | "higher"

/** How to search for the witnesses of a change. */
export interface ChangeSearch {
  /** Tests for a situation that demonstrates the change, most convincing first. */
  readonly shows: (
    context: WitnessContext,
    towards: Towards
  ) => ReadonlyArray<(situation: Situation) => boolean>
  readonly known: (context: WitnessContext, towards: Towards) => Iterable<Situation>
  /** Facts for which the change can matter. Empty if the rules do not determine them. */
  readonly boxes: (towards: Towards) => Iterable<Box>
}

/** A change before the search for its witness. `search` is null if no request can demonstrate the change. */
export interface ChangeToShow extends Omit<Change, "witness" | "risingWitness"> {
  readonly search: ChangeSearch | null
}

/** Whether a change can raise a score or strengthen a control, and whether it can do the reverse. */
export interface Direction {
  readonly rises: boolean
  readonly falls: boolean
}

export const noMove: Direction = { rises: false, falls: false }
export const bothWays: Direction = { rises: true, falls: true }

export const canMove = ({ falls, rises }: Direction): boolean => rises || falls

/** The direction of a number for which higher is riskier. */
export const risesWith = (from: number, to: number): Direction => ({ rises: to > from, falls: to < from })

/** The direction of a number for which lower is riskier. */
export const fallsWith = (from: number, to: number): Direction => risesWith(to, from)

export const unionOfDirections = (directions: ReadonlyArray<Direction>): Direction => ({
  rises: directions.some(({ rises }) => rises),
  falls: directions.some(({ falls }) => falls)
})

export const changeKindOf = (rises: boolean, falls: boolean): ChangeKind =>
  rises ? (falls ? "moved" : "stricter") : falls ? "looser" : "text"

/** By how much a situation moves. */
export const moveIn =
  ({ from, to }: RulebookPair) =>
  (situation: Situation): OpinionMove =>
    moveBetween(scoreIn(from, situation), scoreIn(to, situation))

/** Whether the score moves in this direction. */
export const movesScore = ({ points }: OpinionMove, towards: Towards): boolean =>
  towards === "lower" ? points < 0 : points > 0
export const moves = (move: OpinionMove, towards: Towards): boolean =>
  towards === "lower" ? isFall(move) : isRise(move)

/**
 * Tests for the witness of a changed number, rate or word: the score moves, or otherwise the control, the level, the confidence, or the
 * text of the opinion.
 */
export const showsScoreMove: ChangeSearch["shows"] = (context, towards) => {
  const { from, to } = context
  const move = moveIn(context)
  return [
    (situation) => movesScore(move(situation), towards),
    (situation) => moves(move(situation), towards),
    (situation) => move(situation).points !== 0,
    (situation) => scoreIn(to, situation).level !== scoreIn(from, situation).level,
    (situation) => scoreIn(to, situation).confidencePercent !== scoreIn(from, situation).confidencePercent,
    (situation) => scoreIn(to, situation).told !== scoreIn(from, situation).told
  ]
}
