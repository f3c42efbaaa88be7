/** Reads a name that no provider lists: finds its verb, its object and its extent by the words alone. */

import { actionTypeMax } from "../../../limits.ts"
import type { Edition1Class, Extent } from "../NormalizedAction.ts"
import { classOf, looksPlural, readRank, unknownRank, type Verb, type Vocabulary } from "./Vocabulary.ts"
import {
  alsoExports,
  chooseVerb,
  disambiguator,
  findVerbs,
  type FoundVerb,
  isStrong,
  makeWordList,
  noObject,
  noVerb,
  type WordList
} from "./findVerbs.ts"
import { type NameWords, opaqueWord } from "./tokenize.ts"

export interface NameReading {
  /** `<object>.<verb>` */
  readonly type: string
  readonly class: Edition1Class
  readonly extent: Extent
  readonly verb: FoundVerb["verb"] | undefined
  /** By the words of the given name, which `type` may no longer contain. */
  readonly alsoExports: boolean
  /** The words of `type`. */
  readonly words: NameWords
}

/** A name with a single part. */
const onePart = (words: ReadonlyArray<string>): NameWords => ({ words, segments: words.map(() => 0) })

const withVerb = (object: ReadonlyArray<string>, verb: string): NameWords => ({
  words: [...object, verb],
  segments: [...object.map(() => 0), 1]
})

/** The object of the verb: the other words, without less risky verbs. */
const objectWords = (
  list: WordList,
  found: ReadonlyArray<FoundVerb>,
  chosen: FoundVerb | undefined
): ReadonlyArray<string> => {
  if (chosen === undefined) return list.words
  const dropped = new Set([chosen.at])
  for (const one of found) {
    if (isStrong(one.verb) && (one.raisedByVerb || one.rank > chosen.rank)) dropped.add(one.at)
  }
  return list.words.filter((_, at) => !dropped.has(at))
}

/** Drops provider names in front of an object, unless nothing else is left. */
const withoutPrefixes = (object: WordList): WordList => {
  let first = 0
  while (
    first < object.words.length - 1 &&
    object.known[first]?.prefix === true &&
    object.covered[first] !== true
  )
    first++
  if (first === 0) return object
  return {
    words: object.words.slice(first),
    known: object.known.slice(first),
    covered: object.covered.slice(first),
    lastAlone: false,
    conjoined: object.conjoined
  }
}

/**
 * Invariant: reading `type` again gives the same type, class and extent. Therefore the verb comes last and alone, every word
 * that decided stays in the object, and class and extent are those of the canonical form, not of the written order.
 */
export const readName = (tokens: NameWords, vocabulary: Vocabulary, raiseByVerbs = true): NameReading => {
  const list = makeWordList(tokens, vocabulary)
  const found = findVerbs(list, raiseByVerbs)
  const chosen = chooseVerb(found, list)
  const words = objectWords(list, found, chosen)
  const whole = makeWordList(onePart(words), vocabulary)
  const verbName = chosen?.verb.name ?? noVerb

  if (whole.words.length < words.length) {
    // Without the verb, two words became neighbours and are one word.
    const joined = readName(withVerb(whole.words, verbName), vocabulary, raiseByVerbs)
    return { ...joined, alsoExports: joined.alsoExports || alsoExports(found, chosen, list) }
  }
  const object = withoutPrefixes(whole)
  const stillRaised =
    chosen?.raisedByVerb !== true ||
    object.known.some(
      (word, at) => object.covered[at] !== true && word?.verb?.noun === true && word.verb.rank <= chosen.rank
    )
  // Without the verb, the noun that raised it is hidden in a compound. Then that noun is the verb.
  if (!stillRaised) return readName(tokens, vocabulary, false)

  const rank = chosen?.rank ?? unknownRank
  const objectNames = object.words.length > 0 ? object.words : [noObject]
  const type = `${objectNames.join("_")}.${verbName}`
  return {
    type: type.length <= actionTypeMax ? type : `${shortObject(object, chosen)}.${verbName}`,
    class: classOf(rank),
    extent: extentOf(object, chosen?.verb, rank, vocabulary),
    verb: chosen?.verb,
    alsoExports: alsoExports(found, chosen, list),
    words: withVerb(objectNames, verbName)
  }
}

/** Whether the word at `at` means "many" by itself. */
const saysBulk = (object: WordList, at: number): boolean => {
  const word = object.known[at]
  if (word === undefined) return false
  return word.bulk || (word.verb?.extent === "bulk" && object.covered[at] !== true)
}

const isPlural = (object: WordList, at: number): boolean =>
  object.known[at]?.plural ?? looksPlural(object.words[at] ?? "")

/** Whether an action touches one thing or many, by its words. It is `single` only if the words say so. */
export const extentOf = (
  object: WordList,
  verb: Verb | undefined,
  rank: number,
  vocabulary: Vocabulary
): Extent => {
  if (verb?.extent === "bulk" || object.words.some((_, at) => saysBulk(object, at))) return "bulk"
  // A provider alone names no object: `github.delete`.
  const named = object.words.some((word, at) => word !== disambiguator && object.known[at]?.prefix !== true)
  if (object.words.some((_, at) => isPlural(object, at))) {
    return rank === readRank && verb?.extent !== "scan" ? "open" : "bulk"
  }
  if (verb === undefined) return "open"
  if (verb.extent === "scan") return named ? "open" : "bulk"
  const single = verb.extent === "single" || (verb.extent === "named" && named)
  return single && !vocabulary.neverSingle.has(rank) ? "single" : "open"
}

const standInForMany = "things"

/** Words that decide the class: one noun that raised it, and the other words of a phrase. */
const deciding = (object: WordList, { raisedByVerb, rank, verb }: FoundVerb): ReadonlyArray<string> => {
  if (rank === verb.rank) return []
  const noun = object.words.find((_, at) => {
    const word = object.known[at]
    if (word?.raisesTo === rank) return true
    return raisedByVerb && object.covered[at] !== true && word?.verb?.noun === true && word.verb.rank === rank
  })
  const others = verb.phrases
    .filter((phrase) => phrase.rank === rank)
    .map((phrase) => phrase.others.map((spellings) => spellings.find((one) => object.words.includes(one))))
    .find((found) => found.every((one) => one !== undefined))
  return [noun, ...(others ?? [])].filter((one) => one !== undefined)
}

/** The object of a name that is too long: the words that decided, and a hash of all words. */
const shortObject = (object: WordList, chosen: FoundVerb | undefined): string => {
  const bulk = object.words.find((_, at) => saysBulk(object, at))
  const many = object.words.some((_, at) => isPlural(object, at))
  // A set, because a word can decide more than once. The hash separates the first word from the others, so that they form no compound.
  return [
    ...new Set([
      ...(bulk === undefined ? [] : [bulk]),
      opaqueWord(object.words.join("_")),
      ...(chosen === undefined ? [] : deciding(object, chosen)),
      ...(many ? [standInForMany] : [])
    ])
  ].join("_")
}
