/** Numbers the texts that a rule set compares with, so that a text is looked up once per evaluation. */

import { type Condition, factKind } from "../Condition.ts"
import type { Rule } from "../Rule.ts"
import type { Texts } from "./encodeFacts.ts"

const texts = (condition: Condition): ReadonlyArray<string> => {
  if ("all" in condition) return condition.all.flatMap(texts)
  if ("any" in condition) return condition.any.flatMap(texts)
  if (factKind(condition.fact).kind !== "text") return []
  return [condition.value].flat().filter((value) => typeof value === "string")
}

export const textsOf = (rules: ReadonlyArray<Rule<unknown>>): Texts =>
  new Map([...new Set(rules.flatMap(({ condition }) => texts(condition)))].map((text, i) => [text, i + 1]))
