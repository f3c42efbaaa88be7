/** `action-risk assess <file.json>`: scores a request file with the shipped rules, without a server or a database. */

import { Console, Effect, Layer } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { Scorer } from "../../assessment/Scorer.ts"
import { AppConfig } from "../../Config.ts"
import { modes } from "../../domain/Mode.ts"
import { listReleases } from "../../rules/loadRelease.ts"
import { packageRoot } from "../../rules/packageRoot.ts"
import { listPolicySets } from "../../rules/policies/loadPolicySet.ts"
import { json } from "../options/json.ts"
import { renderAssessment } from "../render/assessment.ts"
import { terminal } from "../render/Sheet.ts"
import { assessOffline } from "./assess/assessOffline.ts"
import { readRequest } from "./assess/readRequest.ts"

const file = Argument.String("file.json").pipe(
  Argument.withDescription("An assessment request as the API takes it; - reads standard input")
)

const oneOf = (option: string, value: string, known: ReadonlyArray<string>) =>
  known.includes(value)
    ? Effect.succeed(value)
    : Effect.fail(
        new CliError.InvalidValue({ option, value, expected: `one of ${known.join(", ")}`, kind: "flag" })
      )

const rules = Flag.String("rules").pipe(
  Flag.withDescription(
    "A rule release, or draft for the working files; else RULES_VERSION or the newest release"
  ),
  Flag.withMetavar("version|draft"),
  Flag.mapEffect((version) => oneOf("rules", version, [...listReleases(packageRoot), "draft"])),
  Flag.withDefault(null)
)

const policies = Flag.String("policies").pipe(
  Flag.withDescription("Policy set: a folder under policies/"),
  Flag.withMetavar("set"),
  Flag.mapEffect((set) => oneOf("policies", set, listPolicySets(packageRoot))),
  Flag.withDefault("none")
)

const mode = Flag.Literals("mode", modes).pipe(
  Flag.withDescription("What environment_mode says; it never scores"),
  Flag.withDefault("test")
)

export const assess = Command.make(
  "assess",
  { file, rules, policies, mode, json },
  Effect.fnUntraced(function* (options) {
    const { action } = yield* readRequest(options.file)
    const settings = Layer.effect(
      AppConfig,
      Effect.map(AppConfig, (ours) => ({ ...ours, rulesVersion: options.rules ?? ours.rulesVersion }))
    )
    const response = yield* assessOffline(action, { mode: options.mode, policySet: options.policies }).pipe(
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
    }
  ])
)
