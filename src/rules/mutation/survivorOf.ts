/** A surviving mutant as a finding: what was changed, where, and which case would notice. */

import type { Facts } from "../../scoring/Facts.ts"
import type { Answer } from "../analysis/Answer.ts"
import type { Ladder } from "../ladders.ts"
import { lints } from "../Lint.ts"
import type { Place, Spot } from "../locate.ts"
import { factsAskedBy } from "./factsAskedBy.ts"
import { type KillingCase, killingCase } from "./killingCase.ts"
import type { Survivor } from "./MutationReport.ts"
import type { Mutant } from "./mutateLadder.ts"
import type { Scoring } from "./scoringWith.ts"

const rule = "surviving-mutant"

/** `a case with action_type contact.update, environment staging, entities_affected 1000 that expects high` */
const toldCase = ({ expect, history, request }: KillingCase): string => {
  const fields = Object.entries(request).map(([field, value]) => `${field} ${value}`)
  const after = history === undefined ? "" : ", with history,"
  return typeof expect === "string"
    ? `a case with ${fields.join(", ")}${after} that expects ${expect}`
    : `a calibration case with ${fields.join(", ")}${after} that expects score ${expect.score[0]}`
}

const toldFacts = (facts: Facts, ladder: Ladder): string =>
  `a case with ${factsAskedBy(ladder)
    .map((fact) => `${fact} ${facts[fact]}`)
    .join(", ")}`

export const survivorOf = (
  mutant: Mutant,
  same: Answer,
  scoring: Scoring,
  locate: (spot: Spot) => Place
): Survivor => {
  const { change, original, path } = mutant
  const killer = same.is === "no" ? killingCase(mutant, same.example, scoring) : undefined
  const told =
    killer === undefined ? (same.is === "no" ? toldFacts(same.example, original) : null) : toldCase(killer)
  return {
    rule,
    severity: lints[rule].severity,
    file: original.file,
    ...locate({ file: original.file, path }),
    message: `no case of \`${mutant.rule}\` notices ${change}${told === null ? "" : `; ${told} would`}`,
    code: original.code,
    name: mutant.rule,
    change,
    ...(killer === undefined ? {} : { killer })
  }
}
