/** Entries of a lexicon that changed: whether the calls that they name are read as acts that score no lower. */

import { type ActionClass, dataClassifications, environments, reversibilities } from "../../domain/Action.ts"
import { isDeepStrictEqual } from "node:util"
import type { Facts } from "../../scoring/Facts.ts"
import type { Numbers } from "../../scoring/Numbers.ts"
import { classNumbersOf, toStatedCall } from "../../scoring/StatedCall.ts"
import { kindFigureOf, moneyEffectOf, undoneWeightOf } from "../../scoring/dimensions.ts"
import { standingFacts } from "../../scoring/gatherFacts.ts"
import { extents, impacts } from "../../scoring/reading/Act.ts"
import type { Reading } from "../../scoring/reading/readCall.ts"
import type { Rulebook } from "../Rulebook.ts"
import { all, matchesFacts } from "../analysis/Term.ts"
import { possibleFacts } from "../analysis/possibleFacts.ts"
import type { Situation } from "../cases/Situation.ts"
import { namedFacts } from "../counterexample/realize.ts"
import { meaningOfReading } from "../counterexample/spellings.ts"
import { probesOfNames } from "../counterexample/probeSituations.ts"
import { risingFacts } from "../diff/numberMeanings.ts"
import { changedLexiconFiles, type LexiconFileChange, type ReadingChange } from "../diff/diffLexicon.ts"
import type { LoweredNumber, EvaluationComparison } from "./EvaluationComparison.ts"
import { type Side, sideOf } from "./Side.ts"
import { canWeakenByRising, restingFactors } from "./assumedFactors.ts"
import { runSearch } from "./branchAndBound.ts"
import { beforeFinalMatch } from "./finalAdjustments.ts"
import { loweredDimensionNumbers } from "./loweredNumbers.ts"
import type { RiskModel } from "../../scoring/Model.ts"

export interface LexiconComparison {
  /** The codes of the files in which something could let a score fall, as a diff names them. */
  readonly unproven: ReadonlyArray<string>
  /** How many entries are proven, each by every way to name it. */
  readonly entries: number
  /** How many different pairs of readings they come to: how an entry was read and how it is. */
  readonly readings: number
  /** Calls in the changed entries, those that could fall first. */
  readonly requests: ReadonlyArray<Situation>
}

const unchanged: LexiconComparison = { unproven: [], entries: 0, readings: 0, requests: [] }

/** `monotone`: whether no evaluation of the second side falls when a fact rises. */
export const compareLexicons = (from: Rulebook, to: Rulebook, monotone: () => boolean): LexiconComparison => {
  const files = changedLexiconFiles(from, to)
  if (files.length === 0) return unchanged
  const isProven = pairProver(from, to, monotone)
  const entries = files.flatMap((file) => file.entries)
  const proven = entries.filter(
    ({ complete, fate, readings }) => fate === "reworded" || (complete && readings.every(isProven))
  )
  const isOpen = ({ entries: own }: LexiconFileChange) => own.some((entry) => !proven.includes(entry))
  const byProof = [...entries.filter((entry) => !proven.includes(entry)), ...proven]
  const moved = byProof.flatMap(({ readings }) => readings)
  return {
    unproven: files.filter(isOpen).map(({ code }) => code),
    entries: proven.length,
    readings: new Set(moved.map(keyOf)).size,
    requests: probesOfNames(firstOfEach(moved).map(({ names }) => names))
  }
}

const keyOf = ({ from, to }: ReadingChange): string => meaningOfReading(from) + meaningOfReading(to)

/** The first name of each pair of readings. */
const firstOfEach = (changes: ReadonlyArray<ReadingChange>): ReadonlyArray<ReadingChange> =>
  [...new Map(changes.toReversed().map((change) => [keyOf(change), change])).values()].toReversed()

/** Proves each pair of readings once. */
const pairProver = (from: Rulebook, to: Rulebook, monotone: () => boolean) => {
  const models = { from: from.release.model, to: to.release.model }
  const sides = { from: sideOf(from), to: sideOf(to), models }
  const lowered = loweredDimensionNumbers(from, to)
  const known = new Map<string, boolean>()
  return (change: ReadingChange): boolean => {
    // History and some rules go by the type, so a proof is for one that stays.
    if (change.from.type !== change.to.type) return false
    const key = keyOf(change)
    const proven = known.get(key) ?? scoresNoLower(change, sides, lowered, monotone)
    known.set(key, proven)
    return proven
  }
}

interface Sides {
  readonly from: Side
  readonly to: Side
  readonly models: { readonly from: RiskModel; readonly to: RiskModel }
}

/**
 * What the fields count as is no lower under the second reading, and for the same fields no evaluation is. Together with rules
 * that match no less when a fact rises, no call that is read so scores lower.
 */
const scoresNoLower = (
  { from: was, to: is }: ReadingChange,
  sides: Sides,
  lowered: ReadonlyArray<LoweredNumber>,
  monotone: () => boolean
): boolean => {
  const { from, to } = sides
  if (!fieldsCountNoLower(was, is, from.numbers, to.numbers)) return false
  const countAlike = isDeepStrictEqual(figuresOfFields(was, from.numbers), figuresOfFields(is, to.numbers))
  if (!countAlike && (canWeakenByRising(to, risingFacts) || !monotone())) return false
  const comparison = pairComparison(was, is, sides, lowered)
  const { finished, lower } = runSearch(comparison)
  return finished && lower.length === 0 && restingFactors(comparison).length === 0
}

const anywhere = { actionType: "-", environment: "development" } as const

const actFacts = namedFacts.filter((fact) => fact !== "normalized_action_type")

/** The facts that the words of a call decide, whatever is stated beside them and whatever it is called. */
const factsOfReading = (reading: Reading, { currencies, numbers }: RiskModel): Partial<Facts> => {
  const stated = toStatedCall(anywhere, reading, numbers, currencies)
  const standing = standingFacts(stated, "unavailable", numbers)
  return Object.fromEntries(actFacts.map((fact) => [fact, standing[fact]]))
}

const pairComparison = (
  was: Reading,
  is: Reading,
  { from, models, to }: Sides,
  lowered: ReadonlyArray<LoweredNumber>
): EvaluationComparison => ({
  from,
  to,
  overrides: factsOfReading(is, models.to),
  where: all(matchesFacts(factsOfReading(was, models.from)), beforeFinalMatch, possibleFacts(from.numbers)),
  lowered: actCountsNoLower(was, is, from.numbers, to.numbers)
    ? lowered
    : [...lowered, { what: "the act", where: all() }]
})

const neverLower = (from: ReadonlyArray<number>, to: ReadonlyArray<number>): boolean =>
  from.every((figure, i) => (to[i] ?? 0) >= figure)

/** Every figure by which the dimensions depend on the act, riskier when higher. */
const figuresOfAct = (reading: Reading, numbers: Numbers) => {
  const { anywhere, impact, kind, weakens } = reading
  const own = classNumbersOf(reading, numbers)
  return [
    own.entityEffectBp,
    own.dataEffectBp,
    moneyEffectOf(own, kind),
    Number(own.dataLeaves),
    own.weightBp[impact],
    undoneWeightOf(own, reading),
    own.privilegeBp[impact],
    kindFigureOf(kind, numbers),
    Number(!own.harmless),
    ...environments.flatMap((environment) => {
      const place = anywhere ? "production" : environment
      const { dataBp, factorBp, moneyBp } = numbers.environment[place]
      const factor = own.factorBp?.[place] ?? factorBp
      return [dataBp, factorBp, moneyBp, weakens ? Math.max(factor, numbers.weakenedFactorBp[place]) : factor]
    })
  ]
}

const actCountsNoLower = (was: Reading, is: Reading, from: Numbers, to: Numbers): boolean =>
  from.classes[was.class].alwaysChangesPrivilege === to.classes[is.class].alwaysChangesPrivilege &&
  neverLower(figuresOfAct(was, from), figuresOfAct(is, to))

/** What each field counts as where it is left out or contradicted, riskier when higher. */
const figuresOfFields = (reading: Reading, numbers: Numbers): ReadonlyArray<number> => {
  const own = classNumbersOf(reading, numbers)
  const { references } = own
  const { entities, records } = numbers.extents[reading.extent]
  const from = references.productionImpactFrom
  const affectsLive = from !== undefined && impacts.indexOf(reading.impact) >= impacts.indexOf(from)
  const hard =
    reading.reversibility ??
    (reading.soft ? references.softReversibility : references.reversibility[reading.impact])
  const wide = extents.indexOf(reading.extent) >= extents.indexOf("bulk") || own.dataLeaves
  const lifted = references.liftsClassification && wide && reading.holds === "internal" ? 1 : 0
  return [
    entities,
    Math.max(records, references.recordsMin),
    references.usd[reading.impact],
    dataClassifications.indexOf(reading.holds) + lifted,
    reversibilities.indexOf(hard),
    reversibilities.indexOf(own.reversibilityFloor),
    Number(affectsLive),
    Number(affectsLive && reading.anywhere),
    Number(own.egress),
    Number(own.countsGoTogether),
    Number(reading.everything),
    Number(reading.environment === "production")
  ]
}

/** By these an opinion of a low level leaves a factor uncounted, and is less sure. */
const figuresOfOpinion = (reading: Reading): ReadonlyArray<number> => [
  impacts.indexOf(reading.impact),
  Number(reading.anywhere),
  Number(reading.class === "unknown" || reading.unread)
]

/** Whether one count that is stated tells nothing of the other: then it may not differ how much an extent holds of each. */
const countsAlone = (name: ActionClass, { classes }: Numbers): boolean =>
  classes[name].harmless || classes[name].references.recordsMin > 0

const fieldsCountNoLower = (was: Reading, is: Reading, from: Numbers, to: Numbers): boolean => {
  const [before, after] = [from.classes[was.class], to.classes[is.class]]
  const alone = countsAlone(was.class, from)
  return (
    alone === countsAlone(is.class, to) &&
    (alone || was.extent === is.extent) &&
    // Sums and baselines of history go by these, and have no direction.
    before.category === after.category &&
    before.harmless === after.harmless &&
    before.alwaysChangesPrivilege === after.alwaysChangesPrivilege &&
    neverLower(figuresOfFields(was, from), figuresOfFields(is, to)) &&
    neverLower(figuresOfOpinion(was), figuresOfOpinion(is))
  )
}
