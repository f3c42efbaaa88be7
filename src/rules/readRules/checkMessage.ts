/** A message may only show figures that exist. */

import { facts } from "../../scoring/Facts.ts"
import { isFactName } from "../Condition.ts"
import { didYouMean } from "../nearestName.ts"
import type { Problem } from "../Problem.ts"

export const checkMessage = (message: string): ReadonlyArray<Problem> =>
  [...message.matchAll(/\{([^}]*)\}/g)].flatMap(([placeholder, name = ""]) =>
    isFactName(name)
      ? []
      : [
          {
            path: ["message"],
            message: `\`${placeholder}\` is not a fact${didYouMean(name, Object.keys(facts))}`
          }
        ]
  )
