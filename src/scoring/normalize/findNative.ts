/** Looks a name up among the providers' own, as given and without what stands in front of it. */

import { nameWrappersMax } from "../../Limits.ts"
import type { Lexicon } from "../Lexicon.ts"
import type { NativeIndex, NativeReading } from "../lexicon/Natives.ts"
import { flatKey, structuredKey } from "./nameKeys.ts"
import type { Words } from "./tokenize.ts"

const lookUp = (name: Words, from: number, { exact, flat }: NativeIndex): NativeReading | undefined =>
  exact.get(structuredKey(name, from)) ?? flat.get(flatKey(name, from))

/** `mcp__github__create_issue` is looked up whole, then as `github create issue` and GitHub's `create issue`, then as anyone's. */
export const findNative = (name: Words, { natives, vocabulary }: Lexicon): NativeReading | undefined => {
  const end = Math.min(name.words.length, nameWrappersMax)
  for (let at = 0; at < end; at++) {
    const native = lookUp(name, at, natives.anywhere)
    if (native !== undefined) return native
    const word = name.words[at] ?? ""
    const provider = natives.byPrefix.get(word)
    const own = provider === undefined ? undefined : lookUp(name, at + 1, provider)
    if (own !== undefined) return own
    if (provider === undefined && vocabulary.words.get(word)?.wrapper !== true) return undefined
  }
  return undefined
}
