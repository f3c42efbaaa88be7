/** What of a draft scores lower than before, and by which of its changes. */

import { Result } from "effect"
import type { Situation } from "../cases.ts"
import { diffRulebooks } from "../diff/diffRulebooks.ts"
import { proveNotLower } from "../proof/proveNotLower.ts"
import type { Proof } from "../proof/Proof.ts"
import type { Rulebook } from "../Rulebook.ts"
import { revert } from "./revert.ts"

export interface Lowering {
  /** Codes of the changes that lower something that rules find. */
  readonly looser: ReadonlyArray<string>
  /** The proof with the changes of some codes taken back; null where the rest does not stand without them. */
  readonly proofWithout: (codes: ReadonlyArray<string>) => Proof | null
  /** Of `codes` those whose change alone lowers a score; all of them where only several together do. */
  readonly culprits: (codes: ReadonlyArray<string>) => ReadonlyArray<string>
}

export const lowering = (before: Rulebook, draft: Rulebook, lifelike: ReadonlyArray<Situation>): Lowering => {
  const looser = diffRulebooks(before, draft)
    .changes.filter(({ kind }) => kind === "looser" || kind === "moved")
    .map(({ code }) => code)
  const proofWithout = (codes: ReadonlyArray<string>) =>
    Result.match(revert(draft, before, new Set(codes)), {
      onFailure: () => null,
      onSuccess: (kept) => proveNotLower(before, kept, lifelike)
    })
  const culprits = (codes: ReadonlyArray<string>) => {
    const alone = codes.filter(
      (code) => proofWithout(looser.filter((other) => other !== code))?.holds !== true
    )
    return alone.length > 0 ? alone : codes
  }
  return { looser, proofWithout, culprits }
}
