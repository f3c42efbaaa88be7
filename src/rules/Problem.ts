/** One thing wrong with a rule file: where in the document, and what to do about it. */

export interface Problem {
  readonly path: ReadonlyArray<PropertyKey>
  /** No capital, no final period; what the file says stands in backticks. */
  readonly message: string
}

/** A problem and the file that has it. */
export interface Finding extends Problem {
  readonly file: string
}

export const inFile = (file: string, problems: ReadonlyArray<Problem>): ReadonlyArray<Finding> =>
  problems.map(({ message, path }) => ({ file, path, message }))

const step = (key: PropertyKey): string => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)

/** `rules/factors/volume/X.json: rules[0].conditions.all[1].fact: unknown fact …`, on one line. */
export const renderFinding = ({ file, path, message }: Finding): string => {
  const place = path.map(step).join("").replace(/^\./, "")
  return `${file}: ${place === "" ? "" : `${place}: `}${message}`.replaceAll(/\s+/g, " ")
}
