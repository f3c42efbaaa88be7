/** Tries one case and compares its expected with its actual outcome. */

import type { Action } from "../../domain/Action.ts"
import type { Behavior } from "../../domain/Behavior.ts"
import type { Opinion } from "../../domain/Opinion.ts"
import type { Facts } from "../../scoring/Facts.ts"
import type { PolicySet, RiskModel } from "../../scoring/Model.ts"
import { prepareOrganizationCatalogue } from "../../scoring/knowledge/OrganizationCatalogue.ts"
import { type Case, type Fault, situationsOf } from "./Case.ts"
import { type Knowing, type Situation, snapshotOf } from "./Situation.ts"
import { score } from "../../scoring/score.ts"

export interface Trial {
  readonly passed: boolean
  /** As written in the case file: `high`, `matched`, `low or moderate, 10-45`. */
  readonly expected: string
  readonly actual: string
  /** One trace; for an ordering two, the higher situation first. */
  readonly traces: ReadonlyArray<ScoreTrace>
}

/** A case with the inputs of its score, computed once for all rulebooks with the same numbers and words. */
export interface PreparedCase {
  readonly one: Case
  readonly inputs: ReadonlyArray<ScoreInput>
}

/** `policies`: the set whose catalogue counts in the history of the case. */
export const prepareCase = (one: Case, model: RiskModel, policies: Knowing = {}): PreparedCase => ({
  one,
  inputs: situationsOf(one).map((situation) =>
    scoreInputOf(situation, "fault" in one ? one.fault : undefined, model, policies)
  )
})

/** The catalogue entries that an opinion names, ascending. */
export const entriesNamedIn = ({ assumptions, reading }: Opinion): ReadonlyArray<string> =>
  [...new Set([reading.entry, ...assumptions.map(({ entry }) => entry)])]
    .filter((entry) => entry !== undefined)
    .toSorted()

const matchedOrNone = (held: boolean) => (held ? "matched" : "none")

/** Compares the traces with the expectation, in the terms of the case file. */
const outcome = (
  one: Case,
  [first, second]: ReadonlyArray<ScoreTrace>,
  model: RiskModel
): Omit<Trial, "traces"> => {
  if (first === undefined) throw new Error("a case is scored at least once")
  const { actionRisk, policyContext } = first.opinion
  const exactly = (expected: string, actual: string) => ({ passed: expected === actual, expected, actual })
  switch (one.kind) {
    case "factor":
      // More rules may match than an answer shows. An answer has one factor per subject, and omits assumptions about ordinary actions.
      return exactly(
        one.expect,
        model.match(first.reported).factors.find(({ code }) => code === one.of)?.severity ?? "none"
      )
    case "typology":
      return exactly(
        one.expect,
        matchedOrNone(model.match(first.first).typologies.some(({ name }) => name === one.of))
      )
    case "policy":
      return exactly(one.expect, matchedOrNone(policyContext.some(({ rule }) => rule === one.of)))
    case "catalogue": {
      const found = entriesNamedIn(first.opinion).join(", ") || "no entry"
      const expected = one.entries.join(", ") || "no entry"
      return one.level === null
        ? exactly(expected, found)
        : exactly(`${expected}: ${one.level}`, `${found}: ${actionRisk.level}`)
    }
    case "level": {
      const [least, greatest] = one.scores
      const { level, score } = actionRisk
      const range = least === 0 && greatest === 100 ? "" : `, ${least}-${greatest}`
      return {
        passed: one.levels.includes(level) && score >= least && score <= greatest,
        expected: `${one.levels.join(" or ")}${range}`,
        actual: `${level}, ${score}`
      }
    }
    case "call": {
      const found = [first, second].map((trace) => trace?.opinion.actionRisk)
      return {
        passed: found.every((risk, i) => risk?.level === one.levels[i]),
        expected: one.levels.join(" and "),
        actual: found.map((risk) => `${risk?.level} (${risk?.score})`).join(" and ")
      }
    }
    case "ordering": {
      const lower = second?.opinion.actionRisk.score ?? 0
      return {
        passed: actionRisk.score > lower,
        expected: "the first to score higher",
        actual: `${actionRisk.score} against ${lower}`
      }
    }
  }
}

export const tryCase = ({ one, inputs }: PreparedCase, model: RiskModel, policies: PolicySet): Trial => {
  const traces = inputs.map((input) => traceScore(input, model, policies))
  return { ...outcome(one, traces, model), traces }
}

/** The inputs of one score. They depend on the release's numbers and words, never on its rules. */
interface ScoreInput {
  readonly action: Action
  readonly behavior: Behavior
  readonly fault: Fault | undefined
}

export const scoreInputOf = (
  situation: Situation,
  fault: Fault | undefined,
  model: RiskModel,
  policies: Knowing = {}
): ScoreInput => ({
  action: situation.request,
  behavior: fault === "history" ? "unavailable" : snapshotOf(situation, model, policies),
  fault
})

/** An opinion with every facts record against which the score matched its rules. */
export interface ScoreTrace {
  readonly opinion: Opinion
  /** In the order in which the score matched them. */
  readonly asked: ReadonlyArray<Facts>
  /** The first record, with missing fields at their reference values. Typologies match this record. */
  readonly first: Facts
  /** The record behind the opinion's factors: the first one, completed with facts that are known only after scoring. */
  readonly reported: Facts
}

/** The policies with the fault that the case prescribes. */
const withFault = (fault: Fault | undefined, { actionType }: Action, policies: PolicySet): PolicySet => {
  switch (fault) {
    case "policy":
      return { ...policies, match: () => ({ matched: [], incomplete: true }) }
    case "catalogue": {
      const expired = { id: "expired", match: { action: actionType }, reviewBy: "2000-01-01" }
      return { ...policies, catalogue: prepareOrganizationCatalogue([expired]) }
    }
    default:
      return policies
  }
}

const dependsOnScore = (facts: Facts): boolean =>
  facts.confidence_percent_missing > 0 || facts.assessment_degraded

export const traceScore = (
  { action, behavior, fault }: ScoreInput,
  model: RiskModel,
  policies: PolicySet
): ScoreTrace => {
  const asked: Array<Facts> = []
  const match = (facts: Facts) => {
    asked.push(facts)
    return model.match(facts)
  }
  const opinion = score(action, behavior, { ...model, match }, withFault(fault, action, policies))
  const [first] = asked
  if (first === undefined) throw new Error("a score matches its rules at least once")
  // Invariant: `reported` differs from `first` only in facts about the score, or in nothing that a rule can see.
  return { opinion, asked, first, reported: asked.find(dependsOnScore) ?? first }
}
