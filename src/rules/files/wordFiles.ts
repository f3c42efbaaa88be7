/** `lexicon/words/*.json`: how to read names that no catalogue lists, and what the parameters of a call mean. */

import { Record as Records, Result, Schema } from "effect"
import { actionClasses, dataClassifications } from "../../domain/Action.ts"
import { extents, impacts } from "../../scoring/reading/Act.ts"
import { ruleNameMax } from "../../limits.ts"
import { objectKinds, wordLists } from "../../scoring/reading/Vocabulary.ts"
import { decodeFile } from "./decodeFile.ts"
import { ClassName, ExtentName, Flag, ImpactName, Why, Words } from "./providerFiles.ts"
import { fileNamed, type SourceFile } from "./readTree.ts"
import { DataClassificationName, fileStruct, type Issue, Sentence, someOf } from "./vocabulary.ts"

const Yes = Schema.optionalKey(Schema.Literal(true))
const KindName = Schema.Literals(objectKinds)
const Steps = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: impacts.length - 1 }))

const MeaningFile = Schema.Struct({
  class: Schema.optionalKey(ClassName),
  impact: Schema.optionalKey(ImpactName),
  credential: Flag,
  weakens: Flag,
  why: Why
})

/** Keyed by the name of a noun, `@group`, a kind of object, `?` for an unknown noun, or `*` for any other. */
const MeaningsFile = Schema.Record(Sentence, MeaningFile)

const VerbFile = Schema.Struct({
  class: ClassName,
  impact: Schema.optionalKey(ImpactName),
  extent: Schema.optionalKey(ExtentName),
  /**
   * Also a common noun: it counts as one after another verb (`list_orders`), and with `mostly` also before another verb (`order_cancel`).
   */
  noun: Schema.optionalKey(Schema.Literals([true, "mostly"])),
  /** Never a noun and always risky, so it counts anywhere in a name. */
  pure: Yes,
  /** Easy to undo by nature: archive, close. */
  soft: Yes,
  /** Weakens the object if it is a safeguard: disable, remove. A phrase contains its object. */
  weakens: Yes,
  /** Creates or reveals a credential if its object is one. */
  credential: Yes,
  /** Another verb whose meanings it shares: `turn off` is `disable`. */
  as: Schema.optionalKey(Sentence),
  /** Different meanings for objects with this name, in this `@group`, of this kind, unknown ones (`?`), or any other (`*`). */
  by: Schema.optionalKey(MeaningsFile),
  /** Different meanings by the words after `to`: `transfer_to_billing_agent`. */
  to: Schema.optionalKey(MeaningsFile),
  forms: Schema.optionalKey(Words),
  why: Why
})

const Verbs = Schema.Struct({
  /** Nouns that several verbs treat alike. */
  groups: Schema.Record(Sentence, Words),
  /** Meanings that several verbs share. A later entry overrides an earlier one, and a verb's own meanings override all. */
  shared: Schema.Array(Schema.Struct({ verbs: Words, by: MeaningsFile, why: Why })),
  verbs: Schema.Record(Sentence, VerbFile),
  /** `turn off`, `dry run` */
  phrases: Schema.Record(Sentence, VerbFile)
})

type VerbEntries = (typeof Verbs.Type)["verbs"]

/** Reports groups and verbs that are referred to but not defined in the file. */
const unknownNames = ({ groups, phrases, shared, verbs }: typeof Verbs.Type): ReadonlyArray<Issue> => {
  const ungrouped = (meanings: VerbEntries[string]["by"], path: Issue["path"]): ReadonlyArray<Issue> =>
    Object.keys(meanings ?? {})
      .filter((key) => key.startsWith("@") && !(key.slice(1) in groups))
      .map((key) => ({ path: [...path, key], issue: `there is no group \`${key.slice(1)}\`` }))
  const known = (name: string): boolean => name in verbs || name in phrases
  const ofEntries = (list: "verbs" | "phrases", entries: VerbEntries): ReadonlyArray<Issue> =>
    Object.entries(entries).flatMap(([name, { as, by, to }]) => [
      ...ungrouped(by, [list, name, "by"]),
      ...ungrouped(to, [list, name, "to"]),
      ...(as === undefined || known(as)
        ? []
        : [{ path: [list, name, "as"], issue: `there is no verb \`${as}\`` }])
    ])
  const ofShared = shared.flatMap((row, at) => [
    ...ungrouped(row.by, ["shared", at, "by"]),
    ...row.verbs.flatMap((verb, i) =>
      known(verb) ? [] : [{ path: ["shared", at, "verbs", i], issue: `there is no verb \`${verb}\`` }]
    )
  ])
  return [...ofEntries("verbs", verbs), ...ofEntries("phrases", phrases), ...ofShared]
}

export const VerbsFile = Verbs.check(Schema.makeFilter((file) => [...unknownNames(file)]))

export const ObjectsFile = Schema.Struct({
  objects: Schema.Record(
    Sentence,
    Schema.Struct({
      is: KindName,
      holds: Schema.optionalKey(DataClassificationName),
      amount: Schema.optionalKey(Schema.Literals(["many", "everything"])),
      forms: Schema.optionalKey(Words),
      why: Why
    })
  )
})

const ImpactRowFile = Schema.Struct({
  impact: ImpactName,
  kinds: Schema.optionalKey(
    someOf(objectKinds, Schema.Struct({ impact: ImpactName, class: Schema.optionalKey(ClassName), why: Why }))
  ),
  steps: Schema.optionalKey(someOf(extents, Steps)),
  why: Why
})

type Ranked = Readonly<Record<string, number | undefined>>

/** Describes where a record over ranked names falls; absent figures are skipped. */
const fallOf = (names: ReadonlyArray<string>, figures: Ranked): string | undefined => {
  let last: readonly [name: string, figure: number] | undefined
  for (const name of names) {
    const figure = figures[name]
    if (figure === undefined) continue
    if (last !== undefined && figure < last[1]) return `falls from \`${last[0]}\` to \`${name}\``
    last = [name, figure]
  }
  return undefined
}

const ranksOf = (row: object): Ranked =>
  Object.fromEntries(Object.entries(row).map(([name, impact]) => [name, impacts.indexOf(impact)]))

/** The impact of an act by its class and the kind of its object, in production, unless a verb states otherwise. */
const Impacts = Schema.Struct({
  classes: Schema.Record(ClassName, ImpactRowFile),
  holds: someOf(actionClasses, someOf(dataClassifications, ImpactName))
})

/** Invariant: more things, or more sensitive ones, never lower an impact. */
const falls = ({ classes, holds }: typeof Impacts.Type): ReadonlyArray<Issue> => {
  const issues: Array<Issue> = []
  for (const [name, { steps = {} }] of Object.entries(classes)) {
    const issue = fallOf(extents, { ...steps })
    if (issue !== undefined) issues.push({ path: ["classes", name, "steps"], issue })
  }
  for (const [name, row = {}] of Object.entries(holds)) {
    const issue = fallOf(dataClassifications, ranksOf(row))
    if (issue !== undefined) issues.push({ path: ["holds", name], issue })
  }
  return issues
}

export const ImpactsFile = Impacts.check(Schema.makeFilter((file) => [...falls(file)]))

/** The meaning of each list is declared in Vocabulary.ts. */
export const WordListsFile = fileStruct(
  Records.map(wordLists, (description) => Words.annotate({ description }))
)

/** Spaces at the end are significant: `rm -rf / `. */
const Text = Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(ruleNameMax))

const Kinds = Schema.optionalKey(Schema.Array(KindName))
const Sequences = Schema.optionalKey(Schema.Array(Words))

/** The effects of a signal or a parameter value on an act. */
export const raisingFields = {
  impact: Schema.optionalKey(ImpactName),
  class: Schema.optionalKey(ClassName),
  extent: Schema.optionalKey(ExtentName),
  holds: Schema.optionalKey(DataClassificationName),
  anywhere: Flag,
  weakens: Flag,
  credential: Flag,
  exposes: Flag
} as const

const SignalFile = fileStruct({
  id: Sentence,
  words: Sequences,
  text: Schema.optionalKey(Schema.Array(Text)),
  wildcard: Flag,
  unlessWords: Sequences,
  in: Schema.Array(
    Schema.Literals(["target_resource", "destination", "target_system", "action_description"])
  ),
  classes: Schema.optionalKey(Schema.Array(ClassName)),
  verbs: Schema.optionalKey(Words),
  unlessVerbs: Schema.optionalKey(Words),
  kinds: Kinds,
  outsideProduction: Schema.optionalKey(Schema.Boolean),
  onlyProduction: Schema.optionalKey(Schema.Boolean),
  exceptKinds: Kinds,
  ...raisingFields,
  lowers: Flag,
  to: Schema.optionalKey(ImpactName),
  by: Schema.optionalKey(Steps),
  why: Sentence
}).check(
  Schema.makeFilter(
    ({ text, wildcard, words }) =>
      words !== undefined ||
      text !== undefined ||
      wildcard === true ||
      "expected `words`, `text` or `wildcard`"
  ),
  Schema.makeFilter(
    ({ by, lowers, to }) =>
      lowers === true ||
      (to === undefined && by === undefined) ||
      "`to` and `by` are for signals with `lowers`"
  )
)

export const SignalsFile = Schema.Struct({ signals: Schema.Array(SignalFile) }).check(
  Schema.makeFilter(({ signals }) =>
    signals.flatMap(({ id }, at): ReadonlyArray<Issue> =>
      signals.findIndex((other) => other.id === id) === at
        ? []
        : [{ path: ["signals", at, "id"], issue: `\`${id}\` is the id of another signal` }]
    )
  )
)

/** The words with which names are read. */
export type VocabularyData = typeof Verbs.Type &
  typeof ObjectsFile.Type & { readonly words: typeof WordListsFile.Type }

export const wordFileNames: ReadonlySet<string> = new Set(["verbs", "objects", "impacts", "words", "signals"])

export const readWords = (sources: ReadonlyArray<SourceFile>) =>
  Result.gen(function* () {
    const named = (name: string) => fileNamed(sources, name, "rules/lexicon/words")
    const verbs = yield* decodeFile(VerbsFile, yield* named("verbs"))
    const { objects } = yield* decodeFile(ObjectsFile, yield* named("objects"))
    const impactTable = yield* decodeFile(ImpactsFile, yield* named("impacts"))
    const words = yield* decodeFile(WordListsFile, yield* named("words"))
    const { signals } = yield* decodeFile(SignalsFile, yield* named("signals"))
    return { vocabulary: { ...verbs, objects, words }, impacts: impactTable, signals }
  })
