/** The two sides of a backtest by name, and how they score one block of a history; each worker opens them for itself. */

import { Result } from "effect"
import { isDeepStrictEqual } from "node:util"
import { backtestUnreadableShown } from "../../limits.ts"
import { scoreSummary } from "../../scoring/scoreSummary.ts"
import type { Read } from "../Finding.ts"
import { openPolicyRulebook, openRulebook, type Rulebook } from "../Rulebook.ts"
import type { Root } from "../files/readTree.ts"
import { readBlock, type RecordedAssessment } from "../history/readBlock.ts"
import type { LineBlock } from "../history/wholeLines.ts"
import { memoizedWords } from "../memoizedWords.ts"
import { loadPolicySet } from "../policies/loadPolicySet.ts"
import { countRecord, emptyTally, getOrCreate, type Tally } from "./Tally.ts"
import { fixedPolicies, type PolicyLookup, recordedPolicies } from "./recordedPolicies.ts"

export interface BacktestSides {
  readonly root: Root
  /** - `rules`: two releases; with `policies`, every record is scored with that set instead of the recorded one.
   *  - `policies`: two versions of a set on the newest release. */
  readonly of:
    | { readonly kind: "rules"; readonly policies: string | null }
    | { readonly kind: "policies"; readonly set: string }
  readonly from: string
  readonly to: string
}

export interface OpenBacktest {
  /** The labels of the two rulebooks. */
  readonly from: string
  readonly to: string
  readonly comparison: BlockCounter
}

export const openBacktestSides = ({ from, of, root, to }: BacktestSides): Read<OpenBacktest> =>
  Result.gen(function* () {
    const open = (version: string) =>
      of.kind === "rules" ? openRulebook(root, version) : openPolicyRulebook(root, of.set, version)
    const one = yield* open(from)
    const other = yield* open(to)
    const given = of.kind === "rules" && of.policies !== null ? loadPolicySet(root, of.policies) : null
    const policiesOf =
      of.kind === "policies"
        ? fixedPolicies(one.policies.policySet, other.policies.policySet)
        : given === null
          ? recordedPolicies(root)
          : fixedPolicies(given.policySet, given.policySet)
    return { from: one.label, to: other.label, comparison: blockCounter(one, other, policiesOf) }
  })

/**
 * Two rulebooks side by side, ready to score one record after the other under both.
 * Counts a block of a history; equal blocks give equal tallies wherever they are counted.
 */
type BlockCounter = (block: LineBlock) => Tally

const lexiconOf = ({ release }: Rulebook) => release.files.lexicon.map(({ json, name }) => ({ name, json }))

const blockCounter = (from: Rulebook, to: Rulebook, policiesOf: PolicyLookup): BlockCounter => {
  const one = from.release.model
  const other = to.release.model
  // The words of an action are a third of the work, and under one lexicon they say the same twice.
  const oneLexicon = isDeepStrictEqual(lexiconOf(from), lexiconOf(to))

  const wordsOf = memoizedWords(one.lexicon)
  const otherWordsOf = oneLexicon ? wordsOf : memoizedWords(other.lexicon)

  const compareRecord = (tally: Tally, recorded: RecordedAssessment, line: number): void => {
    const { action, assessmentId, behavior, policyVersion, request } = recorded
    const policies = policiesOf(policyVersion)
    countRecord(tally, {
      line,
      assessmentId,
      request,
      from: scoreSummary(action, behavior, one, policies.from, wordsOf(action)),
      to: scoreSummary(action, behavior, other, policies.to, otherWordsOf(action))
    })
    getOrCreate(tally.policies, policies.use.recorded, () => ({ use: policies.use, records: 0 })).records++
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
