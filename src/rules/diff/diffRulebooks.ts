/** Compares two rulebooks by meaning, and demonstrates each change with a request. */

import { byCodeUnit } from "../../json/json.ts"
import type { Rulebook } from "../Rulebook.ts"
import { isFall, isRise, moveBetween } from "../ScoreAndControl.ts"
import type { Situation } from "../cases/Situation.ts"
import { type Corpus, noCorpus } from "../corpus/Corpus.ts"
import { compareKnowledge, type KnowledgeComparison } from "../corpus/compareKnowledge.ts"
import { findWitness } from "../counterexample/findWitness.ts"
import {
  type Change,
  type ChangeSearch,
  type ChangeToShow,
  type Diff,
  moveIn,
  type Towards,
  type WitnessContext
} from "./Diff.ts"
import { describeTextChanges } from "./changedPaths.ts"
import { diffCatalogues } from "./diffCatalogue.ts"
import { diffCurrencies } from "./diffCurrencies.ts"
import { diffKnowledge } from "./diffKnowledge.ts"
import { diffNumbers } from "./diffNumbers.ts"
import { diffRuleGroups } from "./diffRuleGroups.ts"

/** `knowledge`: the comparison, for callers that have made it already. */
export const diffRulebooks = (
  from: Rulebook,
  to: Rulebook,
  corpus: Corpus = noCorpus,
  knowledge: KnowledgeComparison | null = compareKnowledge({ from, to }, corpus.calls)
): Diff => {
  const context = { from, to, samples: corpus.samples }
  const changes = [
    ...changesBetween(from, to).map((change) => withWitness(change, context)),
    ...diffKnowledge(from, to, knowledge),
    ...diffCatalogues(from, to)
  ]
  return {
    from: from.label,
    to: to.label,
    changes: changes.toSorted((a, b) => byCodeUnit(a.code, b.code))
  }
}

/** Every change of rules and numbers, ascending by code. Exact: found without scoring any request. */
export const changesBetween = (from: Rulebook, to: Rulebook): ReadonlyArray<ChangeToShow> =>
  [diffRuleGroups, diffNumbers, diffCurrencies, diffPolicySet]
    .flatMap((diff) => diff(from, to))
    .toSorted((a, b) => byCodeUnit(a.code, b.code))

const withWitness = ({ search, ...change }: ChangeToShow, context: WitnessContext): Change => {
  if (search === null) return change
  const find = (towards: Towards, wanted: ReturnType<ChangeSearch["shows"]>) =>
    findWitness(context, {
      wanted,
      known: search.known(context, towards),
      boxes: () => search.boxes(towards)
    })
  // If the change can lower a score or weaken a control, look for that first: reviewers must see it.
  const first = change.kind === "stricter" ? "higher" : "lower"
  const witness = find(first, search.shows(context, first))
  if (witness === undefined) return change
  if (change.kind !== "moved" || !isFall(moveBetween(witness.from, witness.to))) return { ...change, witness }
  const move = moveIn(context)
  const rises = search
    .shows(context, "higher")
    .map((test) => (situation: Situation) => isRise(move(situation)) && test(situation))
  const risingWitness = find("higher", rises)
  return { ...change, witness, ...(risingWitness === undefined ? {} : { risingWitness }) }
}

/** Changes of the policy set's own file except its version: texts that no score uses. */
const diffPolicySet = (from: Rulebook, to: Rulebook): ReadonlyArray<ChangeToShow> => {
  const { policy } = to.policies.files
  const { details, phrases } = describeTextChanges(from.policies.files.policy.json, policy.json)
  if (phrases.length === 0) return []
  return [
    { code: "policy", kind: "text", file: policy.file, summary: phrases.join("; "), details, search: null }
  ]
}
