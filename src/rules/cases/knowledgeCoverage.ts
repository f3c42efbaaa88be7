/** How much knowledge the cases cover: the forms, statements, calls, parameters and alternatives that no case reaches. */

import { Result } from "effect"
import { isRecord } from "../../json/json.ts"
import { score } from "../../scoring/score.ts"
import type { Rulebook } from "../Rulebook.ts"
import { decodedFrom } from "../files/decodeFile.ts"
import { lexiconPart, type SourceFile } from "../files/readTree.ts"
import { asHookStates, type PlacelessCall } from "../corpus/callGroups.ts"
import { type AlternativesData, isAlternativeFile, readAlternatives } from "../lexicon/alternativeFile.ts"
import { prepareActs } from "../lexicon/readLexicon.ts"
import { type Origin, origins } from "../lexicon/actText.ts"
import { type CaseFile, situationsOf } from "./Case.ts"
import { type Situation, snapshotOf } from "./Situation.ts"
import { measureReached, type Reached } from "./coverage.ts"

/** The coverage of one lexicon file. */
export interface PartCoverage extends Reached {
  /** `programs/git` */
  readonly of: string
  readonly file: string
  /** The entries that no case reaches, as written in the file. */
  readonly unreached: ReadonlyArray<string>
}

export interface KnowledgeCoverage extends Reached {
  /** In the order of the files. */
  readonly parts: ReadonlyArray<PartCoverage>
}

/** An alternative has its cases in its own entry: command lines, or action names if they contain no space. */
const casesOfAlternatives = ({ alternatives }: AlternativesData): ReadonlyArray<PlacelessCall> =>
  alternatives
    .flatMap(({ cases }) => cases)
    .map((text) => (text.includes(" ") ? asHookStates(text) : { actionType: text }))

/**
 * Scores every call of every case and of the alternatives, because alternatives are chosen after the score. Prepares the tables of commands
 * and parameters again, because compiled ones no longer refer to files.
 */
export const knowledgeCoverage = (
  { policies, release }: Rulebook,
  suite: ReadonlyArray<CaseFile>
): KnowledgeCoverage | undefined => {
  const sources = release.files.lexicon
  const read = Result.all([prepareActs(sources), readAlternatives(sources.filter(isAlternativeFile))])
  // Reading the rules reports what is wrong with them.
  if (Result.isFailure(read)) return undefined
  const [tables, alternatives] = read.success
  const { all, used } = noteUsedEntries(tables)
  const entries = entriesIn(sources, all)
  const model = { ...release.model, lexicon: { ...release.model.lexicon, ...tables } }
  const situations: ReadonlyArray<Situation> = [
    ...suite.flatMap(({ cases }) => cases.flatMap(situationsOf)),
    ...casesOfAlternatives(alternatives).map((call) => ({
      request: { ...call, environment: "production" } as const
    }))
  ]
  for (const situation of situations)
    score(situation.request, snapshotOf(situation, model), model, policies.policySet)
  const measure = (own: typeof entries) => measureReached(own, ({ entry }) => used.has(entry))
  return {
    ...measure(entries),
    parts: [...Map.groupBy(entries, ({ part }) => part)].map(([of, own]) => ({
      of,
      file: own[0]?.file ?? "",
      ...measure(own),
      unreached: own.filter(({ entry }) => !used.has(entry)).map(({ text }) => text)
    }))
  }
}

interface KnowledgeEntry {
  readonly entry: object
  /** `programs/git` */
  readonly part: string
  readonly file: string
  /** The beginning of the entry as written in its file: `push --force|-f ~main`. */
  readonly text: string
}

const textOf = (entry: object): string => {
  if (Array.isArray(entry)) return String(entry[0])
  const { is, of, roles, say } = isRecord(entry) ? entry : {}
  return String(say ?? [of ?? roles, is].filter((text) => text !== undefined).join(" "))
}

const objectsIn = (value: unknown): ReadonlyArray<object> =>
  typeof value === "object" && value !== null ? [value, ...Object.values(value).flatMap(objectsIn)] : []

/** In the order of the files. */
const entriesIn = (
  sources: ReadonlyArray<SourceFile>,
  all: ReadonlySet<object>
): ReadonlyArray<KnowledgeEntry> =>
  sources.flatMap((source) =>
    decodedFrom(source.json)
      .flatMap(objectsIn)
      .filter((entry) => all.has(entry))
      .map((entry) => ({ entry, part: lexiconPart(source), file: source.file, text: textOf(entry) }))
  )

/** Calls `visit` for everything in prepared knowledge that was made from a file's entry. */
const visitMade = (knowledge: unknown, visit: (prepared: object, origin: Origin) => void): void => {
  const seen = new Set<object>()
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return
    seen.add(value)
    if (value instanceof Map) for (const inner of value.values()) walk(inner)
    else for (const inner of Object.values(value)) walk(inner)
    const origin = origins.get(value)
    if (origin !== undefined) visit(value, origin)
  }
  walk(knowledge)
}

interface UsedEntries {
  /** Every entry from which something was made. */
  readonly all: ReadonlySet<object>
  /** The entries that have decided a reading since the start. */
  readonly used: ReadonlySet<object>
}

/** Records from now on which entries decide a reading. Changes the knowledge in place, so that it is no longer plain data. */
const noteUsedEntries = (knowledge: object): UsedEntries => {
  const all = new Set<object>()
  const used = new Set<object>()
  visitMade(knowledge, (prepared, { effects, entry }) => {
    all.add(entry)
    for (const effect of effects) {
      const value: unknown = Reflect.get(prepared, effect)
      const get = (): unknown => {
        used.add(entry)
        return value
      }
      Object.defineProperty(prepared, effect, { enumerable: true, get })
    }
  })
  return { all, used }
}
