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

export function* deliberate(action: Action, behavior: Behavior, model: Model): Deliberation<Opinion> {
  const it = openCase(action, behavior, model)
  const settled = yield* settle(it)
  const missingInformation = yield* inform(settled, it)
  return report(it, settled, missingInformation)
}
