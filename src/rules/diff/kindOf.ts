/** What a change is called by which ways it moves what rules find. */

import type { ChangeKind } from "./Diff.ts"

export const kindOf = (rises: boolean, falls: boolean): ChangeKind =>
  rises ? (falls ? "moved" : "stricter") : falls ? "looser" : "text"
