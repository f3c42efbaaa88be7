/** What of a name anybody can see: invisible characters make no two names, and a name of nothing else is none. */

import { isIgnorable } from "./normalize/confusables.ts"

export const visible = (text: string): string =>
  [...text.normalize("NFKC")]
    .filter((character) => !isIgnorable(character.codePointAt(0) ?? 0))
    .join("")
    .trim()
