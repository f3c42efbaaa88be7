/** A gate that stays closed, told at a line of the changelog. */

import type { LocatedFinding } from "../LocatedFinding.ts"

export const gateFinding =
  (rule: "missing-changelog" | "could-score-lower", file: string) =>
  (line: number, message: string, suggestion?: string): LocatedFinding => ({
    rule,
    severity: "error",
    file,
    line,
    column: 1,
    message,
    ...(suggestion === undefined ? {} : { suggestion })
  })
