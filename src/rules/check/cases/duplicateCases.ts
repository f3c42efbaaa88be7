/** Cases are known by their names: no two of a file share one. */

import type { Problem } from "../../Problem.ts"
import type { CaseOutline } from "../FileKind.ts"

export const checkDuplicateCases = (cases: ReadonlyArray<CaseOutline>): ReadonlyArray<Problem> => {
  const names = cases.map(({ name }) => name)
  return names.flatMap((name, i): ReadonlyArray<Problem> =>
    names.indexOf(name) === i
      ? []
      : [{ rule: "duplicate-case", path: ["cases", i, "name"], message: `another case is named \`${name}\`` }]
  )
}
