/** Single statements that would each have lowered an answer. Reviewers ask for them after the reasons. */

import { Result } from "effect"
import { readActionRequest } from "../../api/AssessmentRequest.ts"
import { dataClassifications, environments, reversibilities } from "../../domain/Action.ts"
import { type ActionRiskLevel, actionRiskLevels } from "../../domain/Opinion.ts"
import type { JsonObject } from "../../json/json.ts"
import { loweringsMax } from "../../limits.ts"
import type { RecordedCall } from "../replay.ts"
import { scoreSummary } from "../../scoring/scoreSummary.ts"

type Statement = string | number | boolean

/** A field with another value, and the resulting score. */
export interface Lowering {
  readonly field: string
  readonly value: Statement
  readonly score: number
  readonly level: ActionRiskLevel
}

/** Each with its values, riskiest last. */
const words: Readonly<Record<string, ReadonlyArray<Statement>>> = {
  data_classification: dataClassifications,
  reversibility: reversibilities,
  environment: environments,
  privilege_change: [false, true],
  production_impact: [false, true]
}

const figures = ["records_affected", "entities_affected", "financial_value"]

/** The powers of ten below a figure, largest first. */
const smaller = (figure: number): ReadonlyArray<number> => {
  const tens: Array<number> = []
  for (let ten = 1; ten < figure; ten *= 10) tens.unshift(ten)
  return tens
}

/** The stated value, or otherwise the assumed one. */
const takenAs = ({ answer, input }: RecordedCall, field: string) => {
  const stated = input[field]
  return stated === undefined || stated === "unknown"
    ? answer.assumptions.find((assumption) => assumption.field === field)?.assumed
    : stated
}

/** The less risky values of a field, closest first. */
const lesser = (call: RecordedCall, field: string): ReadonlyArray<Statement> => {
  const taken = takenAs(call, field)
  if (typeof taken === "number") return figures.includes(field) ? smaller(taken) : []
  const values = words[field] ?? []
  return values
    .slice(
      0,
      Math.max(
        0,
        values.findIndex((value) => value === taken)
      )
    )
    .toReversed()
}

const rank = (level: ActionRiskLevel): number => actionRiskLevels.indexOf(level)

/** Sorted last, because reviewers seldom doubt where an action runs. */
const isElsewhere = ({ field }: Lowering): number => Number(field === "environment")

const byEffect = (a: Lowering, b: Lowering): number =>
  isElsewhere(a) - isElsewhere(b) || rank(a.level) - rank(b.level) || a.score - b.score

/**
 * For each field, the smallest change that reaches a lower level, or otherwise the one that lowers the score most. Uses the rules, policies
 * and history of the answer. Yields between steps, so that others can be served.
 */
export function* loweringSteps(call: RecordedCall): Generator<void, ReadonlyArray<Lowering>> {
  const { action_risk: now } = call.answer
  const { model } = call.release
  const found: Array<Lowering> = []

  const tried = (field: string, value: Statement): ReadonlyArray<Lowering> => {
    const input: JsonObject = { ...call.input, [field]: value }
    const read = readActionRequest(input, false)
    if (Result.isFailure(read)) return []
    const { level, score } = scoreSummary(read.success.action, call.behavior, model, call.policies.policySet)
    return score < now.score ? [{ field, value, score, level }] : []
  }

  for (const field of [...figures, ...Object.keys(words)]) {
    const values = lesser(call, field)
    const farthest = values.at(-1)
    const most = farthest === undefined ? [] : tried(field, farthest)
    yield
    let nearest: ReadonlyArray<Lowering> = []
    // If the farthest value does not reach a lower level, no closer one does.
    const reaches = most.some(({ level }) => rank(level) < rank(now.level))
    for (const value of reaches ? values : []) {
      nearest = tried(field, value).filter(({ level }) => rank(level) < rank(now.level))
      yield
      if (nearest.length > 0) break
    }
    found.push(...(nearest.length > 0 ? nearest : most))
  }
  return found.toSorted(byEffect).slice(0, loweringsMax)
}
