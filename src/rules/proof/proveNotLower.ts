/** Proves that no request scores lower under a second rulebook, or finds a request that does. */

import type { FactName, Facts } from "../../scoring/Facts.ts"
import type { Rulebook } from "../Rulebook.ts"
import { type Box, pointOf } from "../analysis/Box.ts"
import { all, type Term } from "../analysis/Term.ts"
import { possibleFacts } from "../analysis/possibleFacts.ts"
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

/** Scores both rulebooks whole; a fall of the level is told before one within a level. */
const findLowerRequest = (
  from: Rulebook,
  to: Rulebook,
  known: ReadonlyArray<Situation>,
  lower: ReadonlyArray<LowerFacts>
): Witness | undefined => {
  const eyes = memoizedScorer()
  const looks = (situation: Situation) => [eyes(from, situation), eyes(to, situation)] as const
  const falls = (situation: Situation): boolean => {
    const [before, after] = looks(situation)
    return after.score < before.score
  }
  const fallsInLevel = (situation: Situation): boolean => {
    const [before, after] = looks(situation)
    return after.score < before.score && after.level !== before.level
  }
  return findWitness({ from, to }, eyes, {
    wanted: [fallsInLevel, falls],
    known,
    boxes: () => boxesAround(lower, from, to)
  })
}

/**
 * Exact over all facts, in which every threshold of every rule is one. Words are strings without end: where two lexicons differ,
 * each pair of readings that the changed words come to is compared exactly for actions that state everything, and requests in
 * those words are scored besides; `sampled` says how many.
 * `lifelike`: situations in which a witness is looked for first.
 */
export const proveNotLower = (
  from: Rulebook,
  to: Rulebook,
  lifelike: ReadonlyArray<Situation> = []
): Proof => {
  const found = compareExactly(from, to)
  const requests = requestsInChangedWords(from, to)
  const sampled = requests.length === 0 ? {} : { sampled: { requests: requests.length, seed: samplingSeed } }
  if (!isProven(found)) {
    const known = [...lifelike, ...candidates(from, to, found.unproven), ...requests]
    const witness = findLowerRequest(from, to, known, found.lowerFacts)
    return witness === undefined
      ? { holds: false, covers: undecidedDifferencesText(found), ...sampled }
      : { holds: false, covers: witnessText, witness }
  }
  if (requests.length === 0) return { holds: true, covers: provenText(found) }

  const witness = findLowerRequest(from, to, requests, [])
  if (witness !== undefined) return { holds: false, covers: witnessText, witness }
  const words = compareLexicons(from, to, requests)
  // What is left out counts by the class and the extent that a name is read as, so each pair is asked about in every way.
  const renamedWitness = findLowerRequest(
    from,
    to,
    [...probesOfNames(words.names), ...withReadNames(words, from)],
    []
  )
  if (renamedWitness !== undefined) return { holds: false, covers: witnessText, witness: renamedWitness }
  return words.loweredReadings.length === 0
    ? { holds: true, covers: provenText(found) + lexiconText(words), ...sampled }
    : { holds: false, covers: undecidedReadingsText(words), ...sampled }
}

/** Whether no request scores lower under a second rulebook, how far that was established, and else the witness. */
export interface Proof {
  /** False also where it could not be decided: `covers` then says so and there is no witness. */
  readonly holds: boolean
  /** One or two sentences for people: what was proven for every request, and what was only tried. */
  readonly covers: string
  /** A request that scores lower under the second. */
  readonly witness?: Witness
  /** Where strings had to be tried because they cannot be enumerated. */
  readonly sampled?: { readonly requests: number; readonly seed: number }
}

/** Everything that can be known exactly about whether one rulebook lets a score fall below another's. */
interface ExactComparison {
  /** What differs in a way that no walk through facts settles: figures, currencies and rules by name. */
  readonly unproven: ReadonlyArray<string>
  /** Facts for which the second evaluation is lower, the first few found. */
  readonly lowerFacts: ReadonlyArray<LowerFacts>
  /** Whether the walk ended within its steps. */
  readonly finished: boolean
  /** Ladders and figures that were held against each other. */
  readonly compared: { readonly groups: number; readonly numbers: number; readonly currencies: number }
}

const evaluationComparison = (from: Side, to: Side): ScoreComparison => ({
  from,
  to,
  moved: {},
  where: all(beforeFinalMatch, possibleFacts(from.numbers)),
  lowered: loweredDimensionNumbers(from.numbers, to.numbers)
})

/**
 * The score of a request is made of evaluations of facts: with missing fields at their reference, and open up to their ceiling.
 * Let `from` and `to` be two rulebooks that read words alike. Where all of this holds, no request scores lower under `to`:
 *
 * 1. For all facts that can be together, `to` evaluates no lower than `from`: dimensions and their combination rise with their
 *    figures, noisy-or with sorted hazards, and floors count by the highest. The walk shows it or finds facts that break it.
 * 2. References, ceilings, currencies and what watches history are no milder, and no currency is dearer in which history may
 *    have been spent, so that the facts of `to` are at least those of `from`; no rule of `to` is silenced by a fact that rises; and the one fact that falls by it, a cumulative step, is made up
 *    for by the action's own step.
 * 3. Gates lift no less from every high end: score and high end are no lower by 1 and 2, and a gate rises with both.
 * 4. Floors that only the last question can raise are answered for. Confidence goes by the width of the range and may rise while
 *    both ends of it do, so that no floor may rest on it; one that rests on a gate is reached wherever that gate lifts.
 * 5. The minimum of an incomplete opinion is no lower.
 *
 * What of 2 to 5 does not hold is a doubt; where 1 does not, there are facts.
 */
const compareExactly = (from: Rulebook, to: Rulebook): ExactComparison => {
  const sides = { from: sideOf(from), to: sideOf(to) }
  const main = runSearch(evaluationComparison(sides.from, sides.to))
  const summed = factsCanRise(from.release.model, to.release.model)
    ? cumulativeStepComparisons(sides.to).map(runSearch)
    : []
  const sums = summed.some(({ finished: ended, lower }) => !ended || lower.length > 0)
    ? ["ruleset.cumulative_steps"]
    : []
  const { currencies, numbers } = from.release.model
  return {
    unproven: [...unprovenDifferences(from, to, sides), ...sums],
    lowerFacts: main.lower,
    finished: main.finished,
    compared: {
      groups: sides.from.groups.length,
      numbers: dimensionNumbers(numbers).length + completionAndHistoryNumbers(numbers).length,
      currencies: currencies.table.size
    }
  }
}

const isProven = ({ unproven: doubts, finished: ended, lowerFacts: lower }: ExactComparison): boolean =>
  doubts.length === 0 && lower.length === 0 && ended

/** Says in plain words what a proof covers, and what it leaves open. */
const listedMax = 5

const listed = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, listedMax).map((name) => `\`${name}\``)
  const more = names.length - shown.length
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

const provenText = ({
  compared: { currencies, numbers: figures, groups: ladders }
}: ExactComparison): string =>
  `every request with any history and any fields left out: ${ladders} factors, typologies and policy rules, ${figures} figures and ${currencies} currencies were compared exactly, at every threshold`

const lexiconText = ({ readings, undecided }: LexiconComparison): string =>
  `; the lexicons differ, so this is for words that both read alike, in the request and in its history, and for actions that state everything also for the ${readings} ${readings === 1 ? "pair" : "pairs"} of readings that the changed words were found to come to${undecided === 0 ? "" : `, but for ${undecided} that were only tried`}; other requests in changed words were tried, not proven`

const witnessText = "one request that scores lower is enough"

const undecidedText = (why: string): string =>
  `not decided: ${why}; no request that scores lower was found, and none is ruled out`

const undecidedDifferencesText = ({ unproven: doubts, lowerFacts: lower }: ExactComparison): string => {
  if (doubts.length > 0) return undecidedText(`${listed(doubts)} could let a score fall`)
  return undecidedText(
    lower.length > 0
      ? "there are facts that score lower, but no request was found that has them"
      : "the comparison needs more steps than it may take"
  )
}

const undecidedReadingsText = ({ loweredReadings: falls }: LexiconComparison): string =>
  undecidedText(
    `${listed(falls.map(({ reading }) => reading.names.actionType))} is read as something that could score lower`
  )

/** Boxes around facts that came out lower, for requests to be made up of. */
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

const restrictTo = (facts: Facts, names: ReadonlySet<FactName>): Box =>
  Object.fromEntries(Object.entries(pointOf(facts)).filter(([name]) => names.has(name as FactName)))

/** First all that counts just as it was found, then the wider place in which it was found. */
function* boxesAround(lower: ReadonlyArray<LowerFacts>, from: Rulebook, to: Rulebook): Generator<Box> {
  const terms = [from, to].flatMap((book) =>
    sideOf(book).groups.flatMap(({ rungs }) => rungs.map(({ term }) => term))
  )
  const counting = new Set([...dimensionFacts, ...terms.flatMap(factsOfTerm)])
  for (const { box, facts } of lower) {
    yield restrictTo(facts, counting)
    yield box
  }
}
