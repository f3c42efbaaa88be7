/** What a reviewer reads about two rulebooks: every change with its kind, its direction and a request that shows it. */

import type { Rulebook } from "../Rulebook.ts"
import type { Box } from "../analysis/Box.ts"
import type { Situation } from "../cases/Situation.ts"
import type { SituationScorer, Witness } from "../counterexample/findWitness.ts"

/**
 * - `stricter`, `looser`: over everything that can be asked the change only raises, or only lowers, what rules find.
 * - `moved`: some of both.
 * - `text`: words, recommendations, owners: nothing that a score is made of.
 */
export const changeKinds = ["looser", "moved", "stricter", "text"] as const
export type ChangeKind = (typeof changeKinds)[number]

export interface Change {
  /** A factor's code, a typology's name, a policy rule's id; `ruleset.<path>`, `currencies.<code>`, `lexicon.<file>` for the rest. */
  readonly code: string
  readonly kind: ChangeKind
  /** The file that a reviewer opens. */
  readonly file: string
  /** One sentence in plain words: `high from 1,000 entities, was 500`. */
  readonly summary: string
  /** What changed, one line each, before and after. */
  readonly details: ReadonlyArray<string>
  /** Absent for `text`, and where no request was found that shows the change. */
  readonly witness?: Witness
}

export interface Diff {
  /** The labels of the rulebooks. */
  readonly from: string
  readonly to: string
  /** Ascending by code. */
  readonly changes: ReadonlyArray<Change>
}

/** What a search for a witness sees with. */
export interface WitnessContext {
  readonly eyes: SituationScorer
  readonly from: Rulebook
  readonly to: Rulebook
  /** Situations to look among first, those that read best first. */
  readonly lifelike: ReadonlyArray<Situation>
}

/** How the witness of a change can be found. */
export interface ChangeSearch {
  /** What it is to show, most telling first. */
  readonly shows: (sight: WitnessContext) => ReadonlyArray<(situation: Situation) => boolean>
  readonly known: (sight: WitnessContext) => Iterable<Situation>
  /** Facts among which the change lies, where rules say so. */
  readonly boxes: () => Iterable<Box>
}

/** A change before a witness is looked for; null where there is nothing that a request could show. */
export interface ChangeToShow extends Omit<Change, "witness"> {
  readonly search: ChangeSearch | null
}

/** Which ways a change can move a score. */
export interface Direction {
  readonly rises: boolean
  readonly falls: boolean
}

export const noMove: Direction = { rises: false, falls: false }
export const bothWays: Direction = { rises: true, falls: true }

export const canMove = ({ falls, rises }: Direction): boolean => rises || falls

/** By two figures of which more is riskier. */
export const risesWith = (from: number, to: number): Direction => ({ rises: to > from, falls: to < from })

export const fallsWith = (from: number, to: number): Direction => risesWith(to, from)

export const unionOfDirections = (directions: ReadonlyArray<Direction>): Direction => ({
  rises: directions.some(({ rises }) => rises),
  falls: directions.some(({ falls }) => falls)
})

/** What a change is called by which ways it moves what rules find. */
export const changeKindOf = (rises: boolean, falls: boolean): ChangeKind =>
  rises ? (falls ? "moved" : "stricter") : falls ? "looser" : "text"

/**
 * What the witness of a number, a rate or a word is to show: the score moving, else its level, else its confidence.
 * A fall comes first: it is what a reviewer has to see.
 */
export const showsScoreMove =
  ({ falls }: Direction): ChangeSearch["shows"] =>
  ({ eyes, from, to }) => {
    const gap = (situation: Situation) => eyes(to, situation).score - eyes(from, situation).score
    return [
      (situation) => (falls ? gap(situation) < 0 : gap(situation) > 0),
      (situation) => gap(situation) !== 0,
      (situation) => eyes(to, situation).level !== eyes(from, situation).level,
      (situation) => eyes(to, situation).confidencePercent !== eyes(from, situation).confidencePercent
    ]
  }
