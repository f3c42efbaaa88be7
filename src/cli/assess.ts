/** `action-risk assess`: scores a request file, or a file with many requests, without a server or a database. */

import { Effect, Schema } from "effect"
import { Flag } from "effect/cli"
import { AssessmentRequest } from "../api/AssessmentRequest.ts"
import { modes } from "../domain/Caller.ts"
import { installedRules } from "../rules/installedRules.ts"
import { currentTerminal } from "./Terminal.ts"
import { assessBatch } from "./batch/assessBatch.ts"
import { assessOnce, explainOffline, scorerOf } from "./assessOffline.ts"
import { evidenceJson, evidenceShape, renderAssessment, renderEvidence } from "./assessmentView.ts"
import { wrongFlag } from "./commandFailures.ts"
import { elseNull, flagOr, pathArgument, pathFlag, switchFlag } from "./flags.ts"
import { historyFlag, readHistoryFile } from "./operatorFiles.ts"
import { callFlags, readStatedRequest } from "./statedRequest.ts"
import { policiesFlag, rulesFlag } from "./rules/subject.ts"
import { AssessmentResponse } from "../api/AssessmentResponse.ts"
import { optionalKey } from "./jsonShapes.ts"
import { verb } from "./verb.ts"

const required = ["action_type", "environment"] as const
const known = Object.keys(AssessmentRequest.fields).filter((field) => !required.some((one) => one === field))

const file = elseNull(
  pathArgument("file.json"),
  `An assessment request as the API accepts it: ${required.join(" and ")}, and any of ${known.join(", ")} that are known; - reads standard input`
)

const batch = elseNull(
  pathFlag("batch", "requests.ndjson"),
  "Instead of a file: one request on each line, or {tool, arguments}, or - for standard input; prints the API's answer to each on one line, in order, or {line, error}"
)

const rules = rulesFlag(
  "A rule release, or draft for the working files (default: RULES_VERSION, or the newest release)",
  null
)

/** The answer of the API; with `--why` also the evidence for its reading. */
const assessShape = Schema.Struct({
  ...AssessmentResponse.fields,
  evidence: optionalKey(evidenceShape, "With `--why`.")
})

export const assess = verb({
  about: "Score a request file with the shipped rules, without a server or a database",
  takes: {
    file,
    batch,
    ...callFlags,
    rules,
    policies: policiesFlag,
    history: historyFlag,
    mode: flagOr(
      Flag.Literals("mode", modes),
      "test",
      "The environment_mode of the answer; it does not change the score"
    ),
    why: switchFlag(
      "why",
      "Also print the evidence for how the action is read: parts of the request, and the line of knowledge that each matches"
    )
  },
  prints: assessShape,
  fails: "the request or the history cannot be read or is not valid, or with `--batch` a line was refused",
  reads: "`RULES_VERSION`, `RULE_ENGINE`; with `--batch`, `PUBLIC_URL` for the links of refused lines",
  examples: {
    "examples/requests/stripe-payout.json": "For people",
    [`action-risk assess - <<<'{"action_type":"github.delete_repository","environment":"production"}'`]:
      "The minimum that an agent can state",
    [`action-risk assess --tool mcp__stripe__create_refund --arguments '{"amount":5000000,"currency":"usd"}' --environment production`]:
      "The call of a tool",
    "--shell 'git push --force origin main'": "A command, in production unless an environment is stated",
    "--why --shell 'cd /srv && rm -rf $OLD'": "Which of its words decided, and by which line of knowledge",
    "request.json --rules draft --policies starter --json":
      "With the working files and the starter policies, as the API answers",
    "request.json --history history.json": "For an organization that has asked before",
    "--batch requests.ndjson > opinions.ndjson":
      "Many requests, one on each line; the answer to line n is line n",
    "--batch - --rules draft | jq -c '[.action_risk.score, .action_risk.level]'":
      "From a pipe, with the working files"
  },
  // The rules are provided to the whole run, so that the answer and its evidence open the release only once.
  run: Effect.fnUntraced(function* (options) {
    const { batch, file, history, mode, policies: policySet, rules, why } = options
    if (batch !== null) {
      const excluded = file !== null ? "a file" : history !== null ? "--history" : null
      if (excluded !== null) return yield* wrongFlag("batch", batch, `used without ${excluded}`)
      return yield* assessBatch(batch, { rules, offline: { mode, policySet } }).pipe(
        Effect.provide(scorerOf(rules))
      )
    }
    const { action } = yield* readStatedRequest(file, options)
    const offline = { mode, policySet, history: yield* readHistoryFile(history) }
    const response = yield* assessOnce(rules, action, offline)
    const asked = { actionType: action.actionType, environment: action.environment }
    const evidence = why ? evidenceJson(yield* explainOffline(action, { policySet, rules })) : []
    const screen = currentTerminal()
    return {
      json: () => (why ? { ...response, evidence } : response),
      text: () => renderAssessment(screen, asked, response, renderEvidence(screen, evidence))
    }
  }, Effect.provide(installedRules))
})
