/** Tries one case: what it expects, what came, and whether that is the same. */

import type { Model, PolicySet } from "../../scoring/Model.ts"
import type { Case } from "./Case.ts"
import { type Hearing, hear, type Question, questionOf } from "./hear.ts"

export interface Trial {
  readonly passed: boolean
  /** As the case file spells it: `high`, `matched`, `low or moderate, 10-45`. */
  readonly expected: string
  readonly came: string
  /** One, or of an ordering the higher and the lower. */
  readonly hearings: ReadonlyArray<Hearing>
}

/** A case with what its score takes, worked out once for as many rulebooks as share the model's numbers and words. */
export interface ReadyCase {
  readonly one: Case
  readonly questions: ReadonlyArray<Question>
}

export const ready = (one: Case, model: Model): ReadyCase => ({
  one,
  questions:
    one.kind === "ordering"
      ? [one.higher, one.lower].map((situation) => questionOf(situation, undefined, model))
      : [questionOf(one.situation, one.fault, model)]
})

const matched = (held: boolean) => (held ? "matched" : "none")

/** What came of the hearings, in the words of the case. */
const outcome = (
  one: Case,
  [first, second]: ReadonlyArray<Hearing>,
  model: Model
): Omit<Trial, "hearings"> => {
  if (first === undefined) throw new Error("a case is heard at least once")
  const { actionRisk, policyContext, riskFactors } = first.opinion
  const exactly = (expected: string, came: string) => ({ passed: expected === came, expected, came })
  switch (one.kind) {
    case "factor":
      return exactly(one.expect, riskFactors.find(({ code }) => code === one.of)?.severity ?? "none")
    case "typology":
      return exactly(
        one.expect,
        matched(model.match(first.first).typologies.some(({ name }) => name === one.of))
      )
    case "policy":
      return exactly(one.expect, matched(policyContext.some(({ rule }) => rule === one.of)))
    case "level": {
      const [least, greatest] = one.scores
      const { level, score } = actionRisk
      const range = least === 0 && greatest === 100 ? "" : `, ${least}-${greatest}`
      return {
        passed: one.levels.includes(level) && score >= least && score <= greatest,
        expected: `${one.levels.join(" or ")}${range}`,
        came: `${level}, ${score}`
      }
    }
    case "ordering": {
      const lower = second?.opinion.actionRisk.score ?? 0
      return {
        passed: actionRisk.score > lower,
        expected: "the first to score higher",
        came: `${actionRisk.score} against ${lower}`
      }
    }
  }
}

export const tryCase = ({ one, questions }: ReadyCase, model: Model, policies: PolicySet): Trial => {
  const hearings = questions.map((question) => hear(question, model, policies))
  return { ...outcome(one, hearings, model), hearings }
}
