/** The assessments that an operator names to erase, or the first reason why none of them is erased. */

import { Effect } from "effect"
import { erasedTogetherMax } from "../../Limits.ts"
import type { Owner } from "../../storage/AssessmentRecord.ts"
import { asUuid } from "../../storage/assessmentId.ts"
import { Erasures } from "../../storage/Erasures.ts"
import { Refused } from "../Refused.ts"

const pagesOf = <A>(all: ReadonlyArray<A>) =>
  Array.from({ length: Math.ceil(all.length / erasedTogetherMax) }, (_, page) =>
    all.slice(page * erasedTogetherMax, (page + 1) * erasedTogetherMax)
  )

/** In pages. All that are named or none: an id that was typed wrongly is told before anything is gone. */
export const namedForErasure = Effect.fnUntraced(function* (owner: Owner, ids: ReadonlyArray<string>) {
  const erasures = yield* Erasures
  const stored = yield* Effect.forEach(new Set(ids.map((id) => asUuid(id) ?? id)), (id) =>
    Effect.gen(function* () {
      const uuid = asUuid(id)
      const [candidate] = uuid === undefined ? [] : yield* erasures.named(owner, [uuid])
      // Erased before: asking for it again is no mistake.
      if (uuid !== undefined && candidate === undefined && (yield* erasures.count(owner, [uuid])) > 0)
        return []
      if (candidate === undefined)
        return yield* new Refused({ message: `there is no assessment \`${id}\` in ${owner.mode} mode` })
      if (!candidate.erasable)
        return yield* new Refused({
          message: `assessment \`${id}\` is too new to be erased, so none was: run it again in ten seconds`
        })
      return [candidate]
    })
  )
  return pagesOf(stored.flat())
})
