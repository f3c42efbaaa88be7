/** The explaining commands: one request under one rulebook, every rule with what it asked and saw. */

import { Console, Effect } from "effect"
import { Argument, Flag } from "effect/cli"
import { encode } from "../assessment/encode.ts"
import type { Action } from "../domain/Action.ts"
import { hear, questionOf } from "../rules/cases/hear.ts"
import type { Situation } from "../rules/cases.ts"
import { atomsOf } from "../rules/explain/trace.ts"
import { type ExplainedRule, explainRules } from "../rules/explain/explainRules.ts"
import type { Rulebook } from "../rules/Rulebook.ts"
import type { RulesRefused } from "../rules/RulesRefused.ts"
import { readRequest } from "./commands/assess/readRequest.ts"
import { history, readHistory } from "./options/history.ts"
import { pathArgument } from "./options/path.ts"
import { type Explanation, renderExplanation } from "./render/explanation.ts"
import { terminal } from "./render/Sheet.ts"
import type { explainShape } from "./shapes/rules/explain.ts"

const request = pathArgument("request.json").pipe(
  Argument.withDescription("An assessment request as the API takes it; - reads standard input")
)
const all = Flag.Boolean("all").pipe(
  Flag.withDescription("Also the rules that neither hold nor came near"),
  Flag.withDefault(false),
  Flag.withoutNegation
)

/** What all of them take. */
export const explaining = { request, history, all }

interface Options {
  readonly request: string
  readonly history: string | null
  readonly all: boolean
  readonly json: boolean
}

/** `only`: about the rules of this kind alone. */
export const explainRequest = Effect.fn("cli.explainRequest")(function* <R>(
  open: Effect.Effect<Rulebook, RulesRefused, R>,
  options: Options,
  only?: ExplainedRule["kind"]
) {
  const { action } = yield* readRequest(options.request)
  const earlier = yield* readHistory(options.history)
  const explanation = explain(yield* open, action, earlier, only)
  yield* Console.log(
    options.json
      ? JSON.stringify(explainJson(explanation), null, 2)
      : renderExplanation(terminal(), explanation, options.all)
  )
})

/** Ids, times and versions are no part of an explanation. */
const unstamped = {
  riskEngineVersion: "",
  policyVersion: "",
  assessmentId: "",
  actionId: "",
  requestId: "",
  mode: "test",
  createdAtMicros: 0,
  timing: { total: 0, validation: 0, behavior: 0, scoring: 0, policy: 0 }
} as const

export const explain = (
  book: Rulebook,
  action: Action,
  earlier: Situation["history"],
  only?: ExplainedRule["kind"]
): Explanation => {
  const { model } = book.release
  const situation = { request: action, ...(earlier === undefined ? {} : { history: earlier }) }
  const { opinion, reported } = hear(questionOf(situation, undefined, model), model, book.policies.policySet)
  return {
    asked: { actionType: action.actionType, environment: action.environment },
    response: encode(opinion, unstamped),
    rules: explainRules(book, reported).filter(({ kind }) => only === undefined || kind === only)
  }
}

const ruleJson = ({ code, name, tree }: ExplainedRule) => ({
  name,
  code,
  result: tree.result,
  atoms: atomsOf(tree).map(({ actual, atom, result, shortBy }) => ({
    fact: atom.fact,
    operator: atom.operator,
    value: atom.value,
    actual,
    result,
    ...(shortBy === undefined ? {} : { short_by: shortBy })
  }))
})

export const explainJson = ({ response, rules }: Explanation): typeof explainShape.Encoded => ({
  action_risk: response.action_risk,
  blast_radius: response.blast_radius,
  factors: response.risk_factors,
  rules: rules.map(ruleJson)
})
