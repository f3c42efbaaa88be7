/** Refuses what json-rules-engine reads in a condition and the dialect leaves out, and says what to write instead. */

import { isRecord } from "../isRecord.ts"
import { nearestName } from "../nearestName.ts"
import type { Problem } from "../Problem.ts"

const instead: Readonly<Record<string, string>> = {
  not: "ask the opposite with `notEqual` or `notIn`",
  path: "every fact is one plain value",
  params: "facts take no parameters",
  priority: "rules have no order, and every one is evaluated",
  condition: "write the condition out, there are no named ones"
}

const keys = ["all", "any", "fact", "operator", "value"]

/** A key that is not one of the dialect's. */
export const refuseForeign = (key: string, path: Problem["path"]): Problem => {
  const reason = keys.includes(key) ? "beside `all` or `any` it says nothing, put it inside" : instead[key]
  const meant = reason === undefined ? nearestName(key, keys) : undefined
  const hint = meant === undefined ? "" : `, did you mean \`${meant}\`?`
  return {
    rule: "not-in-dialect",
    path: [...path, key],
    at: "key",
    message: `\`${key}\` is not part of the dialect${reason === undefined ? hint : `: ${reason}`}`,
    ...(meant === undefined ? {} : { suggestion: meant })
  }
}

/** A value that points to another fact instead of being stated. */
export const isFactReference = (value: unknown): boolean => isRecord(value) && "fact" in value
