/** Tells whether an action creates, rotates or reveals a key, password or secret. */

import type { Verb, Vocabulary, Word } from "../lexicon/Vocabulary.ts"
import type { Tokens } from "./tokenize.ts"

type Known = ReadonlyArray<Word | undefined>

const knownWords = ({ words }: Tokens, vocabulary: Vocabulary): Known =>
  words.map((word) => vocabulary.words.get(word))

/** `api key`, `secret`; not `password policy`, `secret name`. */
const hasCredential = ({ words }: Tokens, known: Known): boolean =>
  known.some((word, at) => {
    if (word?.credentialPairs?.has(words[at + 1] ?? "") === true)
      return known[at + 2]?.credentialAside !== true
    return word?.credential === true && known[at + 1]?.credentialAside !== true
  })

const hasWeakCredential = (known: Known): boolean =>
  known.some((word, at) => word?.weakCredential === true && known[at + 1]?.credentialAside !== true)

/** `verb` is the one that the name was read by; `readable` is false when no verb is known, which could do anything. */
export const namesCredential = (
  name: Tokens,
  targets: ReadonlyArray<Tokens>,
  verb: Verb | undefined,
  readable: boolean,
  vocabulary: Vocabulary
): boolean => {
  const known = knownWords(name, vocabulary)
  const verbs = [verb, ...known.map((word) => word?.verb)]
  const makes = verbs.some((one) => one?.credential === "makes")
  if (!makes && readable && !verbs.some((one) => one?.credential === "reveals")) return false
  if ((makes || !readable) && hasWeakCredential(known)) return true
  return (
    hasCredential(name, known) ||
    targets.some((target) => hasCredential(target, knownWords(target, vocabulary)))
  )
}
