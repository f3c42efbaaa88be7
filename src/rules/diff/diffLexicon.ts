/** What a lexicon reads otherwise than before, one change for each of its files. */

import { isDeepStrictEqual } from "node:util"
import { byCodeUnit } from "../byCodeUnit.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { SourceFile } from "../SourceFile.ts"
import type { Unwitnessed } from "./Diff.ts"
import { moves, together } from "./Direction.ts"
import { kindOf } from "./kindOf.ts"
import { type Entry, readEntries } from "./lexicon/readEntries.ts"
import { probesOf } from "./probes.ts"
import { scoreMoves } from "./scoreMoves.ts"

const saidMax = 3
const probedMax = 60

const byName = (sources: ReadonlyArray<SourceFile>): ReadonlyMap<string, SourceFile> =>
  new Map(sources.map((source) => [source.name, source]))

/** The first few, and how many more there are. */
const summaryOf = (entries: ReadonlyArray<Entry>): string => {
  const more = entries.length - saidMax
  const rest = more > 0 ? [`and ${more} more`] : []
  return [...entries.slice(0, saidMax).map(({ says }) => says), ...rest].join("; ")
}

const changeOf = (
  name: string,
  before: SourceFile | undefined,
  after: SourceFile | undefined,
  books: { readonly from: Rulebook; readonly to: Rulebook }
): Unwitnessed => {
  const lexicons = { from: books.from.release.model.lexicon, to: books.to.release.model.lexicon }
  const entries = readEntries(before?.json ?? {}, after?.json ?? {}, lexicons)
  const direction = together(entries.map((entry) => entry.direction))
  const moving = entries.filter((entry) => moves(entry.direction))
  const probes = moving.slice(0, probedMax).flatMap(({ examples }) => examples)
  const search = {
    shows: scoreMoves(direction),
    known: () => probesOf(probes),
    boxes: () => []
  }
  return {
    code: `lexicon.${name}`,
    kind: kindOf(direction.rises, direction.falls),
    file: (after ?? before)?.file ?? `rules/lexicon/${name}.json`,
    summary: summaryOf(moving.length > 0 ? moving : entries),
    details: entries.map(({ says }) => says),
    search: moving.length === 0 ? null : search
  }
}

export const diffLexicon = (from: Rulebook, to: Rulebook): ReadonlyArray<Unwitnessed> => {
  const [before, after] = [byName(from.release.files.lexicon), byName(to.release.files.lexicon)]
  return [...new Set([...before.keys(), ...after.keys()])]
    .toSorted(byCodeUnit)
    .filter((name) => !isDeepStrictEqual(before.get(name)?.json, after.get(name)?.json))
    .map((name) => changeOf(name, before.get(name), after.get(name), { from, to }))
}
