/** `action-risk assess <file.json>`: scores a request file with the shipped rules, without a server or a database. */

import { Console, Effect, Layer } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Scorer } from "../../assessment/Scorer.ts"
import { AppConfig } from "../../Config.ts"
import { modes } from "../../domain/Mode.ts"
import { history, readHistory } from "../options/history.ts"
import { json } from "../options/json.ts"
import { pathArgument } from "../options/path.ts"
import { policies } from "../options/policies.ts"
import { rulesVersion } from "../options/rulesVersion.ts"
import { renderAssessment } from "../render/assessment.ts"
import { terminal } from "../render/Sheet.ts"
import { assessOffline } from "./assess/assessOffline.ts"
import { readRequest } from "./assess/readRequest.ts"

const file = pathArgument("file.json").pipe(
  Argument.withDescription("An assessment request as the API takes it; - reads standard input")
)

const rules = rulesVersion(
  "A rule release, or draft for the working files; else RULES_VERSION or the newest release"
).pipe(Flag.withDefault(null))

const mode = Flag.Literals("mode", modes).pipe(
  Flag.withDescription("What environment_mode says; it never scores"),
  Flag.withDefault("test")
)

export const assess = Command.make(
  "assess",
  { file, rules, policies, history, mode, json },
  Effect.fnUntraced(function* (options) {
    const { action } = yield* readRequest(options.file)
    const history = yield* readHistory(options.history)
    const settings = Layer.effect(
      AppConfig,
      Effect.map(AppConfig, (ours) => ({ ...ours, rulesVersion: options.rules ?? ours.rulesVersion }))
    )
    const offline = { mode: options.mode, policySet: options.policies, history }
    const response = yield* assessOffline(action, offline).pipe(
      Effect.provide(Scorer.layer.pipe(Layer.provide(settings)))
    )
    const asked = { actionType: action.actionType, environment: action.environment }
    yield* Console.log(
      options.json ? JSON.stringify(response, null, 2) : renderAssessment(terminal(), asked, response)
    )
  })
).pipe(
  Command.withDescription("Score a request file with the shipped rules, without a server or a database"),
  Command.withExamples([
    { command: "action-risk assess examples/requests/stripe-payout.json", description: "For people" },
    {
      command: "action-risk assess request.json --rules draft --policies starter --json",
      description: "With the working files and the starter policies, as the API answers"
    },
    {
      command: "action-risk assess request.json --history history.json",
      description: "For an organization that has asked before"
    }
  ])
)
