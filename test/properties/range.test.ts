/** The range holds whatever the missing information turns out to be. */

import { completionOf } from "../support/arbitrary/completion.ts"
import { question } from "../support/arbitrary/question.ts"
import { opine } from "../support/opine.ts"
import { theorems } from "../support/theorem.ts"

theorems(
  question().chain((asked) => completionOf(asked).map((completion) => ({ asked, completion }))),
  ({ asked, completion }) => ({ before: opine(asked).actionRisk, after: opine(completion).actionRisk }),
  {
    "T2: every completion within the ceilings scores within the range": ({ after, before }) =>
      before.range.low <= after.score && after.score <= before.range.high,

    "T3: after a reported low no completion within the ceilings is high": ({ after, before }) =>
      before.level !== "low" || after.level === "low" || after.level === "moderate"
  }
)
