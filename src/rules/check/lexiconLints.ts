/** Lints for the words, catalogues and commands of the lexicon: entries that are never read, or read as milder than they sound. */

import { changeless } from "../../domain/Action.ts"
import { withoutParameters } from "../../scoring/reading/Catalogue.ts"
import {
  type Meanings,
  objectKinds,
  type Vocabulary,
  type WordLists
} from "../../scoring/reading/Vocabulary.ts"
import { type ImpactTable, longestPlace, readName } from "../../scoring/reading/readName.ts"
import { splitName } from "../../scoring/names/splitName.ts"
import { type FileProblem, type Finding, inFile } from "../Finding.ts"
import { snakeCase } from "../files/vocabulary.ts"
import type { VocabularyData } from "../files/wordFiles.ts"
import { prepareVocabulary, toVocabulary } from "../lexicon/prepareVocabulary.ts"
import { didYouMean } from "../nearestName.ts"
import type { ExaminedFile, LexiconPart } from "./examine.ts"
import { checkFirstFits } from "./firstFitLints.ts"

type Path = FileProblem["path"]
type Verbs = Pick<VocabularyData, "groups" | "phrases" | "shared" | "verbs">
type Objects = VocabularyData["objects"]
const neverRead = (path: Path, message: string, further: Partial<FileProblem> = {}): FileProblem => ({
  rule: "unknown-word",
  path,
  message,
  ...further
})

/** Reports a word that is not one of these names. */
const unknownWord = (
  path: Path,
  kind: "object" | "verb",
  word: string,
  names: object,
  further: Partial<FileProblem> = {}
): FileProblem => {
  const { hint, suggested } = didYouMean(word, Object.keys(names))
  return neverRead(path, `no ${kind} is named \`${word}\`${hint}`, { ...further, ...suggested })
}

const kinds: ReadonlySet<string> = new Set(objectKinds)

/** Reports keys of meanings that match no noun. Group names are checked when the file is read. */
const checkMeanings = (by: Meanings | undefined, path: Path, objects: Objects): ReadonlyArray<FileProblem> =>
  Object.keys(by ?? {})
    .filter((key) => !(key === "?" || key === "*" || key.startsWith("@") || kinds.has(key) || key in objects))
    .map((key) => unknownWord([...path, key], "object", key, objects, { at: "key" }))

/** Reports places with more words than a look-up considers. */
const checkPlaces = (to: Meanings | undefined, path: Path): ReadonlyArray<FileProblem> =>
  Object.keys(to ?? {})
    .filter((key) => key.split(" ").length > longestPlace)
    .map((key) => {
      const message = `\`${key}\` never matches: a place has at most ${longestPlace} words`
      return neverRead([...path, key], message, { at: "key" })
    })

const checkVerbs = (
  { groups, phrases, shared, verbs }: Verbs,
  objects: Objects
): ReadonlyArray<FileProblem> => [
  ...Object.entries({ verbs, phrases }).flatMap(([list, entries]) =>
    Object.entries(entries).flatMap(([name, { by, to }]) => [
      ...checkMeanings(by, [list, name, "by"], objects),
      ...checkPlaces(to, [list, name, "to"])
    ])
  ),
  ...shared.flatMap(({ by }, i) => checkMeanings(by, ["shared", i, "by"], objects)),
  ...Object.entries(groups).flatMap(([group, nouns]) =>
    nouns.flatMap((noun, i) =>
      noun in objects ? [] : [unknownWord(["groups", group, i], "object", noun, objects)]
    )
  )
]

/** Reports spellings shared by two entries: the entry read later takes them, so they never mean the other one. */
const checkSpellings = (
  list: string,
  entries: Readonly<Record<string, { readonly forms?: ReadonlyArray<string> }>>
): ReadonlyArray<FileProblem> => {
  const first = new Map<string, string>()
  for (const name of Object.keys(entries)) first.set(name, name)
  return Object.entries(entries).flatMap(([name, { forms = [] }]) =>
    forms.flatMap((form, i): ReadonlyArray<FileProblem> => {
      const owner = first.get(form)
      first.set(form, owner ?? name)
      if (owner === undefined) return []
      const message =
        owner === form ? `\`${form}\` has its own entry` : `\`${form}\` is already a spelling of \`${owner}\``
      return [{ rule: "ambiguous-word", path: [list, name, "forms", i], message }]
    })
  )
}

/** Pairs of lists in which a word would have two meanings, one of which is never read. */
const contraries: ReadonlyArray<readonly [keyof WordLists, keyof WordLists]> = [
  ["bulk", "everything"],
  ["production", "negations"],
  ["conjunctions", "prepositions"],
  ["conjunctions", "stopWords"],
  ["prepositions", "stopWords"]
]

/** Lists of verbs: a word in them that is not a verb has no effect. */
const verbLists = ["stateful", "outward", "metadata"] as const

const checkLists = (words: WordLists, { phrases, verbs }: Verbs): ReadonlyArray<FileProblem> => {
  const names = { ...verbs, ...phrases }
  const twice = Object.entries(words).flatMap(([list, own]: [string, ReadonlyArray<string>]) =>
    own.flatMap((word, i): ReadonlyArray<FileProblem> => {
      if (own.indexOf(word) === i) return []
      const message = `\`${word}\` is already in this list`
      return [{ rule: "ambiguous-word", path: [snakeCase(list), i], message }]
    })
  )
  const contrary = contraries.flatMap(([one, other]) =>
    words[other].flatMap((word, i): ReadonlyArray<FileProblem> => {
      if (!words[one].includes(word)) return []
      const message = `\`${word}\` is in \`${snakeCase(one)}\` as well, and cannot mean both`
      return [{ rule: "ambiguous-word", path: [snakeCase(other), i], message }]
    })
  )
  const noVerbs = verbLists.flatMap((list) =>
    words[list].flatMap((word, i) => (word in names ? [] : [unknownWord([list, i], "verb", word, names)]))
  )
  const nowhere = words.directions.flatMap((word, i) => {
    const message = `\`${word}\` does nothing here unless it is also in \`prepositions\``
    return words.prepositions.includes(word) ? [] : [neverRead(["directions", i], message)]
  })
  return [...twice, ...contrary, ...noVerbs, ...nowhere]
}

const checkSignals = (
  { signals }: NonNullable<LexiconPart["signals"]>,
  { phrases, verbs }: Verbs
): ReadonlyArray<FileProblem> => {
  const names = { ...verbs, ...phrases }
  return signals.flatMap(({ unlessVerbs = [] }, at) =>
    unlessVerbs.flatMap((verb, i) =>
      verb in names ? [] : [unknownWord(["signals", at, "unless_verbs", i], "verb", verb, names)]
    )
  )
}

const destroys: ReadonlySet<string> = new Set(["delete", "destroy"])
const grave: ReadonlySet<string> = new Set(["high", "critical"])

/**
 * Reports catalogue entries without an impact whose name reads as a grave deletion, and entries with a harmless class whose name reads as
 * any deletion. They may be right, but the next reviewer needs to know why.
 */
const checkMildness = (
  { actions }: NonNullable<LexiconPart["provider"]>,
  vocabulary: Vocabulary,
  table: ImpactTable
): ReadonlyArray<FileProblem> =>
  Object.entries(actions).flatMap(
    ([name, { class: own, impact = "low", why }]): ReadonlyArray<FileProblem> => {
      if (impact !== "low" || why !== undefined) return []
      const words = readName(splitName(withoutParameters(name), vocabulary.isKnown), vocabulary, table)
      if (
        !destroys.has(words.class) ||
        !(grave.has(words.impact) || (changeless.has(own) && words.impact !== "low"))
      )
        return []
      const message = `\`${name}\` sounds like ${words.class} of ${words.impact} impact but is treated as ${own} of low impact: say why`
      return [{ rule: "unexplained-mildness", path: ["actions", name], at: "key", message }]
    }
  )

/** Checks the readable parts of the lexicon. */
export const lintLexicon = (examined: ReadonlyArray<ExaminedFile>): ReadonlyArray<Finding> => {
  const parts = examined.flatMap(({ file, lexicon }) => (lexicon === undefined ? [] : [{ file, ...lexicon }]))
  const forms = parts.flatMap(({ file, firstFits = [] }) => inFile(file, checkFirstFits(firstFits)))
  /** Each part of the words has one file, while there are many catalogues. */
  const part = <Name extends keyof LexiconPart>(name: Name) => {
    const found = parts.find((one) => one[name] !== undefined)
    return found?.[name] && { file: found.file, data: found[name] }
  }
  const [verbs, objects, words] = [part("verbs"), part("objects"), part("words")]
  if (verbs === undefined || objects === undefined || words === undefined) return forms
  const data: VocabularyData = { ...verbs.data, ...objects.data, words: words.data }
  const vocabulary = toVocabulary(prepareVocabulary(data))
  const [signals, impacts] = [part("signals"), part("impacts")]
  return [
    ...forms,
    ...inFile(verbs.file, [
      ...checkVerbs(data, data.objects),
      ...checkSpellings("verbs", data.verbs),
      ...checkSpellings("phrases", data.phrases)
    ]),
    ...inFile(objects.file, checkSpellings("objects", data.objects)),
    ...inFile(words.file, checkLists(data.words, data)),
    ...(signals === undefined ? [] : inFile(signals.file, checkSignals(signals.data, data))),
    ...parts.flatMap(({ file, provider }) =>
      provider === undefined || impacts === undefined
        ? []
        : inFile(file, checkMildness(provider, vocabulary, impacts.data))
    )
  ]
}
