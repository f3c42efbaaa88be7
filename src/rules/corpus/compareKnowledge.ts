/** Compares the readings of two lexicons: scores every call of the corpus that they read differently under both rulebooks, and groups the moves by kind. */

import { Array as Arrays, Record as Records } from "effect"
import { isDeepStrictEqual } from "node:util"
import type { Environment } from "../../domain/Action.ts"
import type { ActionRiskLevel } from "../../domain/Opinion.ts"
import { byCodeUnit, isRecord } from "../../json/json.ts"
import { readCall, type Reading } from "../../scoring/reading/readCall.ts"
import type { RulebookPair } from "../Rulebook.ts"
import { byPoints, isFall, isRise, moveBetween, type OpinionMove } from "../ScoreAndControl.ts"
import type { Situation } from "../cases/Situation.ts"
import { scoreIn, toWitness, type Witness } from "../counterexample/findWitness.ts"
import { meaningOfReading } from "../counterexample/spellings.ts"
import { lexiconPart, type RuleFiles, type SourceFile } from "../files/readTree.ts"
import { isAlternativeFile } from "../lexicon/alternativeFile.ts"
import type { PlacelessCall } from "./callGroups.ts"

/** The prefix of every kind's code. */
export const knowledgeCode = "knowledge."

/** Calls that moved because of the same change in reading: from deletions to reads, for example, or deletions that stayed deletions. */
export interface KnowledgeKind {
  /** `knowledge.delete-as-read`, `knowledge.delete`. A release refers to this code to accept the falls. */
  readonly code: string
  /** `read as delete, now as read` */
  readonly says: string
  /** The number of answers with a lower score or a weaker control, and of those with a higher or a stronger one. */
  readonly falls: number
  readonly rises: number
  /** How many answers moved from one level to another: `high → low`. */
  readonly levels: Readonly<Record<string, number>>
  /** Deepest falls first, then the highest rises. */
  readonly shown: ReadonlyArray<KnowledgeMove>
}

export interface KnowledgeMove extends OpinionMove {
  readonly witness: Witness
  /** `low → high` */
  readonly levels: string
}

export interface KnowledgeComparison {
  /** The lexicon files that differ in more than reasons: `programs/git`. */
  readonly files: ReadonlyArray<string>
  /** The number of calls read under both, and of those that are read differently. */
  readonly calls: number
  readonly differing: number
  /** Deepest fall first. Omits kinds that neither fall nor rise. */
  readonly kinds: ReadonlyArray<KnowledgeKind>
}

/** A file's reasons, version and schema affect neither score nor control. */
const unscored: ReadonlySet<string> = new Set(["$schema", "version", "why"])

export const scoredPart = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(scoredPart)
  if (!isRecord(json)) return json
  const kept = Object.entries(json).filter(([key, value]) => !unscored.has(key) || typeof value !== "string")
  return Object.fromEntries(kept.map(([key, value]) => [key, scoredPart(value)]))
}

/** By part. Without alternatives, because an answer names one only after scoring. */
export const scoredLexicon = ({ lexicon }: Pick<RuleFiles, "lexicon">): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    lexicon
      .filter((file) => !isAlternativeFile(file))
      .map((file) => [lexiconPart(file), scoredPart(file.json)])
  )

/** The parts of two records that differ, in code unit order. */
export const differingParts = (
  from: Readonly<Record<string, unknown>>,
  to: Readonly<Record<string, unknown>>
): ReadonlyArray<string> =>
  [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((part) => !isDeepStrictEqual(from[part], to[part]))
    .toSorted(byCodeUnit)

const places = ["production", "development"] as const

/** `corpus`: returns the calls, given the relevant files of both lexicons. Null if both read every call alike. */
export const compareKnowledge = (
  { from, to }: RulebookPair,
  corpus: (lexicon: ReadonlyArray<SourceFile>) => ReadonlyArray<PlacelessCall>
): KnowledgeComparison | null => {
  const [before, after] = [from.release.files, to.release.files]
  if (before.lexicon === after.lexicon) return null
  const files = differingParts(scoredLexicon(before), scoredLexicon(after))
  if (files.length === 0) return null
  const calls = distinctCalls(corpus([before, after].flatMap(({ lexicon }) => filesToName(lexicon, files))))
  const readIn = files.some(decidesByPlace) ? places : (["development"] as const)
  const changes = calls.flatMap((call) => readingChange(call, readIn, { from, to }) ?? [])
  const kinds = [...Map.groupBy(changes, kindOf)].map(([code, own]) => moveOfKind(code, own, { from, to }))
  return {
    files,
    calls: calls.length,
    differing: changes.length,
    kinds: kinds
      .filter(({ falls, rises }) => falls + rises > 0)
      .toSorted((a, b) => byFirstMove(a, b) || byCodeUnit(a.code, b.code))
  }
}

/** Signals and parameter rules can be limited to production or to other places. */
const decidesByPlace = (part: string): boolean => part === "words/signals" || part.startsWith("parameters/")

/** The changed files. If words changed, also the catalogues, because the words of an entry decide what kind of thing it is about. */
const filesToName = (
  lexicon: ReadonlyArray<SourceFile>,
  changed: ReadonlyArray<string>
): ReadonlyArray<SourceFile> => {
  const wordsChanged = changed.some((part) => part.startsWith("words/"))
  return lexicon.filter(
    (file) => changed.includes(lexiconPart(file)) || (wordsChanged && file.folder === "providers")
  )
}

/** Removes duplicates, because several sources contain the same call. */
const distinctCalls = (calls: ReadonlyArray<PlacelessCall>): ReadonlyArray<PlacelessCall> => [
  ...new Map(calls.map((call) => [JSON.stringify({ ...call, environment: undefined }), call])).values()
]

const meaningOf = (reading: Reading): string => `${reading.type} ${meaningOfReading(reading)}`

/** The first environment in which the call is read differently. */
const readingChange = (
  call: PlacelessCall,
  readIn: ReadonlyArray<Environment>,
  { from: before, to: after }: RulebookPair
) => {
  for (const environment of readIn) {
    const action = { ...call, environment }
    const from = readCall(action, before.release.model.lexicon)
    const to = readCall(action, after.release.model.lexicon)
    // A fast test first: nearly all readings are equal in every member.
    if (JSON.stringify(from) !== JSON.stringify(to) && meaningOf(from) !== meaningOf(to))
      return { call, from, to }
  }
  return undefined
}

type ReadingChange = NonNullable<ReturnType<typeof readingChange>>

const kindOf = ({ from, to }: ReadingChange): string =>
  `${knowledgeCode}${from.class}${from.class === to.class ? "" : `-as-${to.class}`}`

const byFirstMove = (a: KnowledgeKind, b: KnowledgeKind): number => {
  const [one, other] = [a.shown[0], b.shown[0]]
  return one === undefined || other === undefined ? 0 : byPoints(one, other)
}

/** As many as a reader takes in at a glance. */
const shownMax = 20

const moveOfKind = (
  code: string,
  changes: ReadonlyArray<ReadingChange>,
  books: RulebookPair
): KnowledgeKind => {
  const moves = changes
    .flatMap(({ call }) => places.map((environment) => moveOf({ request: { ...call, environment } }, books)))
    .toSorted(byPoints)
  const [falls, rises] = [moves.filter(isFall), moves.filter(isRise)]
  const [first] = changes
  const levels = moves.map((move) => move.levels).filter((text) => text !== "")
  return {
    code,
    says:
      first === undefined || first.from.class === first.to.class
        ? `read as ${first?.from.class} before and after`
        : `read as ${first.from.class}, now as ${first.to.class}`,
    falls: falls.length,
    rises: rises.length,
    levels: Records.map(
      Arrays.groupBy(levels, (text) => text),
      ({ length }) => length
    ),
    shown: [...falls.slice(0, shownMax), ...rises.toReversed().slice(0, shownMax)].map(
      ({ situation, ...move }) => ({ ...move, witness: toWitness(situation, books) })
    )
  }
}

const moveOf = (situation: Situation, { from, to }: RulebookPair) => {
  const [before, after] = [scoreIn(from, situation), scoreIn(to, situation)]
  return { ...moveBetween(before, after), situation, levels: levelMove(before.level, after.level) }
}

const levelMove = (from: ActionRiskLevel, to: ActionRiskLevel): string =>
  from === to ? "" : `${from} → ${to}`
