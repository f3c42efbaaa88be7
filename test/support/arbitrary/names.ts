/** Names of tools: made of words that mean something, of words that mean nothing, and of anything else. */

import fc from "fast-check"
import { wordsData } from "../words.ts"

const one = (words: ReadonlyArray<string>): fc.Arbitrary<string> => fc.constantFrom(...words)

const spelled = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.map((name) => name.replaceAll(" ", "_"))

const verbs = Object.entries(wordsData.verbs)

/** A verb that is not a noun. */
export const plainVerb = one(verbs.flatMap(([name, { noun }]) => (noun === undefined ? [name] : [])))

export const pureVerb = one(verbs.flatMap(([name, { pure }]) => (pure === true ? [name] : [])))

/** One word or several, joined by `_`. */
export const nameWord: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: one(verbs.map(([name]) => name)) },
  { weight: 6, arbitrary: one(spelled(Object.keys(wordsData.objects))) },
  { weight: 2, arbitrary: one(spelled(Object.keys(wordsData.phrases))) },
  { weight: 2, arbitrary: one(Object.values(wordsData.words).flat()) },
  { weight: 1, arbitrary: pureVerb },
  {
    weight: 1,
    arbitrary: one(["frobnicator", "zorp", "glorbs", "x1", "deletes", "purging", "deleted", "orders", "s3"])
  }
)

/** The words of a name, each with the separator in front of it. */
export const nameWords = fc.array(
  fc.tuple(
    fc.oneof({ weight: 8, arbitrary: fc.constant("_") }, fc.constantFrom(".", ":", "/", "-", " ")),
    nameWord
  ),
  {
    minLength: 1,
    maxLength: 6
  }
)

export const nameOf = (words: ReadonlyArray<readonly [separator: string, word: string]>): string =>
  words.map(([separator, word], at) => (at === 0 ? word : separator + word)).join("")

export const toolName: fc.Arbitrary<string> = nameWords.map(nameOf)

export const anyName: fc.Arbitrary<string> = fc.oneof(
  toolName,
  fc.string({ unit: "binary", maxLength: 160 }),
  fc.string({ unit: "grapheme", maxLength: 80 }),
  fc.tuple(toolName, fc.string({ unit: "grapheme", maxLength: 12 })).map((parts) => parts.join(""))
)
