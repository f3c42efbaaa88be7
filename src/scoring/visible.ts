/** What of a name anybody can see: invisible characters make no two names, and a name of nothing else is none. */

import { isIgnorable } from "./normalize/confusables.ts"

/** Nothing in it is invisible, and it is its own normal form. */
const ascii = /^[\0-\x7F]*$/

export const visible = (text: string): string =>
  ascii.test(text)
    ? text.trim()
    : [...text.normalize("NFKC")]
        .filter((character) => !isIgnorable(character.codePointAt(0) ?? 0))
        .join("")
        .trim()
