/** Where the caller's words contradict each other, the worse reading counts. */

import fc from "fast-check"
import { type Action, reversibilities } from "../../src/domain/Action.ts"
import type { Question } from "../oracle/Question.ts"
import { question } from "../support/arbitrary/question.ts"
import { model } from "../support/edition1.ts"
import { opine } from "../support/opine.ts"
import { theorems } from "../support/theorem.ts"

interface Story {
  /** Said instead of `truth`, which the rest of the action gives away. */
  readonly lie: Partial<Action>
  readonly truth: Partial<Action>
}

const classOf = ({ words }: Question) => model.numbers.classes[words.class]

const stories: Readonly<Record<string, (asked: Question) => ReadonlyArray<Story>>> = {
  "stating another environment than the target names never lowers a score": ({ words }) =>
    words.production
      ? (["development", "sandbox", "staging"] as const).map((environment) => ({
          lie: { environment },
          truth: { environment: "production" }
        }))
      : [],

  "denying that access changes privileges never lowers a score": (asked) =>
    classOf(asked).alwaysChangesPrivilege
      ? [{ lie: { privilegeChange: false }, truth: { privilegeChange: true } }]
      : [],

  "claiming easier reversibility than the class allows never lowers a score": (asked) => {
    const floor = classOf(asked).reversibilityFloor
    return reversibilities
      .slice(0, reversibilities.indexOf(floor))
      .map((reversibility) => ({ lie: { reversibility }, truth: { reversibility: floor } }))
  },

  "a zero beside a positive count never lowers a score": (asked) =>
    [1, 100, 1_000, 1_000_000].flatMap((many) => {
      const truth = { entitiesAffected: many, recordsAffected: many }
      return [
        ...(asked.words.class === "read" ? [] : [{ lie: { ...truth, entitiesAffected: 0 }, truth }]),
        ...(classOf(asked).countsGoTogether ? [{ lie: { ...truth, recordsAffected: 0 }, truth }] : [])
      ]
    }),

  "production impact where there is no production never lowers a score": () =>
    (["development", "sandbox"] as const).map((environment) => ({
      lie: { environment, productionImpact: true },
      truth: { environment, productionImpact: false }
    }))
}

const neverPays =
  (told: (asked: Question) => ReadonlyArray<Story>) =>
  (asked: Question, [, which]: readonly [Question, number]): boolean => {
    const all = told(asked)
    const story = all[which % Math.max(1, all.length)]
    if (story === undefined) return true
    const lie = opine({ ...asked, action: { ...asked.action, ...story.lie } })
    const truth = opine({ ...asked, action: { ...asked.action, ...story.truth } })
    return lie.actionRisk.score >= truth.actionRisk.score && lie.blastRadius.score >= truth.blastRadius.score
  }

theorems(
  fc.tuple(question(), fc.nat(7)),
  ([asked]) => asked,
  Object.fromEntries(Object.entries(stories).map(([claim, told]) => [claim, neverPays(told)]))
)
