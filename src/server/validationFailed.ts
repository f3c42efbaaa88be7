/** All problems of a request as one failure: sorted by code points, cut at the limit. */

import { type Problem, ValidationFailed } from "../api/Failures.ts"
import { errorDetailsMax } from "../Limits.ts"

/** UTF-8 sorts like code points; JavaScript's own order is that of UTF-16 units. */
const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

export const validationFailed = (problems: ReadonlyArray<Problem>): ValidationFailed =>
  new ValidationFailed({
    details: problems
      .toSorted((a, b) => compare(a.field, b.field) || compare(a.message, b.message))
      .slice(0, errorDetailsMax)
  })
