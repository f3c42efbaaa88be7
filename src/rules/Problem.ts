/** One thing wrong with a rule file: which lint says so, where in the document, and what to do about it. */

import type { LintId } from "./Lint.ts"

export interface Problem {
  readonly rule: LintId
  readonly path: ReadonlyArray<PropertyKey>
  /** Where a finger would point: at the value, unless its key is what is wrong. */
  readonly at?: "key"
  /** The place in the text, in UTF-16 code units, where no path leads to it. */
  readonly offset?: number
  /** No capital, no final period; what the file says stands in backticks. */
  readonly message: string
  /** What to write instead. */
  readonly suggestion?: string
}

/** A problem and the file that has it. */
export interface Finding extends Problem {
  readonly file: string
}

export const inFile = (file: string, problems: ReadonlyArray<Problem>): ReadonlyArray<Finding> =>
  problems.map((problem) => ({ file, ...problem }))

const step = (key: PropertyKey): string => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)

/** `rules/factors/volume/X.json: rules[0].conditions.all[1].fact: unknown fact …`, on one line. */
export const renderFinding = ({
  file,
  path,
  message
}: Pick<Finding, "file" | "path" | "message">): string => {
  const place = path.map(step).join("").replace(/^\./, "")
  return `${file}: ${place === "" ? "" : `${place}: `}${message}`.replaceAll(/\s+/g, " ")
}
