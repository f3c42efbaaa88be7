/** Handlers for explanations: what-if, replay, and the reasons for an assessment. */

import { Effect, Result } from "effect"
import type { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import { type WhatIf, WhatIfRequest } from "../../api/Explanations.ts"
import { InvalidEnvironment, NotFound } from "../../api/Failures.ts"
import { objectReader, validationFailed } from "../../api/validation.ts"
import { disclaimer } from "../../domain/Opinion.ts"
import { RecordedAssessments } from "../../evidence/recorded/RecordedAssessments.ts"
import { type Changes, changedInput, type RecordedQuestion } from "../../evidence/recorded/reconsider.ts"
import type { JsonObject } from "../../json/json.ts"
import { describeAtom } from "../../rules/explain/describeCondition.ts"
import type { ExplainedRule, Trace } from "../../rules/explain/explainRules.ts"
import { type Call, jsonResponse } from "../Exchange.ts"
import { readBody, readEmptyBody, readJson } from "../requestInput.ts"

const readWhatIf = objectReader(WhatIfRequest)

/** The lines of a tree, each followed by its children. */
const linesOf = (tree: Trace, depth: number): ReadonlyArray<object> => {
  if (tree.kind !== "atom") {
    const text = tree.kind === "all" ? "all of" : "any of"
    const group = { depth, group: tree.kind, result: tree.result, text }
    return [group, ...tree.terms.flatMap((term) => linesOf(term, depth + 1))]
  }
  const { actual, assumed, atom, result, shortBy } = tree
  const { fact, operator, value } = atom
  return [
    {
      depth,
      fact,
      operator,
      value,
      actual,
      ...(assumed === undefined ? {} : { assumed }),
      ...(shortBy === undefined ? {} : { short_by: shortBy }),
      result,
      text: describeAtom(atom)
    }
  ]
}

const encodeRule = ({ code, gives, kind, name, near, tree }: ExplainedRule) => ({
  kind,
  code,
  name,
  gives,
  result: tree.result,
  near: near && !tree.result,
  conditions: linesOf(tree, 0)
})

const headOf = (answer: AssessmentResponse) => ({
  api_version: "v1" as const,
  environment_mode: answer.environment_mode,
  assessment_id: answer.assessment_id,
  risk_engine_version: answer.risk_engine_version,
  policy_version: answer.policy_version
})

const opinionOf = (answer: AssessmentResponse): WhatIf["opinion"] => ({
  assessment_status: answer.assessment_status,
  normalized_action_type: answer.normalized_action_type,
  reading: answer.reading,
  action_category: answer.action_category,
  action_risk: answer.action_risk,
  blast_radius: answer.blast_radius,
  risk_factors: answer.risk_factors,
  recommended_control: answer.recommended_control,
  recommendations: answer.recommendations,
  policy_context: answer.policy_context,
  assumptions: answer.assumptions,
  missing_information: answer.missing_information,
  summary: answer.summary
})

interface Recorded {
  readonly answer: AssessmentResponse
  readonly input: JsonObject
}

const encodeWhatIf = (before: Recorded, changes: Changes, answer: AssessmentResponse, requestId: string) => ({
  ...headOf(before.answer),
  input: changedInput(before.input, changes),
  recorded: { action_risk: before.answer.action_risk, blast_radius: before.answer.blast_radius },
  opinion: opinionOf(answer),
  request_id: requestId,
  disclaimer
})

/** The stored assessment, and the answer of its own rules. */
const considering = ({ consider, find }: RecordedAssessments["Service"]) =>
  Effect.fnUntraced(function* ({ caller, params }: Call, question: RecordedQuestion) {
    const stored = yield* find(caller, params.assessment_id ?? "")
    const told = yield* consider(caller, stored, question)
    if (told.problem !== null && told.replayed === null)
      return yield* new NotFound({ message: `the assessment cannot be recomputed: ${told.problem}` })
    const answer: AssessmentResponse = JSON.parse(Buffer.from(stored.response).toString())
    return { ...told, answer, stored }
  })

export const explanationsHandlers = Effect.gen(function* () {
  const recorded = yield* RecordedAssessments

  const considered = considering(recorded)

  const askWhatIf = Effect.fnUntraced(function* (call: Call) {
    const { caller, exchange } = call
    const bytes = yield* readBody(exchange)
    const { holdsNul, value } = yield* Effect.fromResult(readJson(exchange.request, bytes))
    const asked = readWhatIf(value, holdsNul)
    if (Result.isFailure(asked)) return yield* validationFailed(asked.failure)
    const { changes } = asked.success
    const { answer: before, otherwise, stored } = yield* considered(call, { changes })
    if (otherwise === null) return yield* Effect.die(new Error("the worker gave the wrong answer"))
    if ("problems" in otherwise) return yield* validationFailed(otherwise.problems)
    const { action, answer } = otherwise
    if (caller.environments !== null && !caller.environments.includes(action.environment))
      return yield* new InvalidEnvironment()
    const input: JsonObject = JSON.parse(Buffer.from(stored.input).toString())
    return jsonResponse(encodeWhatIf({ answer: before, input }, changes, answer, exchange.id))
  })

  const replayAssessment = Effect.fnUntraced(function* (call: Call) {
    const { exchange } = call
    const problems = yield* readEmptyBody(exchange)
    if (problems.length > 0) return yield* validationFailed(problems)
    const { answer, replayed } = yield* considered(call, { replay: true })
    if (replayed === null) return yield* Effect.die(new Error("the worker gave the wrong answer"))
    const { digest, problem, storedDigest } = replayed
    return jsonResponse({
      ...headOf(answer),
      equal: digest === storedDigest,
      result_digest: storedDigest,
      recomputed_digest: digest,
      problem,
      request_id: exchange.id,
      disclaimer
    })
  })

  const explainAssessment = Effect.fnUntraced(function* (call: Call) {
    const { answer, explanation } = yield* considered(call, { explain: true })
    return jsonResponse({
      ...headOf(answer),
      rules: explanation?.rules.map(encodeRule) ?? [],
      request_id: call.exchange.id,
      disclaimer
    })
  })

  return { askWhatIf, replayAssessment, explainAssessment }
})
