/** What changes where two lexicons read the same name differently: sample requests, the pairs of readings, and a search for each pair. */

import { isDeepStrictEqual } from "node:util"
import { type NormalizedAction, reversibilities } from "../../domain/Action.ts"
import { proofFallsMax, sampledRequestsMax } from "../../limits.ts"
import type { Facts } from "../../scoring/Facts.ts"
import type { Numbers } from "../../scoring/Model.ts"
import { classModelOf } from "../../scoring/StatedAction.ts"
import type { Lexicon } from "../../scoring/lexicon/Lexicon.ts"
import { normalize } from "../../scoring/lexicon/normalize.ts"
import type { Rulebook } from "../Rulebook.ts"
import { all, atLeast, is, matchesFacts, not, type Term } from "../analysis/Term.ts"
import { historyUnread, possibleFacts } from "../analysis/possibleFacts.ts"
import type { Situation } from "../cases/Situation.ts"
import { probesOfNames } from "../counterexample/probeSituations.ts"
import { realize } from "../counterexample/realize.ts"
import { changedPaths } from "../diff/changedPaths.ts"
import type { RuleFiles, SourceFile } from "../files/readTree.ts"
import type { ScoreComparison } from "./ScoreComparison.ts"
import { type Side, sideOf } from "./Side.ts"
import { type LowerFacts, runSearch } from "./branchAndBound.ts"
import { loweredDimensionNumbers, milderClassNumbers } from "./dimensionNumbers.ts"
import { beforeFinalMatch } from "./finalAdjustments.ts"

interface LoweredReading {
  readonly reading: LexiconChange
  readonly lower: ReadonlyArray<LowerFacts>
}

export interface LexiconComparison {
  /** Pairs of different readings of one name among the requests, compared to the end. */
  readonly readings: number
  /** Those that take more steps than they may. */
  readonly undecided: number
  /** Those for which some action, everything about it stated, evaluates lower; the first few. */
  readonly loweredReadings: ReadonlyArray<LoweredReading>
  /** One name for each pair. */
  readonly names: ReadonlyArray<LexiconChange["names"]>
}

const lexiconFilesOf = ({ release }: Rulebook): unknown =>
  release.files.lexicon.map(({ name, json }) => [name, json])

/** Requests in the words that changed; none where both read all words alike. */
export const requestsInChangedWords = (from: Rulebook, to: Rulebook): ReadonlyArray<Situation> =>
  isDeepStrictEqual(lexiconFilesOf(from), lexiconFilesOf(to))
    ? []
    : sampleRequests(changedWords(from.release.files, to.release.files))

export const compareLexicons = (
  from: Rulebook,
  to: Rulebook,
  requests: ReadonlyArray<Situation>
): LexiconComparison => {
  const readings = lexiconChanges(requests, from.release.model.lexicon, to.release.model.lexicon)
  const sides = [sideOf(from), sideOf(to)] as const
  const falls: Array<LoweredReading> = []
  let undecided = 0
  for (const reading of readings) {
    const walks = lexiconChangeComparisons(reading, ...sides).map(runSearch)
    const lower = walks.flatMap((walk) => walk.lower)
    if (lower.length > 0) falls.push({ reading, lower })
    else if (walks.some(({ finished: ended }) => !ended)) undecided++
    if (falls.length >= proofFallsMax) break
  }
  return {
    readings: readings.length - undecided,
    undecided,
    loweredReadings: falls,
    names: readings.map(({ names }) => names)
  }
}

/** What was found of other names of the same reading, asked by the name that is read differently. */
export function* withReadNames(
  { loweredReadings: falls }: LexiconComparison,
  from: Rulebook
): Generator<Situation> {
  for (const { lower, reading } of falls) {
    for (const { box } of lower) {
      const made = realize(box, from.release.model)
      if (made !== null) yield { ...made, request: { ...made.request, ...reading.names } }
    }
  }
}

/** Names that two lexicons read differently, one for each pair of readings, and what each pair comes to for all other facts. */
const missingFacts = [
  "entities_missing",
  "records_missing",
  "financial_value_missing",
  "data_classification_missing",
  "reversibility_missing",
  "destination_missing"
] as const
const contradictionFlags = [
  "counts_inconsistent",
  "privilege_claim_inconsistent",
  "reversibility_claim_inconsistent"
] as const

type Names = Pick<Situation["request"], "actionType" | "targetResource">

interface LexiconChange {
  readonly names: Names
  readonly from: NormalizedAction
  readonly to: NormalizedAction
}

/** All that scores, but for the name itself. */
const meaningOf = (action: NormalizedAction): string => JSON.stringify({ ...action, type: "" })

/** The first name of each pair of meanings that differ. */
const lexiconChanges = (
  situations: ReadonlyArray<Situation>,
  from: Lexicon,
  to: Lexicon
): ReadonlyArray<LexiconChange> => {
  const found = new Map<string, LexiconChange>()
  for (const { request } of situations) {
    const { actionType, targetResource } = request
    const names = { actionType, ...(targetResource === undefined ? {} : { targetResource }) }
    const [before, after] = [normalize(request, from), normalize(request, to)]
    const [was, is] = [meaningOf(before), meaningOf(after)]
    const key = `${was}${is}`
    if (was !== is && !found.has(key)) found.set(key, { names, from: before, to: after })
  }
  return [...found.values()]
}

const factsOfReading = (action: NormalizedAction, numbers: Numbers): Partial<Facts> => ({
  action_class: action.class,
  action_category: numbers.classes[action.class].category,
  data_store: action.dataStore,
  admin_named: action.admin,
  credential_operation: action.credential,
  also_exports: action.alsoExports,
  safeguard_weakened_rank: action.safeguardWeakened
})

const reversibilityFloorRank = (action: NormalizedAction, { classes }: Numbers): number =>
  reversibilities.indexOf(classes[action.class].reversibilityFloor)

/** Everything is stated, in agreement with either reading: then the claims are taken alike under both. */
const everythingStated = (
  { from, to }: LexiconChange,
  before: Numbers,
  after: Numbers
): ReadonlyArray<Term> => [
  ...missingFacts.map((fact) => is(fact, false)),
  ...contradictionFlags.map((fact) => is(fact, false)),
  atLeast("entities_affected", 1),
  atLeast("records_affected", 1),
  atLeast(
    "reversibility_rank",
    Math.max(reversibilityFloorRank(from, before), reversibilityFloorRank(to, after))
  ),
  ...(after.classes[to.class].alwaysChangesPrivilege ? [is("privilege_change", true)] : [])
]

/** The same action as both lexicons read it, whatever else is true of it. */
const lexiconChangeComparisons = (
  reading: LexiconChange,
  from: Side,
  to: Side
): ReadonlyArray<ScoreComparison> => {
  const [was, is] = [reading.from, reading.to]
  const as = { name: was.class, model: classModelOf(was, from.numbers) }
  const compare = (where: Term, moved: Partial<Facts>): ScoreComparison => ({
    from,
    to,
    moved: { ...factsOfReading(is, to.numbers), ...moved },
    where: all(
      matchesFacts(factsOfReading(was, from.numbers)),
      where,
      ...everythingStated(reading, from.numbers, to.numbers),
      beforeFinalMatch,
      possibleFacts(from.numbers)
    ),
    lowered: [
      ...loweredDimensionNumbers(from.numbers, to.numbers),
      ...milderClassNumbers(as, classModelOf(is, to.numbers))
    ]
  })
  if (is.class !== "read" || was.class === "read") return [compare(all(), {})]
  // Nothing that a read did is summed up, as far as history can be read.
  const nothingSummed = { cumulative_entities_step: 0, cumulative_value_step: 0 }
  return [compare(not(historyUnread), nothingSummed), compare(historyUnread, {})]
}

/** Requests in the words that two lexicons read differently, because not every string can be tried. */
const listOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value)
    ? value.filter((one) => typeof one === "string")
    : typeof value === "string"
      ? [value]
      : []

const absentFrom = (words: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.filter((word) => !others.includes(word))

const prefixOf = ({ json }: SourceFile): string => {
  const prefixes = typeof json === "object" && json !== null && "prefixes" in json ? json.prefixes : []
  return listOf(prefixes)[0] ?? ""
}

/** Every key on the way to what changed, and every word of what changed: more words than needed do no harm. */
const wordsOf = (from: unknown, to: unknown): ReadonlyArray<string> =>
  changedPaths(from, to).flatMap((change) => [
    ...change.path.slice(1, 2),
    ...absentFrom(listOf(change.from), listOf(change.to)),
    ...absentFrom(listOf(change.to), listOf(change.from))
  ])

/** Words, and names of providers with their prefix, that stand otherwise in one lexicon than in the other. */
const changedWords = (from: RuleFiles, to: RuleFiles): ReadonlyArray<string> => {
  const names = new Set([...from.lexicon, ...to.lexicon].map(({ name }) => name))
  const file = (files: RuleFiles, name: string) => files.lexicon.find((one) => one.name === name)
  const words = [...names].flatMap((name) => {
    const [before, after] = [file(from, name), file(to, name)]
    const changed = wordsOf(before?.json ?? {}, after?.json ?? {})
    const source = after ?? before
    const prefix = source === undefined ? "" : prefixOf(source)
    return changed.flatMap((word) => (prefix === "" ? [word] : [`${prefix}.${word}`, word]))
  })
  return [...new Set(words)]
}

const nouns = ["customer", "record", "report", "database", "admin", "all", "api", "key", "backup"]
const verbs = ["get", "update", "export", "send", "pay", "delete", "deploy", "set", "grant", "run", "drop"]

/** A word beside others: after every noun, before every verb, and as what everyday verbs are aimed at. */
const inContext = (word: string): ReadonlyArray<Names> => [
  ...nouns.map((noun) => ({ actionType: `${noun}.${word}` })),
  ...verbs.flatMap((verb) => [
    { actionType: `${word}.${verb}` },
    { actionType: `record.${verb}`, targetResource: word }
  ])
]

/** Several words that changed in one name. */
const mixedNames = (roll: (sides: number) => number, words: ReadonlyArray<string>): Names => {
  const from = (list: ReadonlyArray<string>): string => list[roll(list.length)] ?? "record"
  const parts = [from(words), from([...nouns, ...words]), from([...verbs, ...words])]
  return { actionType: parts.slice(roll(2)).join([".", "_", " "][roll(3)]) }
}

const mixedMin = 200
export const samplingSeed = 20_261_120

/** Each word alone, stated in every way, before any stands in company, stated in one: no word is left to chance. */
const sampleRequests = (words: ReadonlyArray<string>): ReadonlyArray<Situation> => {
  const roll = seededRandom(samplingSeed)
  const stated = (names: Names): ReadonlyArray<Situation> => {
    const ways = probesOfNames([names])
    const one = ways[roll(ways.length)]
    return one === undefined ? [] : [one]
  }
  const alone = probesOfNames(words.map((actionType) => ({ actionType })))
  // Right before a word of production, or behind a credential, it may turn that around.
  const turning = probesOfNames(
    words.flatMap((word) => [
      { actionType: "record.update", targetResource: `${word}-prod` },
      { actionType: `password.${word}.get` }
    ])
  )
  const beside = words.flatMap(inContext).flatMap(stated)
  const together = Array.from({ length: words.length === 0 ? 0 : Math.max(mixedMin, words.length) }, () =>
    mixedNames(roll, words)
  ).flatMap(stated)
  return [...alone, ...turning, ...together, ...beside].slice(0, sampledRequestsMax)
}

/**
 * Repeatable chance: the same seed rolls the same numbers.
 * Mulberry32: each call gives a whole number below `sides`.
 */
const seededRandom = (seed: number): ((sides: number) => number) => {
  let state = seed | 0
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % sides
  }
}
