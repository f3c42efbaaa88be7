/** Tries one case: what it expects, what came, and whether that is the same. */

import type { Action } from "../../domain/Action.ts"
import type { Behavior } from "../../domain/Behavior.ts"
import type { Opinion } from "../../domain/Opinion.ts"
import type { Facts } from "../../scoring/Facts.ts"
import type { Model, PolicySet } from "../../scoring/Model.ts"
import { score } from "../../scoring/score.ts"
import type { Case, Fault } from "./Case.ts"
import { type Situation, snapshotOf } from "./Situation.ts"

export interface Trial {
  readonly passed: boolean
  /** As the case file spells it: `high`, `matched`, `low or moderate, 10-45`. */
  readonly expected: string
  readonly came: string
  /** One, or of an ordering the higher and the lower. */
  readonly hearings: ReadonlyArray<ScoreTrace>
}

/** A case with what its score takes, worked out once for as many rulebooks as share the model's numbers and words. */
export interface PreparedCase {
  readonly one: Case
  readonly inputs: ReadonlyArray<ScoreInput>
}

export const prepareCase = (one: Case, model: Model): PreparedCase => ({
  one,
  inputs:
    one.kind === "ordering"
      ? [one.higher, one.lower].map((situation) => scoreInputOf(situation, undefined, model))
      : [scoreInputOf(one.situation, one.fault, model)]
})

const matchedOrNone = (held: boolean) => (held ? "matched" : "none")

/** What came of the hearings, in the words of the case. */
const outcome = (
  one: Case,
  [first, second]: ReadonlyArray<ScoreTrace>,
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
        matchedOrNone(model.match(first.first).typologies.some(({ name }) => name === one.of))
      )
    case "policy":
      return exactly(one.expect, matchedOrNone(policyContext.some(({ rule }) => rule === one.of)))
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

export const tryCase = (
  { one, inputs: questions }: PreparedCase,
  model: Model,
  policies: PolicySet
): Trial => {
  const hearings = questions.map((question) => traceScore(question, model, policies))
  return { ...outcome(one, hearings, model), hearings }
}

/**
 * The whole score of a case, with everything that it asked the rules on the way.
 * What the score takes. It depends on the model's numbers and words, never on its rules.
 */
interface ScoreInput {
  readonly action: Action
  readonly behavior: Behavior
  readonly policiesFail: boolean
}

export const scoreInputOf = (situation: Situation, fault: Fault | undefined, model: Model): ScoreInput => ({
  action: situation.request,
  behavior: fault === "history" ? "unavailable" : snapshotOf(situation, model),
  policiesFail: fault === "policy"
})

export interface ScoreTrace {
  readonly opinion: Opinion
  /** In the order of the score's questions. */
  readonly asked: ReadonlyArray<Facts>
  /** The facts of the first question, with missing fields at their reference: typologies are judged by these. */
  readonly first: Facts
  /** The facts of the question that the opinion shows: the first one's, and what only the rest of the score tells. */
  readonly reported: Facts
}

const dependsOnScore = (facts: Facts): boolean =>
  facts.confidence_percent_missing > 0 || facts.gate_applied || facts.assessment_degraded

export const traceScore = (
  { action, behavior, policiesFail }: ScoreInput,
  model: Model,
  policies: PolicySet
): ScoreTrace => {
  const asked: Array<Facts> = []
  const match = (facts: Facts) => {
    asked.push(facts)
    return model.match(facts)
  }
  const set = policiesFail ? { ...policies, match: () => ({ matched: [], incomplete: true }) } : policies
  const opinion = score(action, behavior, { ...model, match }, set)
  const [first] = asked
  if (first === undefined) throw new Error("a score asks its rules")
  // Invariant: the reported question differs from the first by what it tells of the score, or by nothing that rules see.
  return { opinion, asked, first, reported: asked.find(dependsOnScore) ?? first }
}
