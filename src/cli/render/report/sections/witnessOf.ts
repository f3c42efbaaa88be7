/** A witness: the two scores, and the request with its history to paste into a case. */

import type { Witness } from "../../../../rules/witness/Witness.ts"
import { type Markup, markup } from "../markup.ts"
import { asCase, pasteable } from "../pasteable.ts"
import { scoreMove } from "./scoreMove.ts"

export const witnessOf = (witness: Witness): Markup =>
  markup`<p>For example <code>${witness.request.action_type}</code> in ${witness.request.environment}:</p>
${scoreMove(witness.fromScore, witness.toScore)}
${requestDetails(asCase(witness))}`

export const requestDetails = (situation: unknown): Markup =>
  markup`<details><summary>The request, ready to paste into a case</summary><pre tabindex="0">${pasteable(situation)}</pre></details>`
