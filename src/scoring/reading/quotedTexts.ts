/**
 * Finds what a pattern finds in a text that can hold quoted texts, in the time of its length. A pattern alone looks from each quote
 * that nothing ends to the end of the text, which takes the square of its length.
 */

const quoted = /"((?:[^"\\]|\\.)*)("?)(\s*:)?/g

interface QuotedText {
  /** As it is spelled, with its escapes. */
  readonly spelled: string
  /** A colon follows. */
  readonly isKey: boolean
}

/**
 * The texts in double quotes. Where nothing ends a text, every quote behind its beginning is escaped, so that nothing ends a text
 * which begins there either: the search goes on behind all of them.
 */
export const quotedTexts = (text: string): ReadonlyArray<QuotedText> => {
  const found: Array<QuotedText> = []
  for (const [, spelled = "", end, colon] of text.matchAll(quoted))
    if (end !== "") found.push({ spelled, isKey: colon !== undefined })
  return found
}

/** A pattern whose first group is the end of a quoted text, empty if it has none, and the same pattern without quoted texts. */
export interface TokenPattern {
  readonly withTexts: RegExp
  readonly withoutTexts: RegExp
}

/** The tokens of a text from a place on. The quotes of a text that never ends stand for nothing. */
export function* tokensOf(
  text: string,
  { withTexts, withoutTexts }: TokenPattern,
  from = 0
): Generator<{ readonly token: string; readonly end: number }> {
  let at = from
  let plainUntil = from
  while (at <= text.length) {
    const pattern = at < plainUntil ? withoutTexts : withTexts
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found === null) return
    const { 0: token, 1: end, index } = found
    if (pattern === withoutTexts && index >= plainUntil) at = plainUntil
    else if (end === "") {
      at = index
      plainUntil = index + token.length
    } else {
      at = index + token.length
      yield { token, end: at }
    }
  }
}
