/** Proves that no request scores lower or gets a weaker control under a second rulebook (`to`) than under a first one, or finds one that does. */

/**
 * WHAT IS COMPARED
 * A score is made from evaluations. An evaluation takes one record of facts and returns a
 * number of points: the class, impact and kind of the act are facts as well. The score evaluates a request with every missing field
 * at its reference. After that come one last match of the rules and the minimum of an incomplete opinion. The control is the strongest
 * that the level, the factors that count, the typologies, the policies, a low confidence, or the incompleteness ask for. The proof has
 * one step for each of these. It is about rules and numbers, so both rulebooks read all calls by the knowledge of the second one.
 *
 * 1. Evaluations: search over all facts (branchAndBound.ts).
 *    There are too many records of facts to try each one, so the search works on boxes. A box gives each fact a set of values.
 *    Every literal of a condition tests one fact against a set of values. Splitting a box at such a set therefore decides the
 *    literal in both parts, and the search can decide every rule by splitting. The set of values is exact: every threshold is
 *    the edge of a set, and all values between two edges behave alike.
 *    The search skips a box if `to` is at least as high in all of it, in score and in control. Two tests can show that:
 *    a. Groups cover groups (SearchNode.ts). No number that dimensions use is milder in the box (numberMeanings.ts has the riskier
 *       direction of each number and the facts for which it counts). Every hazard and floor of `from` that can count there has a
 *       counterpart in `to` that is at least as large. Equal groups cancel out. One group of `to` covers the hazards of at most one
 *       group of `from`, so that no hazard is counted twice. Sorted hazards that are pairwise at least as large combine to at least
 *       as much. For a floor, any score that is as high is enough.
 *       A control goes by the same test: where no score is lower, no level is, and what a group of `from` asks for by itself has
 *       cover in `to`. One thing weakens a control when it appears: at a moderate level, a factor that answers to staged execution
 *       takes the place of a confirmation. So no such factor may hold in the box that is new in `to`.
 *    b. Bounds. Each step of an evaluation is monotone in integers: dimensions, blast radius, noisy-or of sorted hazards,
 *       highest floor. So the least and the greatest score of a box lie in two of its corners, apart from class and environment,
 *       which have no order: the bound tries each of their values. Kinds of objects count by one figure. The box is done if the
 *       greatest score of `from` is not above the least score of `to`, and so for the controls. The bound is exact once every tier is
 *       decided and every dimension is constant.
 *    Otherwise the search splits the box and looks at the parts. It starts only where something became milder, because
 *    test a holds everywhere else. If it ends without a finding, step 1 holds for all facts. If it finds facts with a lower
 *    score or a weaker control, these facts are real inputs of an evaluation, but it is not yet known whether a request has them.
 *    The search does not visit facts that cannot occur together (possibleFacts.ts). These statements must be true for every
 *    record that a score can produce. A statement that is missing only costs precision. A statement that is wrong makes the
 *    proof wrong. They are written by hand from the code of the score; random requests test them, nothing proves them.
 *
 * 2. Facts: the facts of `to` are at least those of `from` (unprovenDifferences.ts).
 *    References and currencies decide what a missing field or an amount counts as. The thresholds of history decide
 *    when history counts. Each of these numbers is compared, and none may be milder. If any of them differs, three more things
 *    must hold for the facts that can rise by it. No rule of `to` may stop to match when one rises. No control of `to` may weaken when
 *    one rises (assumedFactors.ts). And one fact falls when another one rises: a cumulative step disappears when the action itself
 *    reaches the step. A second search shows that the action then scores no less, with no weaker control.
 *    Baselines are made from stated values only, so that higher references do not raise what is usual. A dearer currency does
 *    raise it. That is a difference that the proof cannot decide if a rule compares amounts with history.
 *    Some settings have no direction and must be equal: window, established days and hours, cumulative steps, categories, what is
 *    harmless, what always changes rights, and what an extent holds, because a missing count is derived from a stated one by their proportion.
 *    Then: to(facts of `to`) >= to(facts of `from`) by step 2, and to(facts of `from`) >= from(facts of `from`) by step 1.
 *
 * 3. The last match (finalAdjustments.ts). Only this match knows confidence and faults of the opinion, and it does not
 *    claim history that could not be read. Each floor of `from` that only this match can raise needs cover: a tier of `to` that
 *    does not ask for confidence, or the minimum of an incomplete opinion. Confidence gives no cover: it depends on the width of
 *    the range, and the width can shrink while both ends rise. For the same reason no rule that goes by confidence may decide on a
 *    control. An incomplete opinion has the strongest control under both.
 *
 * 4. The minimum of an incomplete opinion is no lower, and no level begins later. A low level with too little confidence asks for more
 *    context. It goes on to do so, or the level rises: a low level is less sure the higher both ends of the range are, and neither end
 *    falls. So no number of the confidence or of the range may change in a direction that makes an opinion surer.
 *
 * 5. Factors that rest on an assumption (assumedFactors.ts). At a low level some of them do not count towards the control. The search of
 *    step 1 lets all of them count, so each factor that changed is compared once more.
 *
 * 6. Knowledge (compareKnowledge.ts). Verbs, nouns, commands and parameters are parts of endlessly many calls, so a change of them is never
 *    proven. The calls of the corpus that are read differently are scored under both, and a person signs the kinds that fall.
 *
 * WHY THIS IS ENOUGH
 * The score is the largest of: the reference evaluation, the floors of the last match, the minimum if incomplete. If
 * steps 1 to 4 hold, each of these is no lower under `to`, and so is the largest. With step 5 each ground of the control asks for as
 * much, or another one does instead. Steps 2 to 4 compare finite lists of numbers.
 *
 * WHAT IS NOT PROVEN
 * - Priorities, reasons and recommendations of an opinion are not compared.
 * - A call that does several things is scored by the worst of them, which steps 1 to 5 prove. Its control is made of what holds for any of
 *   them together: a factor of one may ease or silence what another one asks for. `covers` says that its control is not proven.
 * - A factor that becomes more severe only by an assumption can weaken a control. Where step 5 does not rule that out, the result
 *   is "not decided", although the change only raises severities.
 * - If a number of steps 2 to 4 is milder, or a search needs more than its limit of steps, the result is "not decided", with
 *   the name of the difference. The proof then tries candidate requests that are likely to show a fall (candidates.ts).
 *   If no candidate does, `holds` is false, and there is no witness. A limit never turns into "holds".
 * - Facts that fall are not an answer. realize.ts constructs a request with a history for them. Only a request that
 *   both rulebooks really score, with the second score lower or the second control weaker, becomes a witness.
 * - Changed knowledge: without a call that falls the result is "not decided".
 * - A policy rule that cannot be read counts as matched. As long as a rulebook has one, the result is "not decided".
 *
 * WHAT THE TESTS ADD
 * In a world of few facts a test tries every record and compares it with the search. Another test scores random requests under
 * pairs of rulebooks for which the proof holds. A third one makes the working rules milder in many ways; each must fail.
 * The riskier direction of each number is kept by hand: a fourth test changes every number of the ruleset and scores requests.
 */

import type { FactName } from "../../scoring/Facts.ts"
import { policyRuleGroups, releaseRuleGroups, type Rulebook } from "../Rulebook.ts"
import { isFall, moveBetween } from "../ScoreAndControl.ts"
import { type Box, pointOf } from "../analysis/Box.ts"
import { all, type Term } from "../analysis/Term.ts"
import { possibleFacts } from "../analysis/possibleFacts.ts"
import type { Situation } from "../cases/Situation.ts"
import { type Corpus, noCorpus } from "../corpus/Corpus.ts"
import { compareKnowledge, type KnowledgeComparison } from "../corpus/compareKnowledge.ts"
import { findWitness, scoreIn, type Witness } from "../counterexample/findWitness.ts"
import { scopeOfKnowledge } from "../diff/diffKnowledge.ts"
import type { EvaluationComparison } from "./EvaluationComparison.ts"
import { type Side, sideOf } from "./Side.ts"
import { restingFactors } from "./assumedFactors.ts"
import { type LowerFacts, runSearch } from "./branchAndBound.ts"
import { candidates } from "./candidates.ts"
import { beforeFinalMatch } from "./finalAdjustments.ts"
import { loweredDimensionNumbers } from "./loweredNumbers.ts"
import { cumulativeStepComparisons, raisedFacts, unprovenDifferences } from "./unprovenDifferences.ts"

/** Whether no request scores lower or gets a weaker control under a second rulebook, how that was established, and otherwise a witness. */
export interface Proof {
  /** Also false if it could not be decided. `covers` then says so, and there is no witness. */
  readonly holds: boolean
  /** One or two sentences for people: what was proven for every request, and what was only sampled. */
  readonly covers: string
  /** A request that scores lower or gets a weaker control under the second rulebook. */
  readonly witness?: Witness
  /** The calls that were read under both rulebooks because the lexicons differ. */
  readonly sampled?: { readonly requests: number }
  /** The codes of changes that could lower a score or weaken a control and that no search decides. */
  readonly unproven?: ReadonlyArray<string>
}

/**
 * Never holds if the knowledge differs, because a call outside the corpus may fall. `knowledge`: the comparison, for callers that have made
 * it already.
 */
export const proveNotLower = (
  from: Rulebook,
  to: Rulebook,
  corpus: Corpus = noCorpus,
  knowledge: KnowledgeComparison | null = compareKnowledge({ from, to }, corpus.calls)
): Proof => {
  const rules = proveRules(from, to, corpus.samples)
  return knowledge === null ? rules : withKnowledge(rules, knowledge)
}

const withKnowledge = (rules: Proof, knowledge: KnowledgeComparison): Proof => {
  const falling = knowledge.kinds.filter(({ falls }) => falls > 0)
  const witness = falling[0]?.shown[0]?.witness ?? rules.witness
  const codes = falling.length === 0 ? ["lexicon"] : falling.map(({ code }) => code)
  const tried = `${scopeOfKnowledge(knowledge)}, ${falling.length === 0 ? "none falls" : `some fall (${listed(codes)})`}`
  return {
    holds: false,
    covers: `${witness === undefined ? "not decided: " : ""}${tried}, and other calls are not ruled out; of the rules, for calls that are read alike: ${rules.covers}`,
    ...(witness === undefined ? {} : { witness }),
    sampled: { requests: knowledge.calls },
    unproven: [...(rules.unproven ?? []), ...codes]
  }
}

/**
 * Proves only the rules and numbers: both rulebooks read with the knowledge of the second. `samples`: situations to try first as a witness.
 */
export const proveRules = (before: Rulebook, to: Rulebook, samples: ReadonlyArray<Situation> = []): Proof => {
  const from = readingAs(to, before)
  const exact = compareExactly(from, to)
  if (isProven(exact)) return { holds: true, covers: provenText(exact) }
  const known = [...samples, ...candidates(from, to, exact.unproven)]
  const witness = findLowerRequest(from, to, known, exact.lowerFacts)
  return {
    holds: false,
    ...(witness === undefined
      ? { covers: undecidedDifferencesText(exact) }
      : { covers: witnessText, witness }),
    ...(exact.unproven.length === 0 ? {} : { unproven: exact.unproven })
  }
}

/** The rulebook with the knowledge of another one. */
const readingAs = ({ release: { model } }: Rulebook, book: Rulebook): Rulebook => {
  const { release } = book
  if (release.model.lexicon === model.lexicon) return book
  return { ...book, release: { ...release, model: { ...release.model, lexicon: model.lexicon } } }
}

/** Steps 1 to 5 of the argument. */
const compareExactly = (from: Rulebook, to: Rulebook) => {
  const sides = { from: sideOf(from), to: sideOf(to) }
  const comparison: EvaluationComparison = {
    ...sides,
    overrides: {},
    where: all(beforeFinalMatch, possibleFacts(sides.from.numbers)),
    lowered: loweredDimensionNumbers(from, to)
  }
  const { finished, lower } = runSearch(comparison)
  const { currencies, numbers } = from.release.model
  return {
    /** The codes of differences that no search decides: numbers, currencies and rules. */
    unproven: [
      ...unprovenDifferences(from, to, sides),
      ...restingFactors(comparison),
      ...(stepsHold(sides.to, raisedFacts(from, to)) ? [] : ["ruleset.cumulative_steps"])
    ],
    /** The first few facts that the search found for which the second evaluation is lower in score or control. */
    lowerFacts: lower,
    /** Whether the search finished within its limit of steps. */
    finished,
    compared: {
      groups: [...releaseRuleGroups(from.release), ...policyRuleGroups(from.policies)].length,
      numbers: countFigures(numbers),
      currencies: currencies.table.size
    }
  }
}

type ExactComparison = ReturnType<typeof compareExactly>

const stepsHold = (side: Side, rising: ReadonlySet<FactName>): boolean =>
  cumulativeStepComparisons(side, rising).every((comparison) => {
    const { finished, lower } = runSearch(comparison)
    return finished && lower.length === 0
  })

/** The number of figures, flags and names in a ruleset. */
const countFigures = (json: unknown): number =>
  typeof json === "object" && json !== null
    ? Object.values(json).reduce<number>((sum, value) => sum + countFigures(value), 0)
    : 1

const isProven = ({ finished, lowerFacts, unproven }: ExactComparison): boolean =>
  unproven.length === 0 && lowerFacts.length === 0 && finished

/** Scores complete requests under both rulebooks. Prefers a witness with a lower level, then one with a lower score. */
const findLowerRequest = (
  from: Rulebook,
  to: Rulebook,
  known: ReadonlyArray<Situation>,
  lower: ReadonlyArray<LowerFacts>
): Witness | undefined => {
  const moveOf = (situation: Situation) => moveBetween(scoreIn(from, situation), scoreIn(to, situation))
  const falls = (situation: Situation): boolean => isFall(moveOf(situation))
  const scoresLower = (situation: Situation): boolean => moveOf(situation).points < 0
  const getsLowerLevel = (situation: Situation): boolean =>
    scoresLower(situation) && scoreIn(to, situation).level !== scoreIn(from, situation).level
  return findWitness(
    { from, to },
    {
      wanted: [getsLowerLevel, scoresLower, falls],
      known,
      boxes: () => boxesAround(lower, from, to)
    }
  )
}

/** Every fact that affects a dimension. */
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

/** For each finding, the box of its facts restricted to those that a dimension or a rule uses, then the wider box of the search. */
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
  `every request with any history and any fields left out: ${groups} factors, typologies and policy rules, ${numbers} figures and ${currencies} currencies were compared exactly, at every threshold; of a call that does several things the score alone, not the control`

const witnessText = "one request that scores lower or gets a weaker control is enough"

const undecidedDifferencesText = ({ lowerFacts, unproven }: ExactComparison): string => {
  const why =
    unproven.length > 0
      ? `${listed(unproven)} could let a score or a control fall`
      : lowerFacts.length > 0
        ? "some facts fall, but no request was found that has them"
        : "the comparison needs more steps than it may take"
  return `not decided: ${why}; no request that falls was found, and none is ruled out`
}
