/** The two sides of a backtest by name, and how they score one block of a history. Each worker opens the sides for itself. */

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
  /**
   * - `rules`: two releases. With `policies`, every record is scored with that set instead of the recorded one.
   * - `policies`: two versions of a set on the newest release.
   */
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
  readonly countBlock: BlockCounter
}

export const openBacktestSides = ({ from, of, root, to }: BacktestSides): Read<OpenBacktest> =>
  Result.gen(function* () {
    const open = (version: string) =>
      of.kind === "rules" ? openRulebook(root, version) : openPolicyRulebook(root, of.set, version)
    const before = yield* open(from)
    const after = yield* open(to)
    const given = of.kind === "rules" && of.policies !== null ? loadPolicySet(root, of.policies) : null
    const policiesOf =
      of.kind === "policies"
        ? fixedPolicies(before.policies.policySet, after.policies.policySet)
        : given === null
          ? recordedPolicies(root)
          : fixedPolicies(given.policySet, given.policySet)
    return { from: before.label, to: after.label, countBlock: blockCounter(before, after, policiesOf) }
  })

/** Scores each record of a block under both rulebooks. Equal blocks give equal tallies in every worker. */
type BlockCounter = (block: LineBlock) => Tally

const lexiconOf = ({ release }: Rulebook) => release.files.lexicon.map(({ json, name }) => ({ name, json }))

const blockCounter = (from: Rulebook, to: Rulebook, policiesOf: PolicyLookup): BlockCounter => {
  const [before, after] = [from.release.model, to.release.model]
  // Reading the words of an action is a third of the work. Equal lexicons read them once for both rulebooks.
  const sameLexicon = isDeepStrictEqual(lexiconOf(from), lexiconOf(to))
  const wordsBefore = memoizedWords(before.lexicon)
  const wordsAfter = sameLexicon ? wordsBefore : memoizedWords(after.lexicon)

  const compareRecord = (tally: Tally, recorded: RecordedAssessment, line: number): void => {
    const { action, assessmentId, behavior, policyVersion, request } = recorded
    const policies = policiesOf(policyVersion)
    countRecord(tally, {
      line,
      assessmentId,
      request,
      from: scoreSummary(action, behavior, before, policies.from, wordsBefore(action)),
      to: scoreSummary(action, behavior, after, policies.to, wordsAfter(action))
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
