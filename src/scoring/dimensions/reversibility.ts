/** How hard the action is to undo; it amplifies the impacts and is none by itself. */

import type { Completed } from "../complete.ts"
import type { Numbers } from "../Model.ts"

export const reversibility = (completed: Completed, numbers: Numbers): number =>
  numbers.reversibility[completed.reversibility]
