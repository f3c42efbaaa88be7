/** What an action type means: a provider's own name for it, or else its words. */

import type { Lexicon } from "../Lexicon.ts"
import { isLower } from "../lexicon/isLower.ts"
import type { NativeReading } from "../lexicon/Natives.ts"
import { findNative } from "./findNative.ts"
import { readName } from "./readName.ts"
import { apart } from "./WordList.ts"
import type { Words } from "./tokenize.ts"

/** Keeps a type that only words led to apart from the known action of that type, which is less risky. */
const notTheKnown = (type: string): string => `${apart}_${type}`

/** Invariant: `type` means the same again; so words that lead to a known action's type either mean that action or get a type of their own. */
export const readAction = (name: Words, lexicon: Lexicon): NativeReading => {
  const native = findNative(name, lexicon)
  if (native !== undefined) return native
  const reading = readName(name, lexicon.vocabulary)
  const known = findNative(reading.words, lexicon)
  if (known !== undefined && !isLower(known, reading)) return known
  return {
    type: known === undefined ? reading.type : notTheKnown(reading.type),
    class: reading.class,
    extent: reading.extent,
    verb: reading.verb,
    dataStore: undefined,
    admin: undefined,
    credential: undefined,
    alsoExports: reading.alsoExports,
    safeguard: undefined
  }
}
