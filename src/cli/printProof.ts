/** Proves that nothing scores lower, prints the proof or what breaks it, and ends with 1 where it does not hold. */

import { Console, Effect } from "effect"
import type { LocatedFinding } from "../rules/LocatedFinding.ts"
import { packageRoot } from "../rules/packageRoot.ts"
import type { Proof } from "../rules/proof/Proof.ts"
import { proveNotLower } from "../rules/proof/proveNotLower.ts"
import type { Rulebook } from "../rules/Rulebook.ts"
import { readLifelike } from "../rules/witness/lifelike.ts"
import { Found } from "./Found.ts"
import type { Format } from "./options/format.ts"
import { renderFindings } from "./render/findings.ts"
import { renderProof } from "./render/proof.ts"
import { terminal } from "./render/Sheet.ts"
import { proofJson } from "./shapes/proof.ts"

interface Options {
  readonly json: boolean
  readonly format: Format
  /** Where a reviewer looks first: the file that names the second one's version. */
  readonly file: string
}

const messageOf = ({ covers, witness }: Proof): string => {
  if (witness === undefined) return covers
  const { fromScore, toScore, ...situation } = witness
  return `a request scored ${fromScore} and now scores ${toScore}: \`${JSON.stringify(situation)}\``
}

const findingsOf = (proof: Proof, file: string): ReadonlyArray<LocatedFinding> =>
  proof.holds
    ? []
    : [{ rule: "could-score-lower", severity: "error", file, line: 1, column: 1, message: messageOf(proof) }]

export const printProof = Effect.fn("cli.printProof")(function* (
  command: string,
  from: Rulebook,
  to: Rulebook,
  { file, format, json }: Options
) {
  const proof = proveNotLower(from, to, readLifelike(packageRoot))
  const between = `${from.label} → ${to.label}`
  if (json) yield* Console.log(JSON.stringify(proofJson(proof), null, 2))
  else if (format === "pretty") yield* Console.log(renderProof(terminal(), proof, between))
  else {
    const page = { command, scope: between, findings: findingsOf(proof, file) }
    yield* Console.log(renderFindings(format, page, packageRoot))
  }
  if (!proof.holds) return yield* new Found()
})
