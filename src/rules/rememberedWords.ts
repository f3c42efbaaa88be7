/** The words of actions under one lexicon, remembered: agents ask the same few hundred things with other figures. */

import type { Action } from "../domain/Action.ts"
import { rememberedWordsMax } from "../Limits.ts"
import type { Lexicon } from "../scoring/Lexicon.ts"
import { readWords, type Words } from "../scoring/Words.ts"

/** With its length in front no text can pass for the end of one and the beginning of the next. */
const counted = (text: string | undefined): string => (text === undefined ? "-" : `${text.length} ${text}`)

/** All that `readWords` reads. */
const keyOf = ({ actionType, destination, environment, targetResource, targetSystem }: Action): string =>
  counted(actionType) +
  counted(targetSystem) +
  counted(targetResource) +
  counted(destination) +
  counted(environment)

/** Pure to whoever asks: a bounded memory that begins anew when it is full. */
export const rememberedWords = (lexicon: Lexicon): ((action: Action) => Words) => {
  const remembered = new Map<string, Words>()
  return (action) => {
    const key = keyOf(action)
    const known = remembered.get(key)
    if (known !== undefined) return known
    if (remembered.size >= rememberedWordsMax) remembered.clear()
    const words = readWords(action, lexicon)
    remembered.set(key, words)
    return words
  }
}
