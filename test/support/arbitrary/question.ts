/** Random questions for the oracle and the scorer alike. */

import fc from "fast-check"
import type { Question } from "../../oracle/Question.ts"
import { understoodAction } from "./action.ts"
import { behavior } from "./behavior.ts"
import { policies } from "./policies.ts"

export const question = (): fc.Arbitrary<Question> =>
  understoodAction().chain(({ action, words }) =>
    fc.record({
      action: fc.constant(action),
      words: fc.constant(words),
      behavior: behavior(action),
      policies: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: policies() })
    })
  )
