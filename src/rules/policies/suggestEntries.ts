/** Suggests catalogue entries for tools whose answers would change if the organization described them. */

import { type Action, dataClassifications, reversibilities } from "../../domain/Action.ts"
import type { ActionRiskLevel } from "../../domain/Opinion.ts"
import { byCodeUnit, isRecord, type Json, type JsonObject } from "../../json/json.ts"
import type { PolicySet, RiskModel } from "../../scoring/Model.ts"
import {
  keyOfSubject,
  type OrganizationEntry,
  prepareOrganizationCatalogue
} from "../../scoring/knowledge/OrganizationCatalogue.ts"
import { snapshotOf } from "../cases/Situation.ts"
import { snakeCase } from "../files/vocabulary.ts"
import { score } from "../../scoring/score.ts"

type Said = Omit<OrganizationEntry, "id" | "match" | "reviewBy">

/** One way to describe a tool, and its effect. */
export interface Suggestion {
  /** The name as spelled in the first call. */
  readonly action: string
  readonly calls: number
  /** The number of calls whose level would change, or whose score would differ by at least `noticedMin`. */
  readonly changed: number
  /** The score and level of a typical call, before and after. */
  readonly from: { readonly score: number; readonly level: ActionRiskLevel }
  readonly to: { readonly score: number; readonly level: ActionRiskLevel }
  /** `unknown`: no release knows the tool. `undescribed`: its calls omit fields that would lower their level. */
  readonly reason: "unknown" | "undescribed"
  /** In the format of `catalogue.json`, without `why`, `owner` and `review_by`, which only a person can write. */
  readonly entry: Readonly<Record<string, unknown>>
}

/** Values that are usually true of small tools. A suggestion is a question, and a person answers it. */
const guesses: Readonly<Record<string, Said>> = {
  entities_affected: { entitiesAffected: 1 },
  records_affected: { recordsAffected: 1 },
  data_classification: { dataClassification: "internal" },
  reversibility: { reversibility: "mostly_reversible" },
  privilege_change: { privilegeChange: false },
  production_impact: { productionImpact: false }
}

const largest = (figures: ReadonlyArray<number | undefined>): number | undefined => {
  const stated = figures.filter((figure) => figure !== undefined)
  return stated.length === 0 ? undefined : Math.max(1, ...stated)
}

const worst = <A extends string>(
  order: ReadonlyArray<A>,
  values: ReadonlyArray<A | "unknown" | undefined>
): A | undefined => order.findLast((value) => values.includes(value))

/** The riskiest value of each field that any call of the tool stated. */
const statedIn = (calls: ReadonlyArray<Action>): Readonly<Record<string, Said>> => {
  const entities = largest(calls.map(({ entitiesAffected }) => entitiesAffected))
  const records = largest(calls.map(({ recordsAffected }) => recordsAffected))
  const classification = worst(
    dataClassifications,
    calls.map(({ dataClassification }) => dataClassification)
  )
  const reversibility = worst(
    reversibilities,
    calls.map((call) => call.reversibility)
  )
  return {
    ...(entities === undefined ? {} : { entities_affected: { entitiesAffected: entities } }),
    ...(records === undefined ? {} : { records_affected: { recordsAffected: records } }),
    ...(classification === undefined ? {} : { data_classification: { dataClassification: classification } }),
    ...(reversibility === undefined ? {} : { reversibility: { reversibility } })
  }
}

interface Answer {
  readonly action: Action
  readonly score: number
  readonly level: ActionRiskLevel
  readonly unknown: boolean
  /** Fields that alone could lower the level if they were stated. */
  readonly lowering: ReadonlyArray<string>
}

const answer = (action: Action, model: RiskModel, policies: PolicySet): Answer => {
  const opinion = score(action, snapshotOf({ request: action }, model, policies), model, policies)
  const { level, score: points } = opinion.actionRisk
  return {
    action,
    score: points,
    level,
    unknown: opinion.reading.class === "unknown",
    lowering: opinion.missingInformation.flatMap(({ couldLowerTo, field }) =>
      couldLowerTo < points && guesses[field] !== undefined ? [field] : []
    )
  }
}

/** In points of a score. A smaller difference within a level does not justify an entry. */
const noticedMin = 5

const isNoticed = (one: Answer, other: Answer): boolean =>
  one.level !== other.level || Math.abs(one.score - other.score) >= noticedMin

/** The answer with the median score. */
const typical = (answers: ReadonlyArray<Answer>): Answer | undefined =>
  answers.toSorted((a, b) => a.score - b.score)[Math.floor((answers.length - 1) / 2)]

const written = (action: string, said: Said): Readonly<Record<string, unknown>> => ({
  match: { action },
  ...Object.fromEntries(Object.entries(said).map(([key, value]) => [snakeCase(key), value]))
})

const idOf = (action: string): string =>
  action
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "unnamed"

/** The ways in which a tool could be described, mildest first. */
const descriptions = (answers: ReadonlyArray<Answer>): ReadonlyArray<Said> => {
  const calls = answers.map(({ action }) => action)
  const known = { ...guesses, ...statedIn(calls) }
  if (answers.some(({ unknown }) => unknown)) {
    return [{ class: "read" }, { class: "write" }, { class: "delete" }]
  }
  const fields = [...new Set(answers.flatMap(({ lowering }) => lowering))]
  return fields.length === 0 ? [] : [Object.assign({}, ...fields.map((field) => known[field])) as Said]
}

function* answerEach(
  actions: ReadonlyArray<Action>,
  model: RiskModel,
  policies: PolicySet
): Generator<void, ReadonlyArray<Answer>> {
  const answers: Array<Answer> = []
  for (const action of actions) {
    answers.push(answer(action, model, policies))
    yield
  }
  return answers
}

function* suggestFor(
  actions: ReadonlyArray<Action>,
  model: RiskModel,
  policies: PolicySet
): Generator<void, ReadonlyArray<Suggestion>> {
  const answers = yield* answerEach(actions, model, policies)
  const [first] = answers
  const before = typical(answers)
  if (first === undefined || before === undefined) return []
  const { actionType } = first.action
  const suggestions: Array<Suggestion> = []
  for (const said of descriptions(answers)) {
    const entry = { id: "suggested", match: { action: actionType }, reviewBy: "9999-12-31", ...said }
    const known = policies.catalogue?.entries ?? []
    const catalogue = prepareOrganizationCatalogue([...known, entry])
    const after = yield* answerEach(actions, model, { ...policies, catalogue })
    const changed = after.filter((one, at) => isNoticed(one, answers[at] ?? one)).length
    const now = typical(after)
    if (changed === 0 || now === undefined) continue
    suggestions.push({
      action: actionType,
      calls: answers.length,
      changed,
      from: { score: before.score, level: before.level },
      to: { score: now.score, level: now.level },
      reason: first.unknown ? "unknown" : "undescribed",
      entry: { id: idOf(actionType), ...written(actionType, said) }
    })
  }
  return suggestions
}

/** Like `suggestEntries`, but yields after each scored call, so that the process can serve requests in between. */
export function* suggestionSteps(
  calls: ReadonlyArray<Action>,
  model: RiskModel,
  policies: PolicySet
): Generator<void, ReadonlyArray<Suggestion>> {
  const tools = Map.groupBy(calls, ({ actionType }) => keyOfSubject({ action: actionType }))
  const suggestions: Array<Suggestion> = []
  for (const [, own] of [...tools].toSorted(
    ([a, own], [b, other]) => other.length - own.length || byCodeUnit(a, b)
  ))
    suggestions.push(...(yield* suggestFor(own, model, policies)))
  return suggestions
}

/** Suggestions for the tools of these calls, most often called first. Calls are scored for an organization without history. */
export const suggestEntries = (
  calls: ReadonlyArray<Action>,
  model: RiskModel,
  policies: PolicySet
): ReadonlyArray<Suggestion> => {
  const steps = suggestionSteps(calls, model, policies)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The request in a line: the line itself, or the `input` of a recorded assessment. */
export const requestIn = (json: Json): Json =>
  isRecord(json) && isRecord(json["input"]) ? (json["input"] as JsonObject) : json
