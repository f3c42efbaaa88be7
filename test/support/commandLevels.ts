/** The level of a shell command in development, as the hook of a host states it. */

import { levels } from "../../src/domain/Opinion.ts"
import { asHookStates } from "../../src/rules/corpus/callGroups.ts"
import { firstOpinionOn } from "./opine.ts"

const known = new Map<string, number>()

/** The place of the level among `levels`. */
export const levelOfCommand = (command: string): number => {
  const before = known.get(command)
  if (before !== undefined) return before
  const { actionRisk } = firstOpinionOn({ ...asHookStates(command), environment: "development" })
  const level = levels.indexOf(actionRisk.level)
  known.set(command, level)
  return level
}
