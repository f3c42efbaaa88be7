/** The levels of shell commands and of other calls in development, as the hook of a host states them. */

import type { Action } from "../../src/domain/Action.ts"
import { levels } from "../../src/domain/Opinion.ts"
import { asHookStates } from "../../src/rules/corpus/callGroups.ts"
import { firstOpinionOn } from "./opine.ts"

const known = new Map<string, number>()

/** The place of the level among `levels`. */
export const levelOfCall = (call: Omit<Action, "environment">): number =>
  levels.indexOf(firstOpinionOn({ ...call, environment: "development" }).actionRisk.level)

/** The place of the level among `levels`. */
export const levelOfCommand = (command: string): number => {
  const before = known.get(command)
  if (before !== undefined) return before
  const level = levelOfCall(asHookStates(command))
  known.set(command, level)
  return level
}
