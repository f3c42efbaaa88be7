/** Two rulebooks side by side, ready to score one record after the other under both. */

import { isDeepStrictEqual } from "node:util"
import { backtestUnreadableShown } from "../../Limits.ts"
import { gistOf } from "../../scoring/gist.ts"
import { readBlock } from "../history/readBlock.ts"
import type { Recorded } from "../history/Recorded.ts"
import type { Block } from "../history/wholeLines.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { PolicyBook } from "./PolicyBook.ts"
import { rememberedWords } from "../rememberedWords.ts"
import { countRecord, emptyTally, entry, type Tally } from "./Tally.ts"

/** Counts a block of a history; equal blocks give equal tallies wherever they are counted. */
export type Comparison = (block: Block) => Tally

const lexiconOf = ({ release }: Rulebook) => release.files.lexicon.map(({ json, name }) => ({ name, json }))

export const compare = (from: Rulebook, to: Rulebook, policiesOf: PolicyBook): Comparison => {
  const one = from.release.model
  const other = to.release.model
  // The words of an action are a third of the work, and under one lexicon they say the same twice.
  const oneLexicon = isDeepStrictEqual(lexiconOf(from), lexiconOf(to))

  const wordsOf = rememberedWords(one.lexicon)
  const otherWordsOf = oneLexicon ? wordsOf : rememberedWords(other.lexicon)

  const compareRecord = (tally: Tally, recorded: Recorded, line: number): void => {
    const { action, assessmentId, behavior, policyVersion, request } = recorded
    const policies = policiesOf(policyVersion)
    countRecord(tally, {
      line,
      assessmentId,
      request,
      from: gistOf(action, behavior, one, policies.from, wordsOf(action)),
      to: gistOf(action, behavior, other, policies.to, otherWordsOf(action))
    })
    entry(tally.policies, policies.use.recorded, () => ({ use: policies.use, records: 0 })).records++
  }

  return (block) => {
    const tally = emptyTally()
    readBlock(block, {
      record: (recorded, line) => compareRecord(tally, recorded, line),
      unreadable: (message, line) => {
        tally.all.unreadable++
        if (tally.unreadable.length < backtestUnreadableShown) tally.unreadable.push({ line, message })
      }
    })
    return tally
  }
}
