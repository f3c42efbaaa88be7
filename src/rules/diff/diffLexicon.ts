/** Calls that a lexicon reads differently than before, one change for each of its files. */

import { isDeepStrictEqual } from "node:util"
import { dataClassifications, reversibilities } from "../../domain/Action.ts"
import { byCodeUnit } from "../../json/json.ts"
import type { Numbers } from "../../scoring/Numbers.ts"
import { extents, impacts } from "../../scoring/reading/Act.ts"
import type { Lexicon } from "../../scoring/reading/callArguments.ts"
import { readCall, type Reading } from "../../scoring/reading/readCall.ts"
import type { Rulebook } from "../Rulebook.ts"
import { probesOfNames } from "../counterexample/probeSituations.ts"
import { lexiconPart, type SourceFile } from "../files/readTree.ts"
import { isCommandFile } from "../lexicon/commandFiles.ts"
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
  unionOfDirections,
  type WordChange
} from "./Diff.ts"
import { commandsOfChange } from "./commandExamples.ts"
import { type ChangedEntry, changedEntries, type ExampleNames } from "./lexiconEntries.ts"

const summarizedMax = 3
const probedMax = 60

const byPart = (sources: ReadonlyArray<SourceFile>): ReadonlyMap<string, SourceFile> =>
  new Map(sources.map((source) => [lexiconPart(source), source]))

/** The first few, and how many more there are. */
const summaryOf = (entries: ReadonlyArray<LexiconEntryChange>): string => {
  const more = entries.length - summarizedMax
  const rest = more > 0 ? [`and ${more} more`] : []
  return [...entries.slice(0, summarizedMax).map(({ says }) => says), ...rest].join("; ")
}

/** A file of the lexicon that differs, with its entries. */
export interface LexiconFileChange {
  /** `lexicon.providers.stripe`, `lexicon.words.verbs`, `lexicon.programs.git` */
  readonly code: string
  readonly file: string
  readonly entries: ReadonlyArray<LexiconEntryChange>
}

export const changedLexiconFiles = (from: Rulebook, to: Rulebook): ReadonlyArray<LexiconFileChange> => {
  const [before, after] = [byPart(from.release.files.lexicon), byPart(to.release.files.lexicon)]
  const models = { from: from.release.model, to: to.release.model }
  const lexicons = { from: models.from.lexicon, to: models.to.lexicon }
  return [...new Set([...before.keys(), ...after.keys()])]
    .toSorted(byCodeUnit)
    .filter((part) => !isDeepStrictEqual(before.get(part)?.json, after.get(part)?.json))
    .map((part) => {
      const [was, is] = [before.get(part), after.get(part)]
      const some = is ?? was
      const changed =
        some !== undefined && isCommandFile(some)
          ? commandsOfChange(part, was?.json, is?.json)
          : changedEntries(part, {
              from: was?.json ?? {},
              to: is?.json ?? {},
              lexicons: [lexicons.to, lexicons.from]
            })
      return {
        code: `lexicon.${part.replace("/", ".")}`,
        file: some?.file ?? `rules/lexicon/${part}.json`,
        entries: distinctEntries(changed.map((entry) => entryChangeOf(entry, lexicons, models.to.numbers)))
      }
    })
}

const changeOf = ({ code, entries, file }: LexiconFileChange): ChangeToShow => {
  const direction = unionOfDirections(entries.map((entry) => entry.direction))
  const moving = entries.filter((entry) => canMove(entry.direction))
  const probes = moving.slice(0, probedMax).flatMap(({ readings }) => readings.map(({ names }) => names))
  return {
    code,
    kind: changeKindOf(direction.rises, direction.falls),
    file,
    summary: summaryOf(moving.length > 0 ? moving : entries),
    details: entries.map(({ says }) => says),
    words: entries.map(wordChangeOf),
    search:
      moving.length === 0
        ? null
        : { shows: showsScoreMove, known: () => probesOfNames(probes), boxes: () => [] }
  }
}

const wordChangeOf = ({ fate, readings: [first], title }: LexiconEntryChange): WordChange => ({
  title,
  fate,
  read: first === undefined ? null : { call: nameOf(first.names), ...describeReadings(first) }
})

export const diffLexicon = (from: Rulebook, to: Rulebook): ReadonlyArray<ChangeToShow> =>
  changedLexiconFiles(from, to).map(changeOf)

/** A call as both lexicons read it. */
export interface ReadingChange {
  readonly names: ExampleNames
  readonly from: Reading
  readonly to: Reading
}

/** A changed entry of a lexicon file, with the calls that are read differently because of it. */
export interface LexiconEntryChange extends Omit<ChangedEntry, "examples"> {
  /** `disable_audit_log: configure high, was write low` */
  readonly says: string
  readonly direction: Direction
  readonly readings: ReadonlyArray<ReadingChange>
}

const flags = [
  "anywhere",
  "credential",
  "weakens",
  "admin",
  "everything",
  "unread",
  "contradicted",
  "hinted",
  "alsoExports"
] as const

/**
 * More things raise what is left out altogether. One count that is stated tells of the other by their proportion, which can be
 * lower for the wider extent.
 */
const extentDirection = (from: Reading, to: Reading, { classes }: Numbers): Direction => {
  if (from.extent === to.extent) return noMove
  const { harmless, references } = classes[to.class]
  return harmless || references.recordsMin > 0
    ? risesWith(extents.indexOf(from.extent), extents.indexOf(to.extent))
    : bothWays
}

const directionOfReadings = (from: Reading, to: Reading, numbers: Numbers): Direction => {
  // A riskier class is not riskier in everything: each class has its own rules and references. A type is what history goes by.
  if (from.class !== to.class || from.kind !== to.kind || from.type !== to.type) return bothWays
  if (from.reversibility !== undefined && to.reversibility === undefined) return bothWays
  const rank = ({ reversibility }: Reading) =>
    reversibility === undefined ? 0 : reversibilities.indexOf(reversibility)
  return unionOfDirections([
    risesWith(impacts.indexOf(from.impact), impacts.indexOf(to.impact)),
    extentDirection(from, to, numbers),
    risesWith(dataClassifications.indexOf(from.holds), dataClassifications.indexOf(to.holds)),
    from.reversibility === undefined && to.reversibility !== undefined
      ? bothWays
      : risesWith(rank(from), rank(to)),
    fallsWith(Number(from.soft), Number(to.soft)),
    risesWith(Number(from.environment === "production"), Number(to.environment === "production")),
    ...flags.map((flag) => risesWith(Number(from[flag]), Number(to[flag])))
  ])
}

const nameOf = ({
  actionDescription,
  actionType,
  destination,
  targetResource,
  targetSystem
}: ExampleNames) => {
  const target = targetResource ?? destination ?? targetSystem ?? actionDescription
  return target === undefined ? actionType : `${actionType} on ${target}`
}

const entryChangeOf = (
  { complete, examples, fate, title }: ChangedEntry,
  lexicons: { readonly from: Lexicon; readonly to: Lexicon },
  numbers: Numbers
): LexiconEntryChange => {
  const moving = examples.flatMap((names): ReadonlyArray<ReadingChange & { direction: Direction }> => {
    const action = { ...names, environment: "development" } as const
    const [from, to] = [readCall(action, lexicons.from), readCall(action, lexicons.to)]
    const direction = directionOfReadings(from, to, numbers)
    return canMove(direction) ? [{ names, from, to, direction }] : []
  })
  const [first] = moving
  const unseen = complete || fate === "reworded" ? noMove : bothWays
  return {
    title,
    fate,
    complete,
    says: first === undefined ? `${title} ${fate}` : readingChangeText(first),
    direction: first === undefined ? unseen : unionOfDirections(moving.map(({ direction }) => direction)),
    readings: moving
  }
}

/** Where both have the same few words, the type that history goes by tells them apart. */
const describeReadings = ({ from, to }: Pick<ReadingChange, "from" | "to">) => {
  const [was, is] = [describeReading(from), describeReading(to)]
  return was === is ? { from: `${was}, ${from.type}`, to: `${is}, ${to.type}` } : { from: was, to: is }
}

const readingChangeText = (change: ReadingChange): string => {
  const { from, to } = describeReadings(change)
  return `${nameOf(change.names)}: ${to}, was ${from}`
}

/** Every change once: an entry that changed in several places gives the same text several times. */
const distinctEntries = (entries: ReadonlyArray<LexiconEntryChange>): ReadonlyArray<LexiconEntryChange> => {
  const byText = new Map<string, LexiconEntryChange>()
  for (const entry of entries) if (!byText.has(entry.says)) byText.set(entry.says, entry)
  return [...byText.values()]
}

/** The reading of a call in a few words: `access high, admin`. */
const describeReading = (reading: Reading): string => {
  const { admin, anywhere, contradicted, credential, environment, everything, weakens } = reading
  const said: ReadonlyArray<readonly [says: string, is: boolean]> = [
    [reading.extent, reading.extent !== "single"],
    [`holds ${reading.holds}`, reading.holds !== "internal"],
    [reading.kind, reading.kind !== "record"],
    [(reading.reversibility ?? "").replaceAll("_", " "), reading.reversibility !== undefined],
    ["admin", admin],
    ["credential", credential],
    ["weakens a protection", weakens],
    ["anywhere", anywhere],
    ["everything", everything],
    ["unread", reading.unread],
    ["contradicted", contradicted],
    ["hinted", reading.hinted],
    ["also exports", reading.alsoExports],
    ["soft", reading.soft],
    ["production", environment === "production"]
  ]
  return [`${reading.class} ${reading.impact}`, ...said.flatMap(([says, is]) => (is ? [says] : []))].join(
    ", "
  )
}
