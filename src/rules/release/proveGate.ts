/** Whether no request scores lower than under the newest release, but for what was accepted by its code. */

import type { Situation } from "../cases.ts"
import type { LocatedFinding } from "../LocatedFinding.ts"
import { didYouMean } from "../nearestName.ts"
import { proveNotLower } from "../proof/proveNotLower.ts"
import type { Proof } from "../proof/Proof.ts"
import type { Rulebook } from "../Rulebook.ts"
import { gateFinding } from "./gateFinding.ts"
import { lowering } from "./Lowering.ts"

interface Proven {
  readonly says: string
  readonly findings: ReadonlyArray<LocatedFinding>
}

interface Telling {
  /** Where the findings are told: the changelog's entry, which an acceptance belongs in. */
  readonly file: string
  readonly line: number
  /** Situations in which a witness is looked for first. */
  readonly lifelike: ReadonlyArray<Situation>
}

const shown = ({ covers, witness }: Proof): string => {
  if (witness === undefined) return covers
  const history = witness.history === undefined ? "" : ", with a history that prove-not-lower shows,"
  const request = JSON.stringify(witness.request)
  return `this request${history} scored ${witness.fromScore} and now scores ${witness.toScore}: ${request}`
}

export const proveGate = (
  before: Rulebook,
  draft: Rulebook,
  accepted: ReadonlyArray<string>,
  { file, lifelike, line }: Telling
): Proven => {
  const finding = (message: string, suggestion?: string) =>
    gateFinding("could-score-lower", file)(line, message, suggestion)
  const proof = proveNotLower(before, draft, lifelike)
  if (proof.holds) {
    const message = "nothing scores lower, so there is nothing to accept for"
    return { says: proof.covers, findings: accepted.map((code) => finding(`${message} \`${code}\``)) }
  }
  const { culprits, looser, proofWithout } = lowering(before, draft, lifelike)
  const superfluous = accepted.filter((code) => !looser.includes(code))
  if (superfluous.length > 0) {
    return {
      says: "what is accepted is not what got looser",
      findings: superfluous.map((code) =>
        finding(`\`${code}\` got no looser${didYouMean(code, looser).hint}`)
      )
    }
  }
  const rest = accepted.length === 0 ? proof : proofWithout(accepted)
  if (rest?.holds === true) {
    return {
      says: `lower by ${accepted.join(", ")} alone, as accepted; the rest: ${rest.covers}`,
      findings: []
    }
  }
  const open = culprits(looser.filter((code) => !accepted.includes(code)))
  const advice = open.map((code) => `--accept-lower ${code}`).join(" ")
  return {
    says: "a request scores lower",
    findings: [
      finding(
        shown(rest ?? proof),
        open.length === 0 ? undefined : `${advice}, with the reasons in this changelog`
      )
    ]
  }
}
