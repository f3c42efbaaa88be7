/** Coverage of knowledge by cases: the forms, statements, calls, parameters and alternatives that no case reaches. */

import { Result } from "effect"
import { isRecord } from "../../json/json.ts"
import { score } from "../../scoring/score.ts"
import type { Read } from "../Finding.ts"
import type { Rulebook } from "../Rulebook.ts"
import { decodedFrom } from "../files/decodeFile.ts"
import { lexiconPart, type SourceFile } from "../files/readTree.ts"
import { snakeCase } from "../files/vocabulary.ts"
import type { Lexicon } from "../../scoring/reading/callArguments.ts"
import { asHookStates, type PlacelessCall } from "../corpus/callGroups.ts"
import { isAlternativeFile } from "../lexicon/alternativeFile.ts"
import { prepareActs } from "../lexicon/readLexicon.ts"
import { type Origin, origins } from "../lexicon/actText.ts"
import { type CaseFile, situationsOf } from "./Case.ts"
import { type Situation, snapshotOf } from "./Situation.ts"

interface Reached {
  readonly reachable: number
  readonly reached: number
  /** 0-100, rounded down. */
  readonly percent: number
}

/** Coverage of one file of the lexicon. */
export interface PartCoverage extends Reached {
  /** `programs/git` */
  readonly of: string
  readonly file: string
  /** The entries that no case reaches, in the words of the file. */
  readonly unreached: ReadonlyArray<string>
}

export interface KnowledgeCoverage extends Reached {
  /** In the order of the files. */
  readonly parts: ReadonlyArray<PartCoverage>
}

const measure = (reachable: number, reached: number): Reached => ({
  reachable,
  reached,
  percent: reachable === 0 ? 100 : Math.floor((100 * reached) / reachable)
})

/** An alternative has its cases in its own entry: commands, and names of actions where there is no space. */
const casesOfAlternatives = ({ release: { files } }: Rulebook): ReadonlyArray<PlacelessCall> =>
  files.lexicon.filter(isAlternativeFile).flatMap(({ json }) => {
    const entries = isRecord(json) && Array.isArray(json["alternatives"]) ? json["alternatives"] : []
    return entries.flatMap((entry: unknown) => {
      const texts = isRecord(entry) && Array.isArray(entry["cases"]) ? entry["cases"].map(String) : []
      return texts.map((text) => (text.includes(" ") ? asHookStates(text) : { actionType: text }))
    })
  })

/** Every call of every case, and those of the alternatives. Each is scored: an alternative is chosen after the score. */
export const knowledgeCoverage = (
  book: Rulebook,
  suite: ReadonlyArray<CaseFile>
): KnowledgeCoverage | undefined => {
  const noting = notingLexicon(book.release.model.lexicon, book.release.files.lexicon)
  // The reading of the rules reports what is wrong with it.
  if (Result.isFailure(noting)) return undefined
  const { entries, lexicon, usedBy } = noting.success
  const model = { ...book.release.model, lexicon }
  const situations: ReadonlyArray<Situation> = [
    ...suite.flatMap(({ cases }) => cases.flatMap(situationsOf)),
    ...casesOfAlternatives(book).map((call) => ({ request: { ...call, environment: "production" } as const }))
  ]
  const used = new Set(
    usedBy(() => {
      for (const situation of situations)
        score(situation.request, snapshotOf(situation, model), model, book.policies.policySet)
    })
  )
  return {
    ...measure(entries.length, used.size),
    parts: [...Map.groupBy(entries, ({ part }) => part)].map(([of, own]) => partCoverage(of, own, used))
  }
}

const partCoverage = (
  of: string,
  own: ReadonlyArray<KnowledgeEntry>,
  used: ReadonlySet<KnowledgeEntry>
): PartCoverage => {
  const unreached = own.filter((entry) => !used.has(entry))
  return {
    of,
    file: own[0]?.file ?? "",
    ...measure(own.length, own.length - unreached.length),
    unreached: unreached.map(({ text }) => text)
  }
}

interface KnowledgeEntry {
  /** `programs/git` */
  readonly part: string
  readonly file: string
  readonly path: ReadonlyArray<PropertyKey>
  /** The beginning of the entry as its file has it: `push --force|-f ~main`. */
  readonly text: string
}

/** A lexicon that tells which entries of its files a call uses. */
interface NotingLexicon {
  readonly lexicon: Lexicon
  /** Every entry, in the order of the files. */
  readonly entries: ReadonlyArray<KnowledgeEntry>
  /** The entries that `read` uses of this lexicon, in the order of the files. */
  readonly usedBy: (read: () => unknown) => ReadonlyArray<KnowledgeEntry>
}

const textOf = (entry: object): string => {
  if (Array.isArray(entry)) return String(entry[0])
  const { is, of, roles, say } = isRecord(entry) ? entry : {}
  return String(say ?? [of ?? roles, is].filter((text) => text !== undefined).join(" "))
}

/** Every object below a decoded file, with the path that its JSON has. */
const placesBelow = (
  value: unknown,
  path: KnowledgeEntry["path"],
  found: (object: object, path: KnowledgeEntry["path"]) => void
): void => {
  if (typeof value !== "object" || value === null) return
  found(value, path)
  if (Array.isArray(value)) value.forEach((item: unknown, i) => placesBelow(item, [...path, i], found))
  else for (const [key, inner] of Object.entries(value)) placesBelow(inner, [...path, snakeCase(key)], found)
}

/** `lexicon`: that of these files. The tables of commands and parameters are prepared once more: compiled ones know no files. */
const notingLexicon = (lexicon: Lexicon, sources: ReadonlyArray<SourceFile>): Read<NotingLexicon> =>
  Result.map(prepareActs(sources), (tables) => {
    const { all, used } = noteUsedEntries(tables)
    const places = new Map<object, KnowledgeEntry>()
    for (const source of sources)
      for (const decoded of decodedFrom(source.json))
        placesBelow(decoded, [], (entry, path) => {
          if (!all.has(entry)) return
          places.set(entry, { part: lexiconPart(source), file: source.file, path, text: textOf(entry) })
        })
    return {
      lexicon: { ...lexicon, ...tables },
      entries: [...places.values()],
      usedBy: (read) => {
        used.clear()
        read()
        return [...places].flatMap(([entry, place]) => (used.has(entry) ? [place] : []))
      }
    }
  })

/** Calls `visit` with everything that was made from an entry, anywhere in prepared knowledge. */
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
  /** Every entry that something was made from. */
  readonly all: ReadonlySet<object>
  /** Those that decided in a reading. Clear it before the next one. */
  readonly used: Set<object>
}

/** Notes from now on which entries decide in a reading. The knowledge is changed for it, and is plain data no longer. */
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
