/** Two releases that are not both of the second edition: their numbers and their words, each as one change with requests that show it. */

import { isDeepStrictEqual } from "node:util"
import type { Rulebook } from "../Rulebook.ts"
import type { Situation } from "../cases/Situation.ts"
import type { SourceFile } from "../files/readTree.ts"
import { type ChangeSearch, type ChangeToShow, gapOf, showsScoreMove, type WitnessContext } from "./Diff.ts"

const lexiconFilesOf = ({ release }: Rulebook): ReadonlyArray<readonly [name: string, json: unknown]> =>
  release.files.lexicon.map(({ file, json }) => [file, json])

const whyNot = (from: Rulebook, to: Rulebook, what: string): string => {
  const [before, after] = [from.release.edition.number, to.release.edition.number]
  return before === after
    ? `${what} of the first edition of the model are kept for replays and no longer compared one by one`
    : `the edition of the model changes from ${before} to ${after}, and ${what} of different editions mean different things, so they are not compared one by one`
}

/** Whether both editions read the call as an act of one class. */
export const isReadAlike =
  ({ from, scorer, to }: Pick<WitnessContext, "from" | "scorer" | "to">) =>
  (situation: Situation): boolean =>
    scorer(from, situation).class === scorer(to, situation).class

/** Calls that both read alike show the numbers, others the words. The widest move comes first. */
const searchCalls = (readAlike: boolean): ChangeSearch => ({
  shows: (context, towards) => {
    const alike = isReadAlike(context)
    return showsScoreMove(context, towards).map(
      (moves) => (situation) => alike(situation) === readAlike && moves(situation)
    )
  },
  known: (context, towards) => {
    const gap = gapOf(context)
    const sign = towards === "lower" ? 1 : -1
    return context.samples.toSorted((a, b) => sign * (gap(a) - gap(b)))
  },
  boxes: () => []
})

const changeOf = (code: "lexicon" | "ruleset", file: SourceFile["file"], summary: string): ChangeToShow => ({
  code,
  kind: "moved",
  file,
  summary,
  details: [],
  search: searchCalls(code === "ruleset")
})

export const diffEditions = (from: Rulebook, to: Rulebook): ReadonlyArray<ChangeToShow> => {
  const { lexicon, ruleset } = to.release.files
  const sameNumbers = isDeepStrictEqual(from.release.files.ruleset.json, ruleset.json)
  const sameWords = isDeepStrictEqual(lexiconFilesOf(from), lexiconFilesOf(to))
  return [
    ...(sameNumbers ? [] : [changeOf("ruleset", ruleset.file, whyNot(from, to, "numbers"))]),
    ...(sameWords ? [] : [changeOf("lexicon", lexicon[0]?.file ?? ruleset.file, whyNot(from, to, "words"))])
  ]
}
