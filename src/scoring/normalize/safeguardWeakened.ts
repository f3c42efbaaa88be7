/** Tells which safeguard an action takes away: what protects, or what remembers. */

import type { SafeguardRank } from "../../domain/ActionType.ts"
import type { NativeReading } from "../lexicon/Natives.ts"
import type { Vocabulary } from "../lexicon/Vocabulary.ts"
import { tokenize, type Words } from "./tokenize.ts"

const worse = (a: SafeguardRank, b: SafeguardRank): SafeguardRank => (a > b ? a : b)

const named = ({ words }: Pick<Words, "words">, vocabulary: Vocabulary): SafeguardRank =>
  words.reduce<SafeguardRank>((rank, name, at) => {
    const word = vocabulary.words.get(name)
    const pair = word?.safeguardPairs?.get(words[at + 1] ?? "") ?? 0
    return worse(rank, worse(word?.safeguard ?? 0, pair))
  }, 0)

/** What is deleted is gone whatever the verb, and a name without a known verb could do anything. */
const weakens = ({ class: verbClass, verb }: NativeReading, { words }: Words, vocabulary: Vocabulary) =>
  verbClass === "delete" ||
  verbClass === "destroy" ||
  verbClass === "unknown" ||
  verb?.weakens === true ||
  words.some((word) => vocabulary.words.get(word)?.verb?.weakens === true)

/** `resource` is the target_resource: `service.stop` says of what only there. A target system is named by everything done in it. */
export const safeguardWeakened = (
  reading: NativeReading,
  name: Words,
  resource: Words | undefined,
  vocabulary: Vocabulary
): SafeguardRank => {
  if (reading.safeguard !== undefined) return reading.safeguard
  if (!weakens(reading, name, vocabulary)) return 0
  const own = worse(named(name, vocabulary), named(tokenize(reading.type, vocabulary), vocabulary))
  return resource === undefined ? own : worse(own, named(resource, vocabulary))
}
