/** Where the caller's words contradict each other, the worse reading counts. */

import fc from "fast-check"
import { reversibilities } from "../../src/domain/Action.ts"
import type { Action } from "../../src/domain/Action.ts"
import type { Question } from "../oracle/Question.ts"
import { question } from "../support/arbitrary/question.ts"
import { model } from "../support/draft.ts"
import { opine } from "../support/opine.ts"
import { theorem } from "../support/theorem.ts"

/** `lie` is said instead of `truth`, which the rest of the action gives away. */
const neverPays = (
  claim: string,
  told: (asked: Question) => ReadonlyArray<{ lie: Partial<Action>; truth: Partial<Action> }>
) =>
  theorem(claim, fc.tuple(question(), fc.nat(3)), ([asked, which]) => {
    const stories = told(asked)
    const story = stories[which % Math.max(1, stories.length)]
    if (story === undefined) return true
    const lie = opine({ ...asked, action: { ...asked.action, ...story.lie } })
    const truth = opine({ ...asked, action: { ...asked.action, ...story.truth } })
    return lie.actionRisk.score >= truth.actionRisk.score && lie.blastRadius.score >= truth.blastRadius.score
  })

const classOf = ({ words }: Question) => model.numbers.classes[words.class]

neverPays("stating another environment than the target names never lowers a score", ({ words }) =>
  words.production
    ? (["development", "sandbox", "staging"] as const).map((environment) => ({
        lie: { environment },
        truth: { environment: "production" }
      }))
    : []
)

neverPays("denying that access changes privileges never lowers a score", (asked) =>
  classOf(asked).alwaysChangesPrivilege
    ? [{ lie: { privilegeChange: false }, truth: { privilegeChange: true } }]
    : []
)

neverPays("claiming easier reversibility than the class allows never lowers a score", (asked) => {
  const floor = classOf(asked).reversibilityFloor
  return reversibilities
    .slice(0, reversibilities.indexOf(floor))
    .map((reversibility) => ({ lie: { reversibility }, truth: { reversibility: floor } }))
})

neverPays("a zero beside a positive count never lowers a score", (asked) => {
  if (!classOf(asked).countsGoTogether) return []
  return [1, 100, 1_000, 1_000_000].flatMap((many) => {
    const truth = { entitiesAffected: many, recordsAffected: many }
    return [
      { lie: { ...truth, entitiesAffected: 0 }, truth },
      { lie: { ...truth, recordsAffected: 0 }, truth }
    ]
  })
})

neverPays("production impact where there is no production never lowers a score", () =>
  (["development", "sandbox"] as const).map((environment) => ({
    lie: { environment, productionImpact: true },
    truth: { environment, productionImpact: false }
  }))
)
