/** A message may only show figures that exist. */

import { facts } from "../../scoring/Facts.ts"
import { isFactName } from "../Condition.ts"
import { didYouMean } from "../nearestName.ts"
import type { Problem } from "../Problem.ts"

export const checkMessage = (message: string): ReadonlyArray<Problem> =>
  [...message.matchAll(/\{([^}]*)\}/g)].flatMap(([placeholder, name = ""]): ReadonlyArray<Problem> => {
    if (isFactName(name)) return []
    const { hint, suggested } = didYouMean(name, Object.keys(facts))
    return [
      {
        rule: "unknown-placeholder",
        path: ["message"],
        message: `\`${placeholder}\` is not a fact${hint}`,
        ...suggested
      }
    ]
  })
