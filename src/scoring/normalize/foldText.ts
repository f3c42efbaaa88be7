/** Brings every spelling of the same letters to one: full width, accents, invisible marks, look-alikes of other scripts. */

import { confusables, isIgnorable } from "./confusables.ts"

const isAscii = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x80) return false
  return true
}

const mark = /^\p{M}$/u
const letter = /^\p{L}$/u

const isDrawn = (character: string): boolean =>
  !isIgnorable(character.codePointAt(0) ?? 0) && !mark.test(character)

/** The ASCII letter that a character is drawn like, in its case. */
const lookAlike = (character: string): string | undefined => {
  const lower = character.toLowerCase()
  const plain = confusables.get(lower)
  return lower === character ? plain : plain?.toUpperCase()
}

/**
 * Case is kept: it tells words apart in camelCase. Letters of other scripts become ASCII only where all that stand together
 * can: in `d\u0435lete` one letter poses as Latin, but a Russian word is a Russian word.
 */
export const foldText = (text: string): string => {
  if (isAscii(text)) return text
  let folded = ""
  let foreign = ""
  let posing: string | undefined = ""
  const endForeign = (): void => {
    folded += posing ?? foreign
    foreign = posing = ""
  }
  // Compatibility decomposition is NFKC with its accents set apart, so that they can be dropped.
  for (const character of text.normalize("NFKD")) {
    if (character < "\u0080") {
      endForeign()
      folded += character
    } else if (isDrawn(character)) {
      const plain = lookAlike(character)
      if (plain === undefined && !letter.test(character)) {
        endForeign()
        folded += character
      } else {
        foreign += character
        posing = plain === undefined || posing === undefined ? undefined : posing + plain
      }
    }
  }
  endForeign()
  return folded
}
