/** Tells whether data leaves by a verb that a riskier one hides: `export_and_delete` deletes, and first it exports. */

import { classRank } from "../lexicon/classRank.ts"
import { type FoundVerb, holds } from "./findVerbs.ts"
import type { WordList } from "./WordList.ts"

const exportRank = classRank("export")
const executeRank = classRank("execute")

/** `delete_export` removes one and `run_export` makes one: a noun is a doing only where it is joined to another, or run. */
const isDone = ({ verb }: FoundVerb, chosen: FoundVerb, list: WordList): boolean =>
  !verb.noun || list.conjoined || chosen.rank === executeRank

/** Each verb's phrases are tried once, however often the verb is repeated. */
const saidByPhrase = (found: ReadonlyArray<FoundVerb>, list: WordList): boolean =>
  [...new Set(found.map(({ verb }) => verb))].some(({ phrases }) =>
    phrases.some((phrase) => phrase.rank === exportRank && holds(phrase, list))
  )

export const alsoExports = (
  found: ReadonlyArray<FoundVerb>,
  chosen: FoundVerb | undefined,
  list: WordList
): boolean =>
  chosen !== undefined &&
  chosen.rank < exportRank &&
  (found.some((one) => one !== chosen && one.verb.rank === exportRank && isDone(one, chosen, list)) ||
    saidByPhrase(found, list))
