/** Tells whether a resource is everything there is: `*`, `%`, `all`, as a whole or as one part of a path. */

import type { Lexicon } from "./Lexicon.ts"
import { foldText } from "./normalize/foldText.ts"
import { tokenize } from "./normalize/tokenize.ts"

const wildcards = /[*%]+/g
const boundary = /^[\s/:.,;|="'`()[\]{}<>]?$/

/** A wildcard that stands alone; `report-*` and `100%` only are parts of a name. */
const hasLoneWildcard = (text: string): boolean => {
  for (const { 0: run, index } of text.matchAll(wildcards)) {
    if (boundary.test(text.charAt(index - 1)) && boundary.test(text.charAt(index + run.length))) return true
  }
  return false
}

export const namesEverything = (resource: string, { vocabulary }: Lexicon): boolean => {
  const folded = foldText(resource)
  if (hasLoneWildcard(folded)) return true
  const { words } = tokenize(folded.replaceAll("*", "-"), vocabulary)
  return words.some((word) => vocabulary.words.get(word)?.everything === true)
}
