/** Handlers of explanations: what if, replay, and why an assessment says what it says. */

import { Effect, Result } from "effect"
import { type WhatIf, WhatIfRequest } from "../../api/Explanations.ts"
import { InvalidEnvironment, NotFound } from "../../api/Failures.ts"
import { objectReader, validationFailed } from "../../api/validation.ts"
import { disclaimer } from "../../domain/Opinion.ts"
import {
  changedInput,
  explainCall,
  RecordedAssessments,
  replayDigest,
  whatIf
} from "../../evidence/reconsider.ts"
import { readRecordedCall, type RecordedCall } from "../../evidence/replay.ts"
import { describeAtom } from "../../rules/explain/describeCondition.ts"
import type { ExplainedRule, Trace } from "../../rules/explain/explainRules.ts"
import { type Call, jsonResponse } from "../Exchange.ts"
import { readBody, readEmptyBody, readJson } from "../requestInput.ts"

const readWhatIf = objectReader(WhatIfRequest)

/** The lines of a tree, each in front of what is in it. */
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

const headOf = ({ answer }: Pick<RecordedCall, "answer">) => ({
  api_version: "v1" as const,
  environment_mode: answer.environment_mode,
  assessment_id: answer.assessment_id,
  risk_engine_version: answer.risk_engine_version,
  policy_version: answer.policy_version
})

const opinionOf = (answer: RecordedCall["answer"]): WhatIf["opinion"] => ({
  assessment_status: answer.assessment_status,
  normalized_action_type: answer.normalized_action_type,
  ...(answer.reading === undefined ? {} : { reading: answer.reading }),
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

export const explanationsHandlers = Effect.gen(function* () {
  const recorded = yield* RecordedAssessments

  const stored = ({ caller, params }: Call) => recorded.find(caller, params.assessment_id ?? "")

  const recordedCall = Effect.fnUntraced(function* (call: Call) {
    const read = readRecordedCall(yield* stored(call), recorded.rules)
    return Result.isSuccess(read)
      ? read.success
      : yield* new NotFound({ message: `the assessment cannot be considered again: ${read.failure}` })
  })

  const askWhatIf = Effect.fnUntraced(function* (call: Call) {
    const { caller, exchange } = call
    const bytes = yield* readBody(exchange)
    const { holdsNul, value } = yield* Effect.fromResult(readJson(exchange.request, bytes))
    const asked = readWhatIf(value, holdsNul)
    if (Result.isFailure(asked)) return yield* validationFailed(asked.failure)
    const before = yield* recordedCall(call)
    const { changes } = asked.success
    const after = whatIf(before, changes)
    if (Result.isFailure(after)) return yield* validationFailed(after.failure)
    const { action, answer } = after.success
    if (caller.environments !== null && !caller.environments.includes(action.environment))
      return yield* new InvalidEnvironment()
    const { action_risk, blast_radius } = before.answer
    return jsonResponse({
      ...headOf(before),
      input: changedInput(before.input, changes),
      recorded: { action_risk, blast_radius },
      opinion: opinionOf(answer),
      request_id: exchange.id,
      disclaimer
    })
  })

  const replayAssessment = Effect.fnUntraced(function* (call: Call) {
    const { exchange } = call
    const problems = yield* readEmptyBody(exchange)
    if (problems.length > 0) return yield* validationFailed(problems)
    const evidence = yield* stored(call)
    const { digest, problem, storedDigest } = replayDigest(evidence, recorded.rules)
    return jsonResponse({
      ...headOf({ answer: JSON.parse(Buffer.from(evidence.response).toString()) }),
      equal: digest === storedDigest,
      result_digest: storedDigest,
      recomputed_digest: digest,
      problem,
      request_id: exchange.id,
      disclaimer
    })
  })

  const explainAssessment = Effect.fnUntraced(function* (call: Call) {
    const found = yield* recordedCall(call)
    return jsonResponse({
      ...headOf(found),
      rules: explainCall(found).rules.map(encodeRule),
      request_id: call.exchange.id,
      disclaimer
    })
  })

  return { askWhatIf, replayAssessment, explainAssessment }
})
