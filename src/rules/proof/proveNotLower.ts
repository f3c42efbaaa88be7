/** Proves that no request scores lower under a second rulebook (`to`) than under a first one (`from`), or finds a request that does. */

/**
 * WHAT IS COMPARED
 * A score is made from evaluations. An evaluation takes one record of facts and returns a
 * number of points: the class, impact and kind of the act are facts as well. The score evaluates a request with every missing field
 * at its reference. After that come one last match of the rules and the minimum of an incomplete opinion. The proof has one step
 * for each of these. Steps 1 to 4 assume that both rulebooks read all words alike.
 *
 * 1. Evaluations: search over all facts (branchAndBound.ts).
 *    There are too many records of facts to try each one, so the search works on boxes. A box gives each fact a set of values.
 *    Every literal of a condition tests one fact against a set of values. Splitting a box at such a set therefore decides the
 *    literal in both parts, and the search can decide every rule by splitting. The set of values is exact: every threshold is
 *    the edge of a set, and all values between two edges behave alike.
 *    The search skips a box if `to` is at least as high in all of it. Two tests can show that:
 *    a. Groups cover groups (SearchNode.ts). No number that dimensions use is milder in the box (numberMeanings.ts has the riskier
 *       direction of each number and the facts for which it counts). Every hazard and floor of `from` that can count there has a
 *       counterpart in `to` that is at least as large. Equal groups cancel out. One group of `to` covers the hazards of at most one
 *       group of `from`, so that no hazard is counted twice. Sorted hazards that are pairwise at least as large combine to at least
 *       as much. For a floor, any score that is as high is enough.
 *    b. Bounds. Each step of an evaluation is monotone in integers: dimensions, blast radius, noisy-or of sorted hazards,
 *       highest floor. So the least and the greatest score of a box lie in two of its corners, apart from class and environment,
 *       which have no order: the bound tries each of their values. Kinds of objects count by one figure. The box is done if the
 *       greatest score of `from` is not above the least score of `to`. The bound is exact once every tier is decided and every
 *       dimension is constant.
 *    Otherwise the search splits the box and looks at the parts. It starts only where something became milder, because
 *    test a holds everywhere else. If it ends without a finding, step 1 holds for all facts. If it finds facts with a lower
 *    score, these facts are real inputs of an evaluation, but it is not yet known whether a request has them.
 *    The search does not visit facts that cannot occur together (possibleFacts.ts). These statements must be true for every
 *    record that a score can produce. A statement that is missing only costs precision. A statement that is wrong makes the
 *    proof wrong. They are written by hand from the code of the score; random requests test them, nothing proves them.
 *
 * 2. Facts: the facts of `to` are at least those of `from` (unprovenDifferences.ts).
 *    References and currencies decide what a missing field or an amount counts as. The thresholds of history decide
 *    when history counts. Each of these numbers is compared, and none may be milder. If any of them differs, two more things
 *    must hold. No rule of `to` may stop to match when a fact rises. And one fact falls when another one rises: a cumulative
 *    step disappears when the action itself reaches the step. A second search shows that the action then scores no less.
 *    Baselines are made from stated values only, so that higher references do not raise what is usual. A dearer currency does
 *    raise it. That is a difference that the proof cannot decide if a rule compares amounts with history.
 *    Some settings have no direction and must be equal: window, established days and hours, cumulative steps, categories, what is
 *    harmless, what always changes rights, and what an extent holds, because a missing count is derived from a stated one by their proportion.
 *    Then: to(facts of `to`) >= to(facts of `from`) by step 2, and to(facts of `from`) >= from(facts of `from`) by step 1.
 *
 * 3. The last match (finalAdjustments.ts). Only this match knows confidence and faults of the opinion, and it does not
 *    claim history that could not be read. Each floor of `from` that only this match can raise needs cover: a tier of `to` that
 *    does not ask for confidence, or the minimum of an incomplete opinion. Confidence gives no cover: it depends on the width of
 *    the range, and the width can shrink while both ends rise. So the numbers of confidence and range need no comparison.
 *
 * 4. The minimum of an incomplete opinion is no lower, and no level begins later.
 *
 * 5. Words (lexiconChanges.ts). A catalogue's entry is looked up under its name, beside its provider, a suite or none: these ways
 *    are all tried, and each pair of an old and a new reading is proven for every record of facts. What the fields count as under
 *    the new reading is no lower, and the search of step 1 finds no facts that score lower as the new act than as the old one.
 *
 * WHY THIS IS ENOUGH
 * The score is the largest of: the reference evaluation, the floors of the last match, the minimum if incomplete. If
 * steps 1 to 4 hold, each of these is no lower under `to`, and so is the largest. Steps 2 to 4 compare finite lists of numbers.
 *
 * WHAT IS NOT PROVEN
 * - If a number of steps 2 to 4 is milder, or a search needs more than its limit of steps, the result is "not decided", with
 *   the name of the difference. The proof then tries candidate requests that are likely to show a lower score (candidates.ts).
 *   If no candidate does, `holds` is false, and there is no witness. A limit never turns into "holds".
 * - Facts with a lower score are not an answer. realize.ts constructs a request with a history for them. Only a request that
 *   both rulebooks really score, with the second score lower, becomes a witness.
 * - Verbs, nouns, lists of words, the table of impacts, signals and commands are parts of endlessly many names and texts. A change of
 *   them is never proven: calls in the changed words are scored, and without a witness the result is "not decided".
 * - What the arguments of a call add to a changed entry is tried and not proven. `covers` says so.
 * - A policy rule that cannot be read counts as matched. As long as a rulebook has one, the result is "not decided".
 *
 * WHAT THE TESTS ADD
 * In a world of few facts a test tries every record and compares it with the search. Another test scores random requests under
 * pairs of rulebooks for which the proof holds. A third one makes the working rules milder in many ways; each must fail.
 * The riskier direction of each number is kept by hand: a fourth test changes every number of the ruleset and scores requests.
 */

import { cachedStepProofsMax } from "../../limits.ts"
import type { FactName } from "../../scoring/Facts.ts"
import type { Rulebook } from "../Rulebook.ts"
import { type Box, pointOf } from "../analysis/Box.ts"
import { all, type Term } from "../analysis/Term.ts"
import { possibleFacts } from "../analysis/possibleFacts.ts"
import type { Situation } from "../cases/Situation.ts"
import { memoizeBounded } from "../memoize.ts"
import { findWitness, scoreIn, type Witness } from "../counterexample/findWitness.ts"
import type { ScoreComparison } from "./ScoreComparison.ts"
import { type Side, sideOf } from "./Side.ts"
import { type LowerFacts, runSearch } from "./branchAndBound.ts"
import { candidates } from "./candidates.ts"
import { beforeFinalMatch } from "./finalAdjustments.ts"
import { compareLexicons, type LexiconComparison } from "./lexiconChanges.ts"
import { loweredDimensionNumbers } from "./loweredNumbers.ts"
import {
  cumulativeStepComparisons,
  factsCanRise,
  nonMonotoneRules,
  unprovenDifferences
} from "./unprovenDifferences.ts"

/** Whether no request scores lower under a second rulebook, how far that was established, and otherwise the witness. */
export interface Proof {
  /** Also false if it could not be decided: `covers` then says so, and there is no witness. */
  readonly holds: boolean
  /** One or two sentences for people: what was proven for every request, and what was only tried. */
  readonly covers: string
  /** A request that scores lower under the second rulebook. */
  readonly witness?: Witness
  /** Which requests were tried because the lexicons differ. */
  readonly sampled?: { readonly requests: number }
  /** The codes of the changes that could let a score fall and that no search decides. */
  readonly unproven?: ReadonlyArray<string>
}

/** `samples`: situations that are tried first as a witness, the most readable ones first. */
export const proveNotLower = (
  from: Rulebook,
  to: Rulebook,
  samples: ReadonlyArray<Situation> = []
): Proof => {
  const exact = compareExactly(from, to)
  const { lexicon } = exact
  const tried = lexicon.requests.length === 0 ? {} : { sampled: { requests: lexicon.requests.length } }
  if (isProven(exact) && lexicon.requests.length === 0) return { holds: true, covers: provenText(exact) }
  const known = isProven(exact)
    ? lexicon.requests
    : [...samples, ...lexicon.requests, ...candidates(from, to, exact.unproven)]
  const witness = findLowerRequest(from, to, known, exact.lowerFacts)
  const unproven = exact.unproven.length === 0 ? {} : { unproven: exact.unproven }
  if (witness !== undefined) return { holds: false, covers: witnessText, witness, ...unproven }
  return isProven(exact)
    ? { holds: true, covers: provenText(exact) + lexiconText(lexicon), ...tried }
    : { holds: false, covers: undecidedDifferencesText(exact), ...tried, ...unproven }
}

/** Steps 1 to 5 of the argument. */
interface ExactComparison {
  /** The codes of the differences that no search decides: numbers, currencies, rules and words. */
  readonly unproven: ReadonlyArray<string>
  /** Facts for which the second evaluation is lower; the first few that the search found. */
  readonly lowerFacts: ReadonlyArray<LowerFacts>
  /** Whether the search ended within its limit of steps. */
  readonly finished: boolean
  readonly lexicon: LexiconComparison
  /** How many groups, numbers and currencies were compared. */
  readonly compared: { readonly groups: number; readonly numbers: number; readonly currencies: number }
}

const compareExactly = (from: Rulebook, to: Rulebook): ExactComparison => {
  const sides = { from: sideOf(from), to: sideOf(to) }
  const evaluations = runSearch(evaluationComparison(from, to, sides))
  const stepsProven = !factsCanRise(from, to) || stepsHold(sides.to)
  const monotone = () => nonMonotoneRules(sides.to).length === 0 && stepsHold(sides.to)
  const lexicon = compareLexicons(from, to, monotone)
  const { currencies, numbers } = from.release.model
  return {
    unproven: [
      ...unprovenDifferences(from, to, sides),
      ...(stepsProven ? [] : ["ruleset.cumulative_steps"]),
      ...lexicon.unproven
    ],
    lowerFacts: evaluations.lower,
    finished: evaluations.finished,
    lexicon,
    compared: {
      groups: sides.from.groups.length,
      numbers: countFigures(numbers),
      currencies: currencies.table.size
    }
  }
}

/** Once for equal sides, which are plain data: one review proves many rulebooks that differ in their words alone. */
const stepsHold = memoizeBounded(cachedStepProofsMax, JSON.stringify, (side: Side): boolean =>
  cumulativeStepComparisons(side).every((comparison) => {
    const { finished, lower } = runSearch(comparison)
    return finished && lower.length === 0
  })
)

/** The figures, flags and names in a ruleset. */
const countFigures = (json: unknown): number =>
  typeof json === "object" && json !== null
    ? Object.values(json).reduce<number>((sum, value) => sum + countFigures(value), 0)
    : 1

const evaluationComparison = (
  from: Rulebook,
  to: Rulebook,
  sides: { readonly from: Side; readonly to: Side }
): ScoreComparison => ({
  ...sides,
  overrides: {},
  where: all(beforeFinalMatch, possibleFacts(sides.from.numbers)),
  lowered: loweredDimensionNumbers(from, to)
})

const isProven = ({ finished, lowerFacts, unproven }: ExactComparison): boolean =>
  unproven.length === 0 && lowerFacts.length === 0 && finished

/** Scores complete requests under both rulebooks. A witness with a lower level is preferred. */
const findLowerRequest = (
  from: Rulebook,
  to: Rulebook,
  known: ReadonlyArray<Situation>,
  lower: ReadonlyArray<LowerFacts>
): Witness | undefined => {
  const scoresLower = (situation: Situation): boolean =>
    scoreIn(to, situation).score < scoreIn(from, situation).score
  const getsLowerLevel = (situation: Situation): boolean =>
    scoresLower(situation) && scoreIn(to, situation).level !== scoreIn(from, situation).level
  return findWitness(
    { from, to },
    {
      wanted: [getsLowerLevel, scoresLower],
      known,
      boxes: () => boxesAround(lower, from, to)
    }
  )
}

/** Every fact that a dimension is computed from. */
const dimensionFacts: ReadonlyArray<FactName> = [
  "action_class",
  "impact_rank",
  "object_kind",
  "acts_anywhere",
  "safeguard_weakened_rank",
  "also_exports",
  "environment",
  "entities_affected",
  "records_affected",
  "financial_value_usd_cents",
  "data_classification_rank",
  "reversibility_rank",
  "privilege_change",
  "production_impact"
]

const factsOfTerm = (term: Term): ReadonlyArray<FactName> =>
  "fact" in term ? [term.fact] : ("all" in term ? term.all : term.any).flatMap(factsOfTerm)

/** For each finding the box of its facts, as far as a dimension or a rule uses them, then the wider box of the search. */
function* boxesAround(lower: ReadonlyArray<LowerFacts>, from: Rulebook, to: Rulebook): Generator<Box> {
  const terms = [from, to].flatMap((book) =>
    sideOf(book).groups.flatMap(({ tiers }) => tiers.map(({ term }) => term))
  )
  const used = [...new Set([...dimensionFacts, ...terms.flatMap(factsOfTerm)])]
  for (const { box, facts } of lower) {
    yield pointOf(facts, used)
    yield box
  }
}

const listedMax = 5

const listed = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, listedMax).map((name) => `\`${name}\``)
  const more = names.length - shown.length
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

const provenText = ({ compared: { currencies, groups, numbers } }: ExactComparison): string =>
  `every request with any history and any fields left out: ${groups} factors, typologies and policy rules, ${numbers} figures and ${currencies} currencies were compared exactly, at every threshold`

const lexiconText = ({ entries, readings, requests }: LexiconComparison): string =>
  `; ${entries} changed ${entries === 1 ? "entry" : "entries"} of the lexicon, by every way to name ${entries === 1 ? "it" : "them"}, ${readings === 1 ? "comes" : "come"} to ${readings} ${readings === 1 ? "pair" : "pairs"} of readings that were compared exactly too; what the arguments of a call add to them was tried with ${requests.length} requests, not proven`

const witnessText = "one request that scores lower is enough"

const undecidedText = (why: string): string =>
  `not decided: ${why}; no request that scores lower was found, and none is ruled out`

const undecidedDifferencesText = ({ lowerFacts, unproven }: ExactComparison): string => {
  if (unproven.length > 0) return undecidedText(`${listed(unproven)} could let a score fall`)
  return undecidedText(
    lowerFacts.length > 0
      ? "there are facts that score lower, but no request was found that has them"
      : "the comparison needs more steps than it may take"
  )
}
