/** A proof for people: the answer, what it covers, and a request that breaks it as a case to paste. */

import type { Proof } from "../../rules/proof/Proof.ts"
import type { Witness } from "../../rules/witness/Witness.ts"
import type { Sheet } from "./Sheet.ts"
import { wrap } from "./wrap.ts"

/** As `*.cases.json` and the calibration take it, but for what it is to expect. */
const caseOf = ({ history, request }: Witness, between: string): string =>
  JSON.stringify(
    { name: `scores lower: ${between}`, request, ...(history === undefined ? {} : { history }) },
    null,
    2
  )

const indented = (text: string): string => text.replaceAll(/^/gm, "  ")

const answer = (sheet: Sheet, { holds, witness }: Proof): string => {
  if (holds) return sheet.ink("green", "no request scores lower")
  return witness === undefined
    ? sheet.ink("yellow", "not decided")
    : sheet.ink("red", `a request scores lower, ${witness.fromScore} → ${witness.toScore}`)
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

export const renderProof = (sheet: Sheet, proof: Proof, between: string): string => {
  const { covers, sampled, witness } = proof
  return [
    `${sheet.ink("bold", between)}: ${answer(sheet, proof)}`,
    "",
    ...(witness === undefined ? [] : [indented(caseOf(witness, between)), ""]),
    ...wrap(sentence(covers), sheet.width),
    ...(sampled === undefined
      ? []
      : wrap(
          `${sampled.requests.toLocaleString("en-US")} requests were scored, seed ${sampled.seed}.`,
          sheet.width
        ))
  ].join("\n")
}
