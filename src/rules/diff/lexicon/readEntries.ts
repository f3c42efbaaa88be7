/** The changed entries of one lexicon file, each by how the same names are read before and after. */

import type { Lexicon } from "../../../scoring/Lexicon.ts"
import { readWords, type Words } from "../../../scoring/Words.ts"
import { changedPaths } from "../changedPaths.ts"
import { type Direction, either, moves, risingWith, still, together } from "../Direction.ts"
import { describeReading } from "./describeReading.ts"
import { type Mention, mentionsOf, type Named } from "./mentionsOf.ts"

export interface Entry {
  /** `audit_log.disable: configure, was write` */
  readonly says: string
  readonly direction: Direction
  /** Names that are read otherwise. */
  readonly examples: ReadonlyArray<Named>
}

interface Lexicons {
  readonly from: Lexicon
  readonly to: Lexicon
}

/** What is assumed of a name rises along this row: one thing, not said, many. */
const extents = ["single", "open", "bulk"] as const

const directionOf = (from: Words, to: Words): Direction => {
  const [a, b] = [from.normalized, to.normalized]
  const flags = [
    [a.dataStore, b.dataStore],
    [a.admin, b.admin],
    [a.credential, b.credential],
    [a.alsoExports, b.alsoExports],
    [from.namesEverything, to.namesEverything],
    [from.environment === "production", to.environment === "production"]
  ] as const
  return together([
    // A riskier verb is not riskier in everything: each class has rules and references of its own.
    a.class === b.class ? still : either,
    risingWith(extents.indexOf(a.extent), extents.indexOf(b.extent)),
    risingWith(a.safeguardWeakened, b.safeguardWeakened),
    ...flags.map(([before, after]) => risingWith(Number(before), Number(after)))
  ])
}

const nameOf = ({ actionType, targetResource, targetSystem }: Named): string => {
  const target = targetResource ?? targetSystem
  return target === undefined ? actionType : `${actionType} on ${target}`
}

const entryOf = ({ examples, fate, means, title, unseen }: Mention, lexicons: Lexicons): Entry => {
  const readings = examples.map((named) => {
    const action = { ...named, environment: "development" } as const
    const [from, to] = [readWords(action, lexicons.from), readWords(action, lexicons.to)]
    return { named, from, to, direction: directionOf(from, to) }
  })
  const moving = readings.filter(({ direction }) => moves(direction))
  const [first] = moving
  return {
    says:
      first === undefined
        ? `${title} ${fate}`
        : `${nameOf(first.named)}: ${describeReading(first.to)}, was ${describeReading(first.from)}`,
    direction: means ?? (first === undefined ? unseen : together(moving.map(({ direction }) => direction))),
    examples: moving.map(({ named }) => named)
  }
}

/** Each once, although an entry may have changed in several places. */
export const readEntries = (from: unknown, to: unknown, lexicons: Lexicons): ReadonlyArray<Entry> => {
  const byWords = new Map<string, Entry>()
  for (const mention of mentionsOf(changedPaths(from, to), from, to)) {
    const entry = entryOf(mention, lexicons)
    if (!byWords.has(entry.says)) byWords.set(entry.says, entry)
  }
  return [...byWords.values()]
}
