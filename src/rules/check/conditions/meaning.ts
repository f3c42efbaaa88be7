/** What only the meaning of a rule file's conditions shows: rules and terms that never, always, or never alone decide. */

import type { Ladder } from "../../ladders.ts"
import type { Problem } from "../../Problem.ts"
import type { FactorRule, Rule } from "../../Rule.ts"
import { idleTerms } from "./idleTerms.ts"
import type { Inquiry } from "./Inquiry.ts"

const inRule = (rule: Rule<unknown>, index: number, inquiry: Inquiry): ReadonlyArray<Problem> => {
  const path = ["rules", index, "conditions"]
  if (inquiry.never(rule.condition)) {
    return [{ rule: "never-matches", path, message: `\`${rule.name}\` can hold for no request` }]
  }
  if (inquiry.always(rule.condition)) {
    return [{ rule: "always-matches", path, message: `\`${rule.name}\` holds for every request` }]
  }
  return idleTerms(rule.condition, inquiry).map((problem) => ({
    ...problem,
    path: [...path, ...problem.path]
  }))
}

/** From the last rule to the first, each among those not yet found shadowed: of two alike only the later is. */
const shadowed = (rules: ReadonlyArray<FactorRule>, inquiry: Inquiry): ReadonlyArray<Problem> => {
  let deciding = rules
  return rules
    .map((rule, index) => ({ rule, index }))
    .toReversed()
    .flatMap(({ index, rule }): ReadonlyArray<Problem> => {
      if (inquiry.never(rule.condition)) return []
      const others = deciding.filter((other) => other !== rule)
      if (others.length === 0 || !inquiry.neverDecides(rule, others)) return []
      deciding = others
      const message = `\`${rule.name}\` never decides: a rule as severe or more so holds whenever it does`
      return [{ rule: "shadowed", path: ["rules", index, "conditions"], message }]
    })
}

export const checkMeaning = (ladder: Ladder, inquiry: Inquiry): ReadonlyArray<Problem> => [
  ...ladder.rules.flatMap((rule, i) => inRule(rule, i, inquiry)),
  ...(ladder.kind === "factor" ? shadowed(ladder.rules, inquiry) : [])
]
