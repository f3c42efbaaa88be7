/** Proves that no request scores lower under a second rulebook (`to`) than under a first one (`from`), or finds a request that does. */

/**
 * WHAT IS COMPARED
 * A score is made from evaluations. An evaluation takes one record of facts and returns a number of points. The score evaluates
 * a request once with every missing field at its reference and, if a field is missing, also with every missing field open up to
 * its ceiling. After that it applies the final adjustments: gates, one last match of the rules, and the minimum of an
 * incomplete opinion. The proof has one step for each of these. Steps 1 to 5 assume that both rulebooks read all words alike.
 *
 * 1. Evaluations: search over all facts (branchAndBound.ts).
 *    There are too many records of facts to try each one, so the search works on boxes. A box gives each fact a set of values.
 *    Every literal of a condition tests one fact against a set of values. Splitting a box at such a set therefore decides the
 *    literal in both parts, and the search can decide every rule by splitting. The set of values is exact: every threshold is
 *    the edge of a set, and all values between two edges behave alike.
 *    The search skips a box if `to` is at least as high in all of it. Two tests can show that:
 *    a. Groups cover groups (SearchNode.ts). No number that dimensions use is lower in the box. Every hazard and floor of
 *       `from` that can count there has a counterpart in `to` that is at least as large. Equal groups cancel out. One group of
 *       `to` covers the hazards of at most one group of `from`, so that no hazard is counted twice. Sorted hazards that are
 *       pairwise at least as large combine to at least as much. For a floor, any score that is as high is enough.
 *    b. Bounds. Each step of an evaluation is monotone in integers: dimensions, blast radius, noisy-or of sorted hazards,
 *       highest floor. So the least and the greatest score of a box lie in two of its corners, apart from class and environment,
 *       which have no order: the bound tries each of their values. The box is done if the greatest score of `from` is not
 *       above the least score of `to`. The bound is exact once every tier is decided and every dimension is constant.
 *    Otherwise the search splits the box and looks at the parts. It starts only where something became milder, because
 *    test a holds everywhere else. If it ends without a finding, step 1 holds for all facts. If it finds facts with a lower
 *    score, these facts are real inputs of an evaluation, but it is not yet known whether a request has them.
 *    The search does not visit facts that cannot occur together (possibleFacts.ts). These statements must be true for every
 *    record that a score can produce. A statement that is missing only costs precision. A statement that is wrong makes the
 *    proof wrong. They are written by hand from the code of the score; random requests test them, nothing proves them.
 *
 * 2. Facts: the facts of `to` are at least those of `from` (unprovenDifferences.ts).
 *    References, ceilings and currencies decide what a missing field or an amount counts as. The thresholds of history decide
 *    when history counts. Each of these numbers is compared, and none may be milder. If any of them differs, two more things
 *    must hold. No rule of `to` may stop to match when a fact rises. And one fact falls when another one rises: a cumulative
 *    step disappears when the action itself reaches the step. A second search shows that the action then scores no less.
 *    Baselines are made from stated values only, so that higher references do not raise what is usual. A dearer currency does
 *    raise it. That is a difference that the proof cannot decide if a rule compares amounts with history.
 *    Some settings have no direction (window, established days and hours, cumulative steps, categories): they must be equal.
 *    Then: to(facts of `to`) >= to(facts of `from`) by step 2, and to(facts of `from`) >= from(facts of `from`) by step 1.
 *
 * 3. Gates (finalAdjustments.ts). A gate depends on the high end of the range and on production. There are 101 high ends and
 *    two cases of production, so that all 202 values are compared. The high end is no lower, by steps 1 and 2, and a gate rises
 *    with it. The first score of each level is compared too: a level may not begin later.
 *
 * 4. The last match (finalAdjustments.ts). Only this match knows confidence, gate and faults of the opinion, and it does not
 *    claim history that could not be read. Each floor of `from` that only this match can raise needs cover: a tier of `to` that
 *    does not ask for confidence or gate, or a gate that is as high, or the minimum of an incomplete opinion. Confidence gives
 *    no cover: it depends on the width of the range, and the width can shrink while both ends rise.
 *
 * 5. The minimum of an incomplete opinion is no lower.
 *
 * WHY THIS IS ENOUGH
 * The score is the largest of: the reference evaluation, its gate, the floors of the last match, the minimum if incomplete. If
 * steps 1 to 5 hold, each of these is no lower under `to`, and so is the largest. Steps 2 to 5 compare finite lists of numbers.
 *
 * WHAT IS NOT PROVEN
 * - If a number of steps 2 to 5 is milder, or a search needs more than its limit of steps, the result is "not decided", with
 *   the name of the difference. The proof then tries candidate requests that are likely to show a lower score (candidates.ts).
 *   If no candidate does, `holds` is false, and there is no witness. A limit never turns into "holds".
 * - Facts with a lower score are not an answer. realize.ts constructs a request with a history for them. Only a request that
 *   both rulebooks really score, with the second score lower, becomes a witness.
 * - Lexicons (lexiconChanges.ts). Names are strings without a bound, so that not all of them can be tried. If the lexicons
 *   differ, three things are done. Requests in the changed words are scored under both rulebooks (sampled, fixed seed). Each
 *   pair of different readings that these requests show is searched as in step 1, for actions that state every field that
 *   matters. Then each pair is tried with fields left out (sampled). `sampled` in the result says how many requests were tried.
 *   In this case `holds` means: proven for words that both lexicons read alike; only tried for other requests in changed words.
 *   The list `never_single` decides what a missing count can hide, for every name. If it differs, the result is "not decided".
 * - A policy rule that cannot be read counts as matched. As long as a rulebook has one, the result is "not decided".
 *
 * WHAT THE TESTS ADD
 * In a world of few facts a test tries every record and compares it with the search. Another test scores random requests under
 * pairs of rulebooks for which the proof holds. A third one makes the shipped release milder in many ways; each must fail.
 * The lists of numbers and facts that the steps compare are kept by hand. A fourth test makes every number of the ruleset milder
 * and expects that one of the steps notices it (rulesetNumbers.test.ts).
 */

import type { FactName } from "../../scoring/Facts.ts"
import { firstModelOf } from "../../scoring/edition1/edition.ts"
import type { Rulebook } from "../Rulebook.ts"
import { type Box, pointOf } from "../analysis/Box.ts"
import { all, type Term } from "../analysis/Term.ts"
import { firstPossibleFacts } from "../edition1/possibleFacts.ts"
import type { Situation } from "../cases/Situation.ts"
import { findWitness, memoizedScorer, type Witness } from "../counterexample/findWitness.ts"
import { probesOfNames } from "../counterexample/probeSituations.ts"
import type { ScoreComparison } from "./ScoreComparison.ts"
import { type Side, sideOf } from "./Side.ts"
import { type LowerFacts, runSearch } from "./branchAndBound.ts"
import { candidates } from "./candidates.ts"
import { dimensionNumbers, loweredDimensionNumbers } from "./dimensionNumbers.ts"
import { beforeFinalMatch } from "./finalAdjustments.ts"
import {
  compareLexicons,
  type LexiconComparison,
  requestsInChangedWords,
  samplingSeed,
  withReadNames
} from "./lexiconChanges.ts"
import {
  completionAndHistoryNumbers,
  cumulativeStepComparisons,
  factsCanRise,
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
  readonly sampled?: { readonly requests: number; readonly seed: number }
}

/** `samples`: situations that are tried first as a witness, the most readable ones first. */
export const proveNotLower = (
  from: Rulebook,
  to: Rulebook,
  samples: ReadonlyArray<Situation> = []
): Proof => {
  const exact = compareExactly(from, to)
  const requests = requestsInChangedWords(from, to)
  const sampled = requests.length === 0 ? {} : { sampled: { requests: requests.length, seed: samplingSeed } }
  if (!isProven(exact)) {
    const known = [...samples, ...candidates(from, to, exact.unproven), ...requests]
    const witness = findLowerRequest(from, to, known, exact.lowerFacts)
    return witness === undefined
      ? { holds: false, covers: undecidedDifferencesText(exact), ...sampled }
      : { holds: false, covers: witnessText, witness }
  }
  if (requests.length === 0) return { holds: true, covers: provenText(exact) }

  const witness = findLowerRequest(from, to, requests, [])
  if (witness !== undefined) return { holds: false, covers: witnessText, witness }
  const lexicons = compareLexicons(from, to, requests)
  // A missing field counts by the class and extent that the name is read as, so each pair is tried with every statement.
  const ofPairs = [...probesOfNames(lexicons.names), ...withReadNames(lexicons, from)]
  const witnessOfPairs = findLowerRequest(from, to, ofPairs, [])
  if (witnessOfPairs !== undefined) return { holds: false, covers: witnessText, witness: witnessOfPairs }
  return lexicons.loweredReadings.length === 0
    ? { holds: true, covers: provenText(exact) + lexiconText(lexicons), ...sampled }
    : { holds: false, covers: undecidedReadingsText(lexicons), ...sampled }
}

/** Steps 1 to 5 of the argument. They decide everything if both rulebooks read all words alike. */
interface ExactComparison {
  /** The codes of the differences that no search decides: numbers, currencies and rules. */
  readonly unproven: ReadonlyArray<string>
  /** Facts for which the second evaluation is lower; the first few that the search found. */
  readonly lowerFacts: ReadonlyArray<LowerFacts>
  /** Whether the search ended within its limit of steps. */
  readonly finished: boolean
  /** How many groups, numbers and currencies were compared. */
  readonly compared: { readonly groups: number; readonly numbers: number; readonly currencies: number }
}

const compareExactly = (from: Rulebook, to: Rulebook): ExactComparison => {
  const sides = { from: sideOf(from), to: sideOf(to) }
  const evaluations = runSearch(evaluationComparison(sides.from, sides.to))
  const cumulativeSteps = factsCanRise(firstModelOf(from.release), firstModelOf(to.release))
    ? cumulativeStepComparisons(sides.to).map(runSearch)
    : []
  const stepsProven = cumulativeSteps.every(({ finished, lower }) => finished && lower.length === 0)
  const { currencies, numbers } = firstModelOf(from.release)
  return {
    unproven: [...unprovenDifferences(from, to, sides), ...(stepsProven ? [] : ["ruleset.cumulative_steps"])],
    lowerFacts: evaluations.lower,
    finished: evaluations.finished,
    compared: {
      groups: sides.from.groups.length,
      numbers: dimensionNumbers(numbers).length + completionAndHistoryNumbers(numbers).length,
      currencies: currencies.table.size
    }
  }
}

const evaluationComparison = (from: Side, to: Side): ScoreComparison => ({
  from,
  to,
  overrides: {},
  where: all(beforeFinalMatch, firstPossibleFacts(from.numbers)),
  lowered: loweredDimensionNumbers(from.numbers, to.numbers)
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
  const scorer = memoizedScorer()
  const scoresLower = (situation: Situation): boolean =>
    scorer(to, situation).score < scorer(from, situation).score
  const getsLowerLevel = (situation: Situation): boolean =>
    scoresLower(situation) && scorer(to, situation).level !== scorer(from, situation).level
  return findWitness({ from, to }, scorer, {
    wanted: [getsLowerLevel, scoresLower],
    known,
    boxes: () => boxesAround(lower, from, to)
  })
}

/** Every fact that a dimension is computed from. */
const dimensionFacts: ReadonlyArray<FactName> = [
  "action_class",
  "environment",
  "entities_affected",
  "records_affected",
  "financial_value_usd_cents",
  "data_classification_rank",
  "reversibility_rank",
  "privilege_change",
  "production_impact",
  "also_exports"
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

const lexiconText = ({ readings, undecided }: LexiconComparison): string =>
  `; the lexicons differ, so this is for words that both read alike, in the request and in its history, and for actions that state everything also for the ${readings} ${readings === 1 ? "pair" : "pairs"} of readings that the changed words were found to come to${undecided === 0 ? "" : `, but for ${undecided} that were only tried`}; other requests in changed words were tried, not proven`

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

const undecidedReadingsText = ({ loweredReadings }: LexiconComparison): string =>
  undecidedText(
    `${listed(loweredReadings.map(({ reading }) => reading.names.actionType))} is read as something that could score lower`
  )
