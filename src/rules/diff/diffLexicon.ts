/** What a lexicon reads differently than before, one change for each of its files. */

import { isDeepStrictEqual } from "node:util"
import type { Action } from "../../domain/Action.ts"
import { byCodeUnit } from "../../json/json.ts"
import type { Lexicon } from "../../scoring/lexicon/Lexicon.ts"
import { type ActionWords, normalizeAction } from "../../scoring/lexicon/normalize.ts"
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

const saidMax = 3
const probedMax = 60

const byName = (sources: ReadonlyArray<SourceFile>): ReadonlyMap<string, SourceFile> =>
  new Map(sources.map((source) => [source.name, source]))

/** The first few, and how many more there are. */
const summaryOf = (entries: ReadonlyArray<LexiconEntryChange>): string => {
  const more = entries.length - saidMax
  const rest = more > 0 ? [`and ${more} more`] : []
  return [...entries.slice(0, saidMax).map(({ says }) => says), ...rest].join("; ")
}

const changeOf = (
  name: string,
  before: SourceFile | undefined,
  after: SourceFile | undefined,
  books: { readonly from: Rulebook; readonly to: Rulebook }
): ChangeToShow => {
  const lexicons = { from: books.from.release.model.lexicon, to: books.to.release.model.lexicon }
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

/** The changed entries of one lexicon file, each by how the same names are read before and after. */
interface LexiconEntryChange {
  /** `audit_log.disable: configure, was write` */
  readonly says: string
  readonly direction: Direction
  /** Names that are read otherwise. */
  readonly examples: ReadonlyArray<ExampleNames>
}

interface Lexicons {
  readonly from: Lexicon
  readonly to: Lexicon
}

/** What is assumed of a name rises along this row: one thing, not said, many. */
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
    // A riskier verb is not riskier in everything: each class has rules and references of its own.
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
  const readings = examples.map((named) => {
    const action = { ...named, environment: "development" } as const
    const [from, to] = [normalizeAction(action, lexicons.from), normalizeAction(action, lexicons.to)]
    return { named, from, to, direction: directionOf(from, to) }
  })
  const moving = readings.filter(({ direction }) => canMove(direction))
  const [first] = moving
  return {
    says:
      first === undefined
        ? `${title} ${fate}`
        : `${nameOf(first.named)}: ${describeReading(first.to)}, was ${describeReading(first.from)}`,
    direction:
      means ?? (first === undefined ? unseen : unionOfDirections(moving.map(({ direction }) => direction))),
    examples: moving.map(({ named }) => named)
  }
}

/** Each once, although an entry may have changed in several places. */
const lexiconEntryChanges = (
  from: unknown,
  to: unknown,
  lexicons: Lexicons
): ReadonlyArray<LexiconEntryChange> => {
  const byWords = new Map<string, LexiconEntryChange>()
  for (const mention of changedEntries(changedPaths(from, to), from, to)) {
    const entry = entryChangeOf(mention, lexicons)
    if (!byWords.has(entry.says)) byWords.set(entry.says, entry)
  }
  return [...byWords.values()]
}

/** The changed entries of a lexicon file, each with names in which it shows. */
type ExampleNames = Pick<Action, "actionType" | "targetResource" | "targetSystem">

interface ChangedEntry {
  /** `admins root` */
  readonly title: string
  readonly fate: "added" | "removed" | "changed" | "reworded"
  readonly examples: ReadonlyArray<ExampleNames>
  /** Known from the list that the word stands in; null where only the examples tell. */
  readonly means: Direction | null
  /** What is to be thought where no example is read otherwise. */
  readonly unseen: Direction
}

const valueIn = (json: unknown, key: string): unknown =>
  typeof json === "object" && json !== null
    ? Object.entries(json).find(([name]) => name === key)?.[1]
    : undefined

const listOf = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value.map(String) : [])

const examplesOf = (...actionTypes: ReadonlyArray<string>): ReadonlyArray<ExampleNames> =>
  actionTypes.map((actionType) => ({ actionType }))

/** A word among others, as an action and as what one is aimed at. */
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

/** A word more in one of these only ever reveals more. */
const revealing = new Set([
  "admins",
  "bulk",
  "credentials",
  "data_stores",
  "everything",
  "production",
  "weak_credentials"
])
/** A word more in one of these only ever takes something back. */
const excusing = new Set(["credential_asides", "negating_prefixes"])

/** What any other word does hangs on the names that it stands in. */
const meaningOf = (list: string, isAdded: boolean): Direction => {
  const [before, after] = isAdded ? [0, 1] : [1, 0]
  if (revealing.has(list)) return risesWith(before, after)
  return excusing.has(list) ? fallsWith(before, after) : bothWays
}

const fateOf = ({ from, path, to }: ChangedPath, depth: number): ChangedEntry["fate"] => {
  if (path.at(-1) === "why") return "reworded"
  if (path.length > depth) return "changed"
  return from === undefined ? "added" : to === undefined ? "removed" : "changed"
}

/** Words that came and went; of a provider's prefixes its actions tell. */
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

/** A provider's name is read as its entry says and nowhere else; what a verb or a word does shows in many names. */
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
    const mention = { title: name, fate, means: null, unseen }
    if (part === "actions") return [{ ...mention, examples: spelled(name, prefix, alone) }]
    if (part === "verbs") return [{ ...mention, examples: withVerb(name) }]
    if (part === "phrases") return [{ ...mention, examples: examplesOf(name) }]
    const means = part === "safeguards" ? null : bothWays
    return [{ ...mention, title: `${part} ${name}`, examples: withWord(name), means }]
  })
}

/** What a lexicon reads in a name, in a few words: `access single admin`. */
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
