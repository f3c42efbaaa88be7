/** A request, with its history where it takes one, on which two rulebooks differ: in the words of a cases file, ready to paste. */

import { Schema } from "effect"
import type { Situation } from "../cases.ts"
import { SituationFile } from "../files/CasesFile.ts"

/** As `*.cases.json` spells them: snake_case, fixed instants. */
export type SituationJson = typeof SituationFile.Encoded

export interface Witness extends SituationJson {
  /** The action risks that are really reported: gates, floors and policies included. */
  readonly fromScore: number
  readonly toScore: number
}

const encode = Schema.encodeSync(SituationFile)

export const witnessOf = (
  { request, history }: Situation,
  scores: { readonly from: number; readonly to: number }
): Witness => ({
  ...encode(history === undefined ? { request } : { request, history }),
  fromScore: scores.from,
  toScore: scores.to
})
