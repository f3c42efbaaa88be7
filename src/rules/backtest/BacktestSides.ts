/** Names the two sides of a backtest, and scores one block of a history under both. Each worker opens the sides itself. */

import { Result } from "effect"
import { isDeepStrictEqual } from "node:util"
import { backtestUnreadableShown } from "../../limits.ts"
import type { PolicySet } from "../../scoring/Model.ts"
import { scoreSummary } from "../../scoring/scoreSummary.ts"
import { policyVersionOf, readPolicyVersion } from "../../domain/versionNames.ts"
import type { Read } from "../Finding.ts"
import { openPolicyRulebook, openRulebook, type Rulebook } from "../Rulebook.ts"
import type { Root } from "../files/readTree.ts"
import { readBlock, type RecordedAssessment } from "../history/readBlock.ts"
import { findRecordedPolicies, memoizeByName } from "../history/recordedRules.ts"
import type { LineBlock } from "../history/wholeLines.ts"
import { memoizedReadings } from "../memoize.ts"
import { listPolicySets, loadPolicySet } from "../policies/loadPolicySet.ts"
import type { PolicyUse } from "./Backtest.ts"
import { countRecord, emptyTally, getOrCreate, type Tally } from "./Tally.ts"

export interface BacktestSides {
  readonly root: Root
  /**
   * - `rules`: two releases. With `policies`, every record is scored with that set instead of the recorded one.
   * - `policies`: two versions of a set with the newest release.
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

/** Scores each record of a block under both rulebooks. Every worker gives the same tally for a block. */
type BlockCounter = (block: LineBlock) => Tally

const lexiconOf = ({ release }: Rulebook) => release.files.lexicon.map(({ json, name }) => ({ name, json }))

const blockCounter = (from: Rulebook, to: Rulebook, policiesOf: PolicyLookup): BlockCounter => {
  const [before, after] = [from.release.model, to.release.model]
  // Reading the words of an action is a third of the work, so rulebooks with equal lexicons share the readings.
  const readAlike = isDeepStrictEqual(lexiconOf(from), lexiconOf(to))
  const readBefore = memoizedReadings(before)
  const readAfter = readAlike ? readBefore : memoizedReadings(after)

  const compareRecord = (tally: Tally, recorded: RecordedAssessment, line: number): void => {
    const { action, assessmentId, behavior, policyVersion, request } = recorded
    const policies = policiesOf(policyVersion)
    countRecord(tally, {
      line,
      assessmentId,
      request,
      from: scoreSummary(action, behavior, before, policies.from, readBefore(action)),
      to: scoreSummary(action, behavior, after, policies.to, readAfter(action))
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

/** The policy sets with which each side scores a record. */
interface ComparedPolicies {
  readonly from: PolicySet
  readonly to: PolicySet
  readonly use: Omit<PolicyUse, "records">
}

/** Looks up the policies by the policy version that a record names. */
type PolicyLookup = (recorded: string) => ComparedPolicies

/** The newest version of the recorded set, or a set without rules if the set is not installed. */
const newestOfSet = (root: Root, recorded: string): PolicySet => {
  const set = readPolicyVersion(recorded).set
  return loadPolicySet(root, listPolicySets(root).includes(set) ? set : "none").policySet
}

/** The policies that the record names, if they are installed. */
const recordedPolicies = (root: Root): PolicyLookup =>
  memoizeByName((recorded) => {
    const found = findRecordedPolicies(root, recorded)?.policySet
    const policySet = found ?? newestOfSet(root, recorded)
    const use = { recorded, scoredWith: policyVersionOf(policySet), exact: found !== undefined }
    return { from: policySet, to: policySet, use }
  })

/** The same two sets for every record, whatever it names. */
const fixedPolicies = (from: PolicySet, to: PolicySet): PolicyLookup => {
  const versions = [from, to].map(policyVersionOf)
  const scoredWith = [...new Set(versions)].join(" and ")
  return (recorded) => ({ from, to, use: { recorded, scoredWith, exact: versions.includes(recorded) } })
}
