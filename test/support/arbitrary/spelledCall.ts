/** Random calls in every kind of words that the working rules read: those of the cases, of the catalogues and of commands. */

import fc from "fast-check"
import type { Action } from "../../../src/domain/Action.ts"
import type { Behavior } from "../../../src/domain/Behavior.ts"
import { spellingsOf } from "../../../src/rules/counterexample/spellings.ts"
import { model } from "../draft.ts"
import { anyAction } from "./action.ts"
import { behavior } from "./behavior.ts"

const { lexicon } = model
const spellings = spellingsOf(lexicon, { not: [] })

export interface SpelledCall {
  readonly action: Action
  readonly behavior: Behavior
}

/** Half of them keep the words of `anyAction`, with its targets and destinations. */
export const spelledCall = (): fc.Arbitrary<SpelledCall> =>
  fc.tuple(anyAction(), fc.option(fc.constantFrom(...spellings))).chain(([action, spelling]) => {
    const { targetResource: _resource, targetSystem: _system, ...rest } = action
    const named = spelling === null ? action : { ...rest, ...spelling.names }
    return behavior(named).map((one) => ({ action: named, behavior: one }))
  })
