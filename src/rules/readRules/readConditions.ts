/** Reads the conditions of every rule of a file, whether or not the rest of the file can be read. */

import type { Condition } from "../Condition.ts"
import type { Problem } from "../Problem.ts"
import { readCondition } from "../readCondition.ts"
import type { Permissions } from "../readCondition/readAtom.ts"
import { isRecord } from "../isRecord.ts"

interface ReadConditions {
  /** By the rule's place in the file; null where there is none, or none that reads. */
  readonly conditions: ReadonlyArray<Condition | null>
  readonly problems: ReadonlyArray<Problem>
}

export const readConditions = (json: unknown, permissions: Permissions): ReadConditions => {
  const rules: ReadonlyArray<unknown> = isRecord(json) && Array.isArray(json["rules"]) ? json["rules"] : []
  const read = rules.map((rule, i) =>
    isRecord(rule) && "conditions" in rule
      ? readCondition(rule["conditions"], permissions, ["rules", i, "conditions"])
      : { condition: null, problems: [] }
  )
  return {
    conditions: read.map(({ condition }) => condition),
    problems: read.flatMap(({ problems }) => problems)
  }
}
