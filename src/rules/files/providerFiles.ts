/** `lexicon/providers/*.json`: the names that each provider uses for its own tools and operations. */

import { actionClasses } from "../../domain/Action.ts"
import { Result, Schema } from "effect"
import { isRecord } from "../../json/json.ts"
import { extents, impacts } from "../../scoring/reading/Act.ts"
import {
  type Catalogue,
  type CatalogueEntry,
  keyOfText,
  type Listing,
  type Named,
  type NamedService,
  type Provider,
  type Providers
} from "../../scoring/reading/Catalogue.ts"
import { type Finding, type Read, readEvery, succeedUnless } from "../Finding.ts"
import { didYouMean } from "../nearestName.ts"
import { decodedOnce, decodeFile } from "./decodeFile.ts"
import type { SourceFile } from "./readTree.ts"
import { DataClassificationName, fileStruct, type Issue, ReversibilityName, Sentence } from "./vocabulary.ts"

export const ClassName = Schema.Literals(actionClasses)
export const ImpactName = Schema.Literals(impacts)
export const ExtentName = Schema.Literals(extents)

/** The reason for an entry, for reviewers. */
export const Why = Schema.optionalKey(Sentence)
export const Words = Schema.Array(Sentence)
export const Flag = Schema.optionalKey(Schema.Boolean)

const ActionFile = Schema.Struct({
  type: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[a-z0-9_]+\.[a-z0-9_]+$/u, {
        message: "expected `<object>.<verb>` in lower case, such as `pull_request.merge`"
      })
    ).annotate({ description: "Absent: by the words of the name." })
  ),
  class: ClassName,
  impact: Schema.optionalKey(ImpactName).annotate({ description: "Absent: low." }),
  extent: Schema.optionalKey(ExtentName).annotate({ description: "Absent: single." }),
  holds: Schema.optionalKey(DataClassificationName).annotate({ description: "Absent: internal." }),
  reversibility: Schema.optionalKey(ReversibilityName),
  anywhere: Flag,
  credential: Flag,
  weakens: Flag,
  why: Why
})

const LowerCase = Sentence.check(
  Schema.makeFilter((text: string) => text === text.toLowerCase() || "expected a name in lower case")
)

const headFields = {
  prefixes: Schema.Array(LowerCase).annotate({
    description: "Prefixes that are not part of a name. Not ordinary English words."
  }),
  /** Names of target systems and tool servers: `drive`, `teams`. Prefixes count as well. */
  systems: Schema.optionalKey(Schema.Array(LowerCase)),
  /** Target systems that are a single service of the provider, with the prefix of that service's names: `aurora` → `rds`. */
  services: Schema.optionalKey(Schema.Record(LowerCase, LowerCase)),
  /** One-word names that are unambiguous even if the call names no provider: `Grep`. */
  alone: Schema.optionalKey(Words),
  /**
   * All names (true) or these names count only if the call names the provider: Facebook's `delete_page` deletes the page of a whole
   * business.
   */
  onlyWhenNamed: Schema.optionalKey(Schema.Union([Schema.Literal(true), Words])),
  /** The files of the products in a suite. If the call names the suite, their names count after its own. */
  includes: Schema.optionalKey(Words),
  hosted: Schema.optionalKey(Schema.Literal(true)).annotate({
    description:
      "The tools act on machines or accounts elsewhere, as the provider's command line does. In development, a grave change there counts as in production unless the call names a development place."
  })
}

const HeadFile = fileStruct(headFields)

const AnyProvider = fileStruct({ ...headFields, actions: Schema.Record(Sentence, ActionFile) })
export type ProviderData = typeof AnyProvider.Type

const hasSeveralWords = /[\s_\-.:/]|[a-z][A-Z]/

/**
 * Reports names that are spelled twice or without letters or digits, and names in `alone` or `onlyWhenNamed` that have no entry or need not
 * be listed.
 */
const issuesOf = (file: ProviderData): ReadonlyArray<Issue> => {
  const issues: Array<Issue> = []
  const { actions, alone = [], onlyWhenNamed } = file
  const unlisted = (list: string, at: number, name: string): void => {
    if (actions[name] === undefined) {
      issues.push({ path: [list, at], issue: `\`${name}\` is not among the actions of this file` })
    }
  }
  for (const [at, name] of alone.entries()) {
    unlisted("alone", at, name)
    if (hasSeveralWords.test(name)) {
      issues.push({
        path: ["alone", at],
        issue: `\`${name}\` has several words, so it is clear without being listed here`
      })
    }
  }
  if (typeof onlyWhenNamed === "object") {
    for (const [at, name] of onlyWhenNamed.entries()) unlisted("onlyWhenNamed", at, name)
  }
  const spellings = new Map<string, string>()
  for (const name of Object.keys(actions)) {
    const key = keyOfText(name)
    const known = spellings.get(key)
    if (key === "") issues.push({ path: ["actions", name], issue: "has no letter or digit" })
    else if (known !== undefined) {
      issues.push({
        path: ["actions", name],
        issue: `is another spelling of \`${known}\`: one entry covers both`
      })
    } else if (name.includes("*")) {
      issues.push({ path: ["actions", name], issue: "contains `*`, but names have no wildcards" })
    }
    spellings.set(key, name)
  }
  return issues
}

export const ProviderFile = AnyProvider.check(Schema.makeFilter((file) => [...issuesOf(file)]))

const isName = Schema.is(Sentence)
const decodeEntry = Schema.decodeUnknownResult(ActionFile, { onExcessProperty: "error" })

/** Keyed by text: tens of thousands of entries have only about a thousand different texts, so each text is decoded once. */
type Entries = Map<string, CatalogueEntry>

const entryOf = (json: unknown, entries: Entries): CatalogueEntry | undefined => {
  const text = JSON.stringify(json)
  const known = entries.get(text)
  if (known !== undefined) return known
  const decoded = decodeEntry(json)
  if (Result.isFailure(decoded)) return undefined
  entries.set(text, decoded.success)
  return decoded.success
}

/** Fast path for a file without mistakes; undefined if `ProviderFile` must explain what is wrong. */
const readSound = ({ json, ...source }: SourceFile, entries: Entries): ProviderData | undefined => {
  if (!isRecord(json) || !isRecord(json["actions"])) return undefined
  const { actions: listed, ...headJson } = json
  const actions: Record<string, CatalogueEntry> = {}
  for (const [name, entryJson] of Object.entries(listed)) {
    const entry = isName(name) ? entryOf(entryJson, entries) : undefined
    if (entry === undefined) return undefined
    actions[name] = entry
  }
  const head = decodeFile(HeadFile, { ...source, json: headJson })
  if (Result.isFailure(head)) return undefined
  const file = { ...head.success, actions }
  return issuesOf(file).length === 0 ? file : undefined
}

const readProvider = (source: SourceFile, entries: Entries): Read<ProviderData> =>
  decodedOnce(source.json, ProviderFile, () => {
    const sound = readSound(source, entries)
    return sound === undefined ? decodeFile(ProviderFile, source) : Result.succeed(sound)
  })

/** Reports included files that do not exist or are themselves suites. */
const wronglyIncluded = (
  files: ReadonlyArray<readonly [SourceFile, ProviderData]>
): ReadonlyArray<Finding> => {
  const known = new Map(files.map(([{ name }, data]) => [name, data]))
  return files.flatMap(([{ file }, { includes = [] }]) =>
    includes.flatMap((part, at): ReadonlyArray<Finding> => {
      const data = known.get(part)
      if (data !== undefined && data.includes === undefined) return []
      const path = ["includes", at]
      if (data !== undefined) {
        return [
          { rule: "wrong-value", file, path, message: `\`${part}\` is a suite itself: include its parts` }
        ]
      }
      const { hint, suggested } = didYouMean(part, [...known.keys()])
      return [
        { rule: "wrong-value", file, path, message: `there is no file \`${part}\`${hint}`, ...suggested }
      ]
    })
  )
}

export const readProviders = (
  sources: ReadonlyArray<SourceFile>
): Read<Readonly<Record<string, ProviderData>>> => {
  const entries: Entries = new Map()
  return Result.flatMap(
    readEvery(
      sources.map((source) =>
        Result.map(readProvider(source, entries), (data): readonly [SourceFile, ProviderData] => [
          source,
          data
        ])
      )
    ),
    (files) =>
      succeedUnless(wronglyIncluded(files), () =>
        Object.fromEntries(files.map(([{ name }, data]) => [name, data]))
      )
  )
}

const none: Named = { own: [], parts: [] }

const union = (a: Providers, b: Providers): Providers => [...new Set([...a, ...b])]

const name = (map: Map<string, Named>, key: string, provider: string, parts: Providers): void => {
  const known = map.get(key) ?? none
  map.set(key, { own: union(known.own, [provider]), parts: union(known.parts, parts) })
}

const namesOf = (names: ProviderData["onlyWhenNamed"]): Provider["onlyWhenNamed"] =>
  Array.isArray(names) ? new Set(names) : names === true

export const prepareCatalogue = (providers: Readonly<Record<string, ProviderData>>): Catalogue => {
  const byPrefix = new Map<string, Named>()
  const bySystem = new Map<string, Named>()
  const services = new Map<string, NamedService>()
  const names = new Map<string, Listing>()
  const hosted = new Set<string>()
  let prefixWordsMax = 1
  // Sorted, so that the order in which files were loaded has no effect.
  for (const [file, data] of Object.entries(providers).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const parts = data.includes ?? []
    for (const prefix of data.prefixes) {
      prefixWordsMax = Math.max(prefixWordsMax, prefix.split(/[^a-z0-9]+/).length)
      name(byPrefix, keyOfText(prefix), file, parts)
    }
    for (const system of [...data.prefixes, ...(data.systems ?? [])]) {
      name(bySystem, keyOfText(system), file, parts)
    }
    for (const [system, part] of Object.entries(data.services ?? {}))
      services.set(keyOfText(system), { provider: file, part: keyOfText(part) })
    const provider = {
      name: file,
      alone: new Set(data.alone),
      onlyWhenNamed: namesOf(data.onlyWhenNamed)
    }
    if (data.hosted === true) hosted.add(file)
    const { actions } = data
    for (const spelled in actions) {
      const entry = actions[spelled]
      if (entry === undefined) continue
      const key = keyOfText(spelled)
      names.set(key, { provider, spelled, entry, next: names.get(key) })
    }
  }
  return { services, byPrefix, bySystem, names, hosted, prefixWordsMax }
}
