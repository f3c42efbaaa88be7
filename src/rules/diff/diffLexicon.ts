/** Names that a lexicon reads differently than before, one change for each of its files. */

import { isDeepStrictEqual } from "node:util"
import type { Action } from "../../domain/Action.ts"
import { byCodeUnit } from "../../json/json.ts"
import { firstModelOf } from "../../scoring/edition1/edition.ts"
import type { Lexicon } from "../../scoring/edition1/lexicon/Lexicon.ts"
import { type ActionWords, normalizeAction } from "../../scoring/edition1/lexicon/normalize.ts"
import type { Rulebook } from "../Rulebook.ts"
import { probesOfNames } from "../counterexample/probeSituations.ts"
import type { SourceFile } from "../files/readTree.ts"
import {
  bothWays,
  canMove,
  changeKindOf,
  type ChangeToShow,
  type Direction,
  fallsWith,
  noMove,
  risesWith,
  showsScoreMove,
  unionOfDirections
} from "./Diff.ts"
import { type ChangedPath, changedPaths } from "./changedPaths.ts"

const summarizedMax = 3
const probedMax = 60

const byName = (sources: ReadonlyArray<SourceFile>): ReadonlyMap<string, SourceFile> =>
  new Map(sources.map((source) => [source.name, source]))

/** The first few, and how many more there are. */
const summaryOf = (entries: ReadonlyArray<LexiconEntryChange>): string => {
  const more = entries.length - summarizedMax
  const rest = more > 0 ? [`and ${more} more`] : []
  return [...entries.slice(0, summarizedMax).map(({ says }) => says), ...rest].join("; ")
}

const changeOf = (
  name: string,
  before: SourceFile | undefined,
  after: SourceFile | undefined,
  books: { readonly from: Rulebook; readonly to: Rulebook }
): ChangeToShow => {
  const lexicons = {
    from: firstModelOf(books.from.release).lexicon,
    to: firstModelOf(books.to.release).lexicon
  }
  const entries = lexiconEntryChanges(before?.json ?? {}, after?.json ?? {}, lexicons)
  const direction = unionOfDirections(entries.map((entry) => entry.direction))
  const moving = entries.filter((entry) => canMove(entry.direction))
  const probes = moving.slice(0, probedMax).flatMap(({ examples }) => examples)
  const search = {
    shows: showsScoreMove(direction),
    known: () => probesOfNames(probes),
    boxes: () => []
  }
  return {
    code: `lexicon.${name}`,
    kind: changeKindOf(direction.rises, direction.falls),
    file: (after ?? before)?.file ?? `rules/lexicon/${name}.json`,
    summary: summaryOf(moving.length > 0 ? moving : entries),
    details: entries.map(({ says }) => says),
    search: moving.length === 0 ? null : search
  }
}

export const diffLexicon = (from: Rulebook, to: Rulebook): ReadonlyArray<ChangeToShow> => {
  const [before, after] = [byName(from.release.files.lexicon), byName(to.release.files.lexicon)]
  return [...new Set([...before.keys(), ...after.keys()])]
    .toSorted(byCodeUnit)
    .filter((name) => !isDeepStrictEqual(before.get(name)?.json, after.get(name)?.json))
    .map((name) => changeOf(name, before.get(name), after.get(name), { from, to }))
}

/** A changed entry of a lexicon file, with the names that are read differently because of it. */
interface LexiconEntryChange {
  /** `audit_log.disable: configure, was write` */
  readonly says: string
  readonly direction: Direction
  /** Names that are read differently. */
  readonly examples: ReadonlyArray<ExampleNames>
}

interface Lexicons {
  readonly from: Lexicon
  readonly to: Lexicon
}

/** How many things a name touches, in ascending risk: one, not said, many. */
const extents = ["single", "open", "bulk"] as const

const directionOf = (from: ActionWords, to: ActionWords): Direction => {
  const [a, b] = [from.normalized, to.normalized]
  const flags = [
    [a.dataStore, b.dataStore],
    [a.admin, b.admin],
    [a.credential, b.credential],
    [a.alsoExports, b.alsoExports],
    [from.namesEverything, to.namesEverything],
    [from.environment === "production", to.environment === "production"]
  ] as const
  return unionOfDirections([
    // A riskier class is not riskier in everything: each class has its own rules and references.
    a.class === b.class ? noMove : bothWays,
    risesWith(extents.indexOf(a.extent), extents.indexOf(b.extent)),
    risesWith(a.safeguardWeakened, b.safeguardWeakened),
    ...flags.map(([before, after]) => risesWith(Number(before), Number(after)))
  ])
}

const nameOf = ({ actionType, targetResource, targetSystem }: ExampleNames): string => {
  const target = targetResource ?? targetSystem
  return target === undefined ? actionType : `${actionType} on ${target}`
}

const entryChangeOf = (
  { examples, fate, means, title, unseen }: ChangedEntry,
  lexicons: Lexicons
): LexiconEntryChange => {
  const readings = examples.map((names) => {
    const action = { ...names, environment: "development" } as const
    const [from, to] = [normalizeAction(action, lexicons.from), normalizeAction(action, lexicons.to)]
    return { names, from, to, direction: directionOf(from, to) }
  })
  const moving = readings.filter(({ direction }) => canMove(direction))
  const [first] = moving
  return {
    says:
      first === undefined
        ? `${title} ${fate}`
        : `${nameOf(first.names)}: ${describeReading(first.to)}, was ${describeReading(first.from)}`,
    direction:
      means ?? (first === undefined ? unseen : unionOfDirections(moving.map(({ direction }) => direction))),
    examples: moving.map(({ names }) => names)
  }
}

/** Every change once: an entry that changed in several places gives the same text several times. */
const lexiconEntryChanges = (
  from: unknown,
  to: unknown,
  lexicons: Lexicons
): ReadonlyArray<LexiconEntryChange> => {
  const byText = new Map<string, LexiconEntryChange>()
  for (const changed of changedEntries(changedPaths(from, to), from, to)) {
    const entry = entryChangeOf(changed, lexicons)
    if (!byText.has(entry.says)) byText.set(entry.says, entry)
  }
  return [...byText.values()]
}

type ExampleNames = Pick<Action, "actionType" | "targetResource" | "targetSystem">

/** A changed entry of a lexicon file, with names that contain it. */
interface ChangedEntry {
  /** `admins root` */
  readonly title: string
  readonly fate: "added" | "removed" | "changed" | "reworded"
  readonly examples: ReadonlyArray<ExampleNames>
  /** The direction, if the list that contains the word decides it; null if only the examples can show it. */
  readonly means: Direction | null
  /** The direction to assume if no example is read differently. */
  readonly unseen: Direction
}

const valueIn = (json: unknown, key: string): unknown =>
  typeof json === "object" && json !== null
    ? Object.entries(json).find(([name]) => name === key)?.[1]
    : undefined

const listOf = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value.map(String) : [])

const examplesOf = (...actionTypes: ReadonlyArray<string>): ReadonlyArray<ExampleNames> =>
  actionTypes.map((actionType) => ({ actionType }))

/** Names that contain the word: as part of an action type, and as a target. */
const withWord = (words: string): ReadonlyArray<ExampleNames> => {
  const word = words.replaceAll(" ", "_")
  return [
    ...examplesOf(`update_${word}`, `customer.${word}`, `get_${word}`, `rotate_${word}`, `disable_${word}`),
    ...examplesOf(`delete_${word}`, `update_secret_${word}`, word),
    { actionType: "record.update", targetResource: word },
    { actionType: "record.update", targetResource: `${word} production` },
    { actionType: "record.update", targetSystem: `${word}-crm` }
  ]
}

const withVerb = (verb: string): ReadonlyArray<ExampleNames> =>
  examplesOf(
    ...["customer", "customers", "report"].map((object) => `${object}.${verb}`),
    ...["api_key", "audit_log", "backup_policy"].map((object) => `${verb}_${object}`)
  )

/** Lists in which an added word can only make a name riskier. */
const raisingLists = new Set([
  "admins",
  "bulk",
  "credentials",
  "data_stores",
  "everything",
  "production",
  "weak_credentials"
])
/** Lists in which an added word can only make a name milder. */
const loweringLists = new Set(["credential_asides", "negating_prefixes"])

/** The effect of a word in any other list depends on the names that contain it. */
const meaningOf = (list: string, isAdded: boolean): Direction => {
  const [before, after] = isAdded ? [0, 1] : [1, 0]
  if (raisingLists.has(list)) return risesWith(before, after)
  return loweringLists.has(list) ? fallsWith(before, after) : bothWays
}

const fateOf = ({ from, path, to }: ChangedPath, depth: number): ChangedEntry["fate"] => {
  if (path.at(-1) === "why") return "reworded"
  if (path.length > depth) return "changed"
  return from === undefined ? "added" : to === undefined ? "removed" : "changed"
}

/** One entry for each word that a list gained or lost. The examples of a provider's prefix are its actions. */
const ofList = ({ from, path: [list = ""], to }: ChangedPath, actions: ReadonlyArray<string>) => {
  const [before, after] = [listOf(from), listOf(to)]
  const words = [...before, ...after].filter((word) => before.includes(word) !== after.includes(word))
  return words.map((word): ChangedEntry => {
    const isAdded = after.includes(word)
    return {
      title: `${list} ${word}`,
      fate: isAdded ? "added" : "removed",
      examples:
        list === "prefixes" ? examplesOf(...actions.map((name) => `${word}.${name}`)) : withWord(word),
      means: meaningOf(list, isAdded),
      unseen: bothWays
    }
  })
}

const spelled = (name: string, prefix: string | undefined, alone: boolean): ReadonlyArray<ExampleNames> => {
  const prefixed = prefix === undefined ? [] : [`${prefix}.${name}`]
  return alone ? examplesOf(name, ...prefixed) : examplesOf(...prefixed, name)
}

/** The only examples of a provider's action are its own names. The examples of a verb or a word are many names that contain it. */
const changedEntries = (
  changes: ReadonlyArray<ChangedPath>,
  from: unknown,
  to: unknown
): ReadonlyArray<ChangedEntry> => {
  const file = to ?? from
  const [prefix] = listOf(valueIn(file, "prefixes"))
  const alone = valueIn(file, "alone") === true
  const actions = Object.keys(valueIn(file, "actions") ?? {})
  return changes.flatMap((change): ReadonlyArray<ChangedEntry> => {
    const [part = "", name] = change.path
    if (name === undefined) return ofList(change, actions)
    const fate = fateOf(change, 2)
    const unseen = fate === "reworded" || part === "actions" ? noMove : bothWays
    const entry = { title: name, fate, means: null, unseen }
    if (part === "actions") return [{ ...entry, examples: spelled(name, prefix, alone) }]
    if (part === "verbs") return [{ ...entry, examples: withVerb(name) }]
    if (part === "phrases") return [{ ...entry, examples: examplesOf(name) }]
    const means = part === "safeguards" ? null : bothWays
    return [{ ...entry, title: `${part} ${name}`, examples: withWord(name), means }]
  })
}

/** The reading of a name in a few words: `access single admin`. */
const describeReading = ({ environment, namesEverything, normalized }: ActionWords): string => {
  const { admin, alsoExports, credential, dataStore, extent, safeguardWeakened } = normalized
  const flags: ReadonlyArray<readonly [says: string, is: boolean]> = [
    ["bulk", extent === "bulk"],
    ["single", extent === "single"],
    ["data store", dataStore],
    ["admin", admin],
    ["credential", credential],
    ["also exports", alsoExports],
    ["weakens a safeguard", safeguardWeakened > 0],
    ["everything", namesEverything],
    ["production", environment === "production"]
  ]
  return [normalized.class, ...flags.flatMap(([says, is]) => (is ? [says] : []))].join(" ")
}
