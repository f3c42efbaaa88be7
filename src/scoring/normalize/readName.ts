/** Reads a name that is in no provider's list: finds its verb and its object by the words alone. */

import { actionTypeMax } from "../../Limits.ts"
import type { ActionClass, Extent } from "../../domain/ActionType.ts"
import { classOf, unknownRank } from "../lexicon/classRank.ts"
import type { Vocabulary } from "../lexicon/Vocabulary.ts"
import { alsoExports } from "./alsoExports.ts"
import { extentOf } from "./extentOf.ts"
import { chooseVerb, findVerbs, isStrong, type FoundVerb } from "./findVerbs.ts"
import { shortObject } from "./shortObject.ts"
import type { Words } from "./tokenize.ts"
import { makeWordList, noObject, noVerb, type WordList } from "./WordList.ts"

export interface Reading {
  /** `<object>.<verb>` */
  readonly type: string
  readonly class: ActionClass
  readonly extent: Extent
  readonly verb: FoundVerb["verb"] | undefined
  /** Of the name as it was given: in `type` it may no longer show. */
  readonly alsoExports: boolean
  /** The words of `type`. */
  readonly words: Words
}

/** All in one part of a name. */
const onePart = (words: ReadonlyArray<string>): Words => ({ words, segments: words.map(() => 0) })

const withVerb = (object: ReadonlyArray<string>, verb: string): Words => ({
  words: [...object, verb],
  segments: [...object.map(() => 0), 1]
})

/** What the verb is done to: the other words, without lesser verbs. */
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

/** A provider's name in front of an object says nothing more, unless it is all there is. */
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
 * Invariant: reading `type` again gives the same type, class and extent. Hence the verb is put last and alone, everything that
 * decided stays in the object, and class and extent are those of the canonical form, not of the order it was written in.
 */
export const readName = (tokens: Words, vocabulary: Vocabulary, raiseByVerbs = true): Reading => {
  const list = makeWordList(tokens, vocabulary)
  const found = findVerbs(list, raiseByVerbs)
  const chosen = chooseVerb(found, list)
  const words = objectWords(list, found, chosen)
  const whole = makeWordList(onePart(words), vocabulary)
  const verbName = chosen?.verb.name ?? noVerb

  if (whole.words.length < words.length) {
    // Taking the verb out made neighbours of two words that are one.
    const joined = readName(withVerb(whole.words, verbName), vocabulary, raiseByVerbs)
    return { ...joined, alsoExports: joined.alsoExports || alsoExports(found, chosen, list) }
  }
  const object = withoutPrefixes(whole)
  const stillRaised =
    chosen?.raisedByVerb !== true ||
    object.known.some(
      (word, at) => object.covered[at] !== true && word?.verb?.noun === true && word.verb.rank <= chosen.rank
    )
  // Taking the verb out hid what raised it in a compound: then that is the verb.
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
