/** What a reviewer reads of two rulebooks: every change by what it does to scores, with a request that shows it. */

import type { Box } from "../analysis/Box.ts"
import type { Situation } from "../cases.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { Eyes } from "../witness/look.ts"
import type { Witness } from "../witness/Witness.ts"

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
export interface Sight {
  readonly eyes: Eyes
  readonly from: Rulebook
  readonly to: Rulebook
  /** Situations to look among first, those that read best first. */
  readonly lifelike: ReadonlyArray<Situation>
}

/** How the witness of a change can be found. */
export interface ChangeSearch {
  /** What it is to show, most telling first. */
  readonly shows: (sight: Sight) => ReadonlyArray<(situation: Situation) => boolean>
  readonly known: (sight: Sight) => Iterable<Situation>
  /** Facts among which the change lies, where rules say so. */
  readonly boxes: () => Iterable<Box>
}

/** A change before a witness is looked for; null where there is nothing that a request could show. */
export interface Unwitnessed extends Omit<Change, "witness"> {
  readonly search: ChangeSearch | null
}
