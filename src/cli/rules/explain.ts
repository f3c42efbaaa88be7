/** `rules explain` and `policies explain`: shows for one request which rules hold, and the value behind every condition. */

import { Console, Effect, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import { encodeAssessment } from "../../assessment/encode.ts"
import type { Action } from "../../domain/Action.ts"
import type { Rulebook } from "../../rules/Rulebook.ts"
import type { Situation } from "../../rules/cases/Situation.ts"
import { scoreInputOf, traceScore } from "../../rules/cases/tryCase.ts"
import { atomTraces, type ExplainedRule, explainRules } from "../../rules/explain/explainRules.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { loadPolicySet } from "../../rules/policies/loadPolicySet.ts"
import { currentTerminal } from "../Terminal.ts"
import { jsonFlag, pathArgument } from "../flags.ts"
import { historyFlag, readHistoryFile, readRequestFile } from "../requestFiles.ts"
import { type Explanation, renderExplanation } from "./explainView.ts"
import {
  policiesFlag,
  rulebookOrServed,
  rulesFlag,
  scoringReleaseFlag,
  workingRulebook
} from "./rulebooks.ts"
import { type Noun, readOrRefuse, ruleFiles, subjectArguments, type VerbHelp } from "./subject.ts"

const { action_risk, blast_radius, risk_factors } = AssessmentResponse.fields

const Value = Schema.Union([Schema.String, Schema.Boolean, Schema.Int])

export const explainSchema = Schema.Struct({
  action_risk,
  blast_radius,
  factors: risk_factors,
  rules: Schema.Array(
    Schema.Struct({
      name: Schema.String.annotate({ description: "The rule's own name, HIGH_ENTITY_COUNT.high." }),
      code: Schema.String.annotate({
        description: "The factor's code, the typology's name, or the policy rule's id."
      }),
      result: Schema.Boolean.annotate({ description: "Whether the rule holds." }),
      atoms: Schema.Array(
        Schema.Struct({
          fact: Schema.String,
          operator: Schema.String,
          value: Schema.Union([Value, Schema.Array(Value)]),
          actual: Value,
          result: Schema.Boolean,
          short_by: Schema.optionalKey(Schema.Int).annotate({
            description:
              "For a comparison that fails: the distance to the threshold, in the unit of the fact."
          })
        })
      ).annotate({ description: "In the order of the file." })
    })
  ).annotate({ description: "Every rule: factors, then typologies, then policy rules." })
})

const explainFlags = {
  request: pathArgument("request.json").pipe(
    Argument.withDescription("An assessment request as the API takes it; - reads standard input")
  ),
  history: historyFlag,
  all: Flag.Boolean("all").pipe(
    Flag.withDescription("Also the rules that neither hold nor came near"),
    Flag.withDefault(false),
    Flag.withoutNegation
  )
}

/** A policy set is the subject of the policy commands, so only the rule commands have a flag for it. */
const releaseFlags: Readonly<
  Record<Noun, { rules: typeof scoringReleaseFlag; policies?: typeof policiesFlag }>
> = {
  rules: {
    rules: rulesFlag("Which release; else RULES_VERSION or the newest").pipe(Flag.withDefault(null)),
    policies: policiesFlag
  },
  policies: { rules: scoringReleaseFlag }
}

const help: Readonly<Record<Noun, VerbHelp>> = {
  rules: {
    description: "Show which rules hold for a request and which came near, with the values that each one saw",
    examples: [
      {
        command: "action-risk rules explain examples/requests/salesforce-export.json",
        description: "Rules that hold, and near misses"
      },
      {
        command: "action-risk rules explain request.json --rules draft --history history.json --all",
        description: "Every rule of the working files, for an organization that has asked before"
      }
    ]
  },
  policies: {
    description:
      "Show which rules of a working policy set hold for a request and which came near, with the values that each one saw",
    examples: [
      {
        command: "action-risk policies explain starter examples/requests/stripe-payout.json",
        description: "Rules that hold, and near misses"
      },
      {
        command: "action-risk policies explain starter request.json --history history.json --all",
        description: "Every rule of the set, for an organization that has asked before"
      }
    ]
  }
}

export const explainCommand = (noun: Noun) =>
  Command.make(
    "explain",
    { ...subjectArguments[noun], ...explainFlags, ...releaseFlags[noun], json: jsonFlag },
    Effect.fn("cli.explainRequest")(function* ({ policies = "none", subject = ruleFiles, ...options }) {
      const { action } = yield* readRequestFile(options.request)
      const earlier = yield* readHistoryFile(options.history)
      const [rulebook, only] =
        subject.kind === "rules"
          ? [yield* servedRulebook(options.rules, policies), undefined]
          : [yield* readOrRefuse(yield* workingRulebook(subject, options.rules)), "policy" as const]
      const explanation = explain(rulebook, action, earlier, only)
      yield* Console.log(
        options.json
          ? JSON.stringify(explainJson(explanation), null, 2)
          : renderExplanation(currentTerminal(), explanation, options.all)
      )
    })
  ).pipe(Command.withDescription(help[noun].description), Command.withExamples(help[noun].examples))

const servedRulebook = (rules: string | null, policies: string) =>
  Effect.map(rulebookOrServed(rules), ({ label, release }) => ({
    label,
    release,
    policies: loadPolicySet(packageRoot, policies)
  }))

/** An explanation shows no ids, times or versions, so these stay empty. */
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

/** `only`: the one kind of rules to explain; all kinds where it is left out. */
export const explain = (
  book: Rulebook,
  action: Action,
  earlier: Situation["history"],
  only?: ExplainedRule["kind"]
): Explanation => {
  const { model } = book.release
  const situation = { request: action, ...(earlier === undefined ? {} : { history: earlier }) }
  const { opinion, reported } = traceScore(
    scoreInputOf(situation, undefined, model),
    model,
    book.policies.policySet
  )
  return {
    asked: { actionType: action.actionType, environment: action.environment },
    response: encodeAssessment(opinion, unstamped),
    rules: explainRules(book, reported).filter(({ kind }) => only === undefined || kind === only)
  }
}

const ruleJson = ({ code, name, tree }: ExplainedRule) => ({
  name,
  code,
  result: tree.result,
  atoms: atomTraces(tree).map(({ actual, atom, result, shortBy }) => ({
    fact: atom.fact,
    operator: atom.operator,
    value: atom.value,
    actual,
    result,
    ...(shortBy === undefined ? {} : { short_by: shortBy })
  }))
})

const explainJson = ({ response, rules }: Explanation): typeof explainSchema.Encoded => ({
  action_risk: response.action_risk,
  blast_radius: response.blast_radius,
  factors: response.risk_factors,
  rules: rules.map(ruleJson)
})
