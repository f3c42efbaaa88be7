/** One pass over a JSON text before it is parsed: how many keys it writes, and whether it nests too deep. */

import { jsonDepthMax } from "../../Limits.ts"

interface Scanned {
  /** Colons outside of texts: one for each key. */
  readonly keys: number
  /** Where the first bracket too many opens. */
  readonly tooDeepAt: number | null
}

const code = (character: string): number => character.charCodeAt(0)
const [quote, backslash, colon, newline] = [code('"'), code("\\"), code(":"), code("\n")]
const opening = new Set([code("{"), code("[")])
const closing = new Set([code("}"), code("]")])

export const scan = (text: string): Scanned => {
  let keys = 0
  let depth = 0
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === quote) inText = !inText
    // No JSON text spans lines, so one that does not end hides at most its own.
    else if (character === newline) inText = false
    else if (inText) {
      if (character === backslash) at++
    } else if (character === colon) keys++
    else if (opening.has(character)) {
      depth++
      if (depth > jsonDepthMax) return { keys, tooDeepAt: at }
    } else if (closing.has(character)) depth--
  }
  return { keys, tooDeepAt: null }
}
