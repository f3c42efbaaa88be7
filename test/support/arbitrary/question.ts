/** Random calls with a history and policies: the input of a scorer. */

import fc from "fast-check"
import type { Asked } from "../opine.ts"
import { anyAction } from "./action.ts"
import { behavior } from "./behavior.ts"
import { policies } from "./policies.ts"

export const question = (): fc.Arbitrary<Asked> =>
  anyAction().chain((action) =>
    fc.record({
      action: fc.constant(action),
      behavior: behavior(action),
      policies: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: policies() })
    })
  )
