/** The whole pipeline of one opinion, from the caller's words to the report. */

import type { Action } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import type { Opinion } from "../domain/Opinion.ts"
import type { Deliberation } from "./Deliberation.ts"
import { inform } from "./inform.ts"
import type { Model } from "./Model.ts"
import { report } from "./report.ts"
import { settle } from "./settle.ts"
import { openCase } from "./weigh.ts"
import type { Words } from "./Words.ts"

/** `words`: of the action under the model's lexicon, for callers that have read them already. */
export function* deliberate(
  action: Action,
  behavior: Behavior,
  model: Model,
  words?: Words
): Deliberation<Opinion> {
  const it = openCase(action, behavior, model, words)
  const settled = yield* settle(it)
  const missingInformation = yield* inform(settled, it)
  return report(it, settled, missingInformation)
}
