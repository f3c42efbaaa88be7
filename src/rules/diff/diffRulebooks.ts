/** Compares two rulebooks by meaning, and shows each change with a request. */

import { byCodeUnit } from "../../json/json.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { Situation } from "../cases/Situation.ts"
import { findWitness, memoizedScorer } from "../counterexample/findWitness.ts"
import type { Change, ChangeToShow, Diff, WitnessContext } from "./Diff.ts"
import { describeTextChanges } from "./changedPaths.ts"
import { diffCurrencies } from "./diffCurrencies.ts"
import { diffLexicon } from "./diffLexicon.ts"
import { diffNumbers } from "./diffNumbers.ts"
import { diffRuleGroups } from "./diffRuleGroups.ts"

const withWitness = ({ search, ...change }: ChangeToShow, sight: WitnessContext): Change => {
  if (search === null) return change
  const witness = findWitness(sight, sight.eyes, {
    wanted: search.shows(sight),
    known: search.known(sight),
    boxes: search.boxes
  })
  return witness === undefined ? change : { ...change, witness }
}

/** `lifelike`: situations in which witnesses are looked for first, those that read best first. */
export const diffRulebooks = (
  from: Rulebook,
  to: Rulebook,
  lifelike: ReadonlyArray<Situation> = []
): Diff => {
  const sight = { eyes: memoizedScorer(), from, to, lifelike }
  const changes = changesBetween(from, to).map((change) => withWitness(change, sight))
  return { from: from.label, to: to.label, changes }
}

/** What a policy set says of itself, other than its version: words, that no score is made of. */
const diffPolicySet = (from: Rulebook, to: Rulebook): ReadonlyArray<ChangeToShow> => {
  const { policy } = to.policies.files
  const { details, phrases } = describeTextChanges(from.policies.files.policy.json, policy.json)
  if (phrases.length === 0) return []
  return [
    { code: "policy", kind: "text", file: policy.file, summary: phrases.join("; "), details, search: null }
  ]
}

/** Every change between two rulebooks, by what it means: exact, and without a look at any request. */
const parts = [diffRuleGroups, diffNumbers, diffCurrencies, diffLexicon, diffPolicySet]

/** Ascending by code. */
export const changesBetween = (from: Rulebook, to: Rulebook): ReadonlyArray<ChangeToShow> =>
  parts.flatMap((part) => part(from, to)).toSorted((a, b) => byCodeUnit(a.code, b.code))
