/** T7: a fault gives the fault-free answer or an incomplete one whose scores are no lower. */

import fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import type { Opinion } from "../../src/domain/Opinion.ts"
import { behavior } from "../support/arbitrary/behavior.ts"
import { policies } from "../support/arbitrary/policies.ts"
import { question } from "../support/arbitrary/question.ts"
import { opine } from "../support/opine.ts"
import { theorems } from "../support/theorem.ts"

const neverLower = (healthy: Opinion, faulty: Opinion): boolean =>
  healthy.actionRisk.score <= faulty.actionRisk.score &&
  healthy.actionRisk.range.high <= faulty.actionRisk.range.high &&
  isDeepStrictEqual(healthy.blastRadius, faulty.blastRadius)

theorems(
  question().chain((asked) => fc.tuple(fc.constant(asked), behavior(asked.action), policies(), fc.nat(2))),
  ([asked]) => opine({ ...asked, behavior: "unavailable" }),
  {
    "T7: history that cannot be read scores no lower than any that could have been": (
      faulty,
      [asked, history]
    ) => neverLower(opine({ ...asked, behavior: history }), faulty),

    "T7: a policy rule that fails scores no lower than it would have": (_, [asked, , healthy, which]) => {
      const faulty = healthy.map((rule, at) => (at === which ? { ...rule, broken: true } : rule))
      return neverLower(opine({ ...asked, policies: healthy }), opine({ ...asked, policies: faulty }))
    }
  }
)
