/** `action-risk assess`: scores a request file, or a file of many requests, without a server or a database. */

import { Console, Effect, Option, Schema } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { AssessmentRequest } from "../api/AssessmentRequest.ts"
import { AssessmentResponse } from "../api/AssessmentResponse.ts"
import { modes } from "../domain/Caller.ts"
import { currentTerminal } from "./Terminal.ts"
import { assessBatch } from "./batch/assessBatch.ts"
import { assessOffline, explainOffline, scorerOf } from "./assessOffline.ts"
import { renderAssessment } from "./assessmentView.ts"
import { evidenceJson, evidenceSchema, renderEvidence } from "./evidenceView.ts"
import { wrongUsage } from "./commandFailures.ts"
import { jsonFlag, pathArgument, pathFlag } from "./flags.ts"
import { historyFlag, readHistoryFile } from "./inputFiles.ts"
import { callFlags, readStatedRequest } from "./statedRequest.ts"
import { policiesFlag, rulesFlag } from "./rules/rulebooks.ts"

const required = ["action_type", "environment"] as const
const known = Object.keys(AssessmentRequest.fields).filter((field) => !required.some((one) => one === field))

const file = pathArgument("file.json").pipe(
  Argument.withDescription(
    `An assessment request as the API takes it: ${required.join(" and ")}, and what is known of ${known.join(", ")}; - reads standard input`
  ),
  Argument.optional
)

const batch = pathFlag("batch", "requests.ndjson").pipe(
  Flag.withDescription(
    "Instead of a file: one request on each line, or {tool, arguments}, or - for standard input; prints the API's answer to each on one line, in order, or {line, error}"
  ),
  Flag.optional
)

const rules = rulesFlag(
  "A rule release, or draft for the working files; else RULES_VERSION or the newest release"
).pipe(Flag.withDefault(null))

const statedMode = Flag.Literals("mode", modes).pipe(
  Flag.withDescription("The environment_mode of the answer; it does not change the score"),
  Flag.withDefault("test")
)

const whyFlag = Flag.Boolean("why").pipe(
  Flag.withDescription(
    "Also what told how the action is read: the characters of the request and the line of knowledge behind each"
  ),
  Flag.withDefault(false),
  Flag.withoutNegation
)

/** The answer of the API, and with `--why` the evidence behind its reading. */
export const assessSchema = Schema.Struct({
  ...AssessmentResponse.fields,
  evidence: Schema.optionalKey(evidenceSchema).annotate({ description: "With `--why`." })
})

export const assess = Command.make(
  "assess",
  {
    file,
    batch,
    ...callFlags,
    rules,
    policies: policiesFlag,
    history: historyFlag,
    mode: statedMode,
    why: whyFlag,
    json: jsonFlag
  },
  Effect.fnUntraced(function* (options) {
    const [file, batch] = [Option.getOrNull(options.file), Option.getOrNull(options.batch)]
    const { history, mode, policies: policySet } = options
    if (batch !== null) {
      const excluded = file !== null ? "a file" : history !== null ? "--history" : null
      if (excluded !== null) return yield* wrongUsage("assess", batchAlone(batch, excluded))
      const { rules } = options
      return yield* assessBatch(batch, { rules, offline: { mode, policySet } }).pipe(
        Effect.provide(scorerOf(rules))
      )
    }
    const { action } = yield* readStatedRequest("assess", file, options)
    const offline = { mode, policySet, history: yield* readHistoryFile(history) }
    const response = yield* assessOffline(action, offline).pipe(Effect.provide(scorerOf(options.rules)))
    const { rules, why } = options
    const evidence = why ? evidenceJson(yield* explainOffline(action, { policySet, rules })) : []
    const asked = { actionType: action.actionType, environment: action.environment }
    const screen = currentTerminal()
    yield* Console.log(
      options.json
        ? JSON.stringify(why ? { ...response, evidence } : response, null, 2)
        : renderAssessment(screen, asked, response, renderEvidence(screen, evidence))
    )
  })
).pipe(
  Command.withDescription("Score a request file with the shipped rules, without a server or a database"),
  Command.withExamples([
    { command: "action-risk assess examples/requests/stripe-payout.json", description: "For people" },
    {
      command: `action-risk assess - <<<'{"action_type":"github.delete_repository","environment":"production"}'`,
      description: "With what an agent states at the least"
    },
    {
      command: `action-risk assess --tool mcp__stripe__create_refund --arguments '{"amount":5000000,"currency":"usd"}' --environment production`,
      description: "The call of a tool"
    },
    {
      command: "action-risk assess --shell 'git push --force origin main'",
      description: "A command, in production where no environment is stated"
    },
    {
      command: "action-risk assess --why --shell 'cd /srv && rm -rf $OLD'",
      description: "Which words of it decided, and by which line of knowledge"
    },
    {
      command: "action-risk assess request.json --rules draft --policies starter --json",
      description: "With the working files and the starter policies, as the API answers"
    },
    {
      command: "action-risk assess request.json --history history.json",
      description: "For an organization that has asked before"
    },
    {
      command: "action-risk assess --batch requests.ndjson > opinions.ndjson",
      description: "Many requests, one on each line; the answer to line n is line n"
    },
    {
      command:
        "action-risk assess --batch - --rules draft | jq -c '[.action_risk.score, .action_risk.level]'",
      description: "From a pipe, with the working files"
    }
  ])
)

const batchAlone = (batch: string, excluded: string) =>
  new CliError.InvalidValue({
    option: "batch",
    value: batch,
    expected: `used without ${excluded}`,
    kind: "flag"
  })
