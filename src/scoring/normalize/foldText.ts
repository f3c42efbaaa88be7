/** Brings every spelling of the same letters to one: full width, accents, invisible marks, look-alikes of other scripts. */

import { confusables, isIgnorable } from "./confusables.ts"

const isAscii = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x80) return false
  return true
}

const isMark = (character: string): boolean => /^\p{M}$/u.test(character)

const foldCharacter = (character: string): string => {
  if (character < "\u0080") return character
  if (isIgnorable(character.codePointAt(0) ?? 0) || isMark(character)) return ""
  const plain = confusables.get(character)
  if (plain !== undefined) return plain
  const lower = character.toLowerCase()
  return lower === character ? character : (confusables.get(lower)?.toUpperCase() ?? character)
}

/** Case is kept: it tells words apart in camelCase. */
export const foldText = (text: string): string => {
  if (isAscii(text)) return text
  let folded = ""
  // Compatibility decomposition is NFKC with its accents set apart, so that they can be dropped.
  for (const character of text.normalize("NFKD")) folded += foldCharacter(character)
  return folded
}
