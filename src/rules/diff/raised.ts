/** What one factor, typology or policy rule has raised, by the matches of an opinion. */

import type { Matches } from "../../scoring/Evaluation.ts"
import type { Ladder } from "../ladders.ts"
import { type Grade, gradeOf, nothing } from "./grade.ts"

export const raised = ({ policies, rules }: Matches, kind: Ladder["kind"], code: string): Grade => {
  const match =
    kind === "factor"
      ? rules.factors.find((one) => one.code === code)
      : kind === "typology"
        ? rules.typologies.find(({ name }) => name === code)
        : policies.matched.find(({ rule }) => rule === code)
  return match === undefined ? nothing : gradeOf({ match })
}
