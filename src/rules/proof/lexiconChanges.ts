/** What changes where two lexicons read the same name differently: sample requests, the pairs of readings, and a search for each pair. */

import { isDeepStrictEqual } from "node:util"
import { reversibilities } from "../../domain/Action.ts"
import { proofFallsMax, sampledRequestsMax } from "../../limits.ts"
import type { Facts } from "../../scoring/Facts.ts"
import type { Numbers } from "../../scoring/edition1/Model.ts"
import type { NormalizedAction } from "../../scoring/edition1/NormalizedAction.ts"
import { classModelOf } from "../../scoring/edition1/StatedAction.ts"
import { firstModelOf } from "../../scoring/edition1/edition.ts"
import type { Lexicon } from "../../scoring/edition1/lexicon/Lexicon.ts"
import { normalize } from "../../scoring/edition1/lexicon/normalize.ts"
import type { Rulebook } from "../Rulebook.ts"
import { all, atLeast, is, matchesFacts, not, type Term } from "../analysis/Term.ts"
import { historyUnread } from "../analysis/possibleFacts.ts"
import { firstPossibleFacts } from "../edition1/possibleFacts.ts"
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
  /** How many pairs of different readings were searched to the end. A pair is how the two lexicons read one name. */
  readonly readings: number
  /** How many pairs need more steps than the search may take. */
  readonly undecided: number
  /** The first few pairs for which some action that states every field evaluates lower. */
  readonly loweredReadings: ReadonlyArray<LoweredReading>
  /** One name for each pair. */
  readonly names: ReadonlyArray<LexiconChange["names"]>
}

const lexiconFilesOf = ({ release }: Rulebook): unknown =>
  release.files.lexicon.map(({ name, json }) => [name, json])

/** Sample requests in the changed words; none if the lexicons are equal. */
export const requestsInChangedWords = (from: Rulebook, to: Rulebook): ReadonlyArray<Situation> =>
  isDeepStrictEqual(lexiconFilesOf(from), lexiconFilesOf(to))
    ? []
    : sampleRequests(changedWords(from.release.files, to.release.files))

export const compareLexicons = (
  from: Rulebook,
  to: Rulebook,
  requests: ReadonlyArray<Situation>
): LexiconComparison => {
  const readings = lexiconChanges(
    requests,
    firstModelOf(from.release).lexicon,
    firstModelOf(to.release).lexicon
  )
  const sides = [sideOf(from), sideOf(to)] as const
  const loweredReadings: Array<LoweredReading> = []
  let undecided = 0
  for (const reading of readings) {
    const runs = lexiconChangeComparisons(reading, ...sides).map(runSearch)
    const lower = runs.flatMap((run) => run.lower)
    if (lower.length > 0) loweredReadings.push({ reading, lower })
    else if (runs.some(({ finished }) => !finished)) undecided++
    if (loweredReadings.length >= proofFallsMax) break
  }
  return {
    readings: readings.length - undecided,
    undecided,
    loweredReadings,
    names: readings.map(({ names }) => names)
  }
}

/** Requests with the facts that evaluate lower. Each is renamed to the name that the two lexicons read differently. */
export function* withReadNames({ loweredReadings }: LexiconComparison, from: Rulebook): Generator<Situation> {
  for (const { lower, reading } of loweredReadings) {
    for (const { box } of lower) {
      const made = realize(box, from.release.edition)
      if (made !== null) yield { ...made, request: { ...made.request, ...reading.names } }
    }
  }
}

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

/** A name, and how each of the two lexicons reads it. */
interface LexiconChange {
  readonly names: Names
  readonly from: NormalizedAction
  readonly to: NormalizedAction
}

/** Everything of a reading that scores, except the name itself. */
const meaningOf = (action: NormalizedAction): string => JSON.stringify({ ...action, type: "" })

/** The names that the lexicons read differently: the first name of each pair of readings. */
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

/** Holds if every field is stated and contradicts neither reading. Both rulebooks then take every field as it is stated. */
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

/** Compares an action as the first lexicon reads its name with the same action as the second reads it, for any other facts. */
const lexiconChangeComparisons = (
  reading: LexiconChange,
  from: Side,
  to: Side
): ReadonlyArray<ScoreComparison> => {
  const [was, is] = [reading.from, reading.to]
  const readBefore = { name: was.class, model: classModelOf(was, from.numbers) }
  const compare = (where: Term, overrides: Partial<Facts>): ScoreComparison => ({
    from,
    to,
    overrides: { ...factsOfReading(is, to.numbers), ...overrides },
    where: all(
      matchesFacts(factsOfReading(was, from.numbers)),
      where,
      ...everythingStated(reading, from.numbers, to.numbers),
      beforeFinalMatch,
      firstPossibleFacts(from.numbers)
    ),
    lowered: [
      ...loweredDimensionNumbers(from.numbers, to.numbers),
      ...milderClassNumbers(readBefore, classModelOf(is, to.numbers))
    ]
  })
  if (is.class !== "read" || was.class === "read") return [compare(all(), {})]
  // A read has no cumulative steps, unless the history could not be read.
  const nothingSummed = { cumulative_entities_step: 0, cumulative_value_step: 0 }
  return [compare(not(historyUnread), nothingSummed), compare(historyUnread, {})]
}

const listOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value)
    ? value.filter((element) => typeof element === "string")
    : typeof value === "string"
      ? [value]
      : []

const absentFrom = (words: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.filter((word) => !others.includes(word))

const prefixOf = ({ json }: SourceFile): string => {
  const prefixes = typeof json === "object" && json !== null && "prefixes" in json ? json.prefixes : []
  return listOf(prefixes)[0] ?? ""
}

/** The key of each changed entry, and every word that it gained or lost. More words than needed do no harm. */
const wordsOf = (from: unknown, to: unknown): ReadonlyArray<string> =>
  changedPaths(from, to).flatMap((change) => [
    ...change.path.slice(1, 2),
    ...absentFrom(listOf(change.from), listOf(change.to)),
    ...absentFrom(listOf(change.to), listOf(change.from))
  ])

/** The words that differ between two lexicons. A name of a provider is listed with and without the prefix. */
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

/** The word among others: after every noun, before every verb, and as the target of every verb. */
const inContext = (word: string): ReadonlyArray<Names> => [
  ...nouns.map((noun) => ({ actionType: `${noun}.${word}` })),
  ...verbs.flatMap((verb) => [
    { actionType: `${word}.${verb}` },
    { actionType: `record.${verb}`, targetResource: word }
  ])
]

/** A name of several random words, changed words among them. */
const mixedNames = (random: RandomBelow, words: ReadonlyArray<string>): Names => {
  const oneOf = (list: ReadonlyArray<string>): string => list[random(list.length)] ?? "record"
  const parts = [oneOf(words), oneOf([...nouns, ...words]), oneOf([...verbs, ...words])]
  return { actionType: parts.slice(random(2)).join([".", "_", " "][random(3)]) }
}

const mixedMin = 200
export const samplingSeed = 20_261_120

/** Each word alone with every statement, then names of several words with one random statement. So every word is tried. */
const sampleRequests = (words: ReadonlyArray<string>): ReadonlyArray<Situation> => {
  const random = seededRandom(samplingSeed)
  const randomProbe = (names: Names): ReadonlyArray<Situation> => {
    const probes = probesOfNames([names])
    const probe = probes[random(probes.length)]
    return probe === undefined ? [] : [probe]
  }
  const alone = probesOfNames(words.map((actionType) => ({ actionType })))
  // The word can negate a production word behind it, or a credential in front of it.
  const negating = probesOfNames(
    words.flatMap((word) => [
      { actionType: "record.update", targetResource: `${word}-prod` },
      { actionType: `password.${word}.get` }
    ])
  )
  const withOthers = words.flatMap(inContext).flatMap(randomProbe)
  const mixed = Array.from({ length: words.length === 0 ? 0 : Math.max(mixedMin, words.length) }, () =>
    mixedNames(random, words)
  ).flatMap(randomProbe)
  return [...alone, ...negating, ...mixed, ...withOthers].slice(0, sampledRequestsMax)
}

/** Gives a random whole number from 0 to below `limit`. */
type RandomBelow = (limit: number) => number

/** Mulberry32: the same seed gives the same numbers. */
const seededRandom = (seed: number): RandomBelow => {
  let state = seed | 0
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % limit
  }
}
