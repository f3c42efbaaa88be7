/** Each threshold has a case on both of its sides. */

import type { CasesReport } from "../../cases/CasesReport.ts"
import type { LocatedFinding } from "../../LocatedFinding.ts"

/**
 * Of cases run with coverage: whether they hold is for `test` to say, that they are there is a matter of form.
 * Files in which more than that is wrong are `unclear`, and their thresholds not worth a case yet.
 */
export const boundariesIn = (
  { findings }: CasesReport,
  unclear: ReadonlySet<string>
): ReadonlyArray<LocatedFinding> =>
  findings.filter(({ file, rule }) => rule === "boundary-without-case" && !unclear.has(file))
