/** `action-risk assess <file.json>`: scores a request file with the shipped rules, without a server or a database. */

import { Clock, Console, Effect, Layer } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { randomUUID } from "node:crypto"
import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import { Scorer } from "../assessment/Scorer.ts"
import { encodeAssessment } from "../assessment/encode.ts"
import { AppConfig } from "../config.ts"
import type { Action } from "../domain/Action.ts"
import type { BehaviorSnapshot } from "../domain/Behavior.ts"
import { type Mode, modes } from "../domain/Caller.ts"
import { type Situation, snapshotBy } from "../rules/cases/Situation.ts"
import { installedRules } from "../rules/installedRules.ts"
import { requestId } from "../server/Exchange.ts"
import { timeOrderedId } from "../storage/timeOrderedId.ts"
import { currentTerminal } from "./Terminal.ts"
import { renderAssessment } from "./assessmentView.ts"
import { jsonFlag, pathArgument } from "./flags.ts"
import { historyFlag, readHistoryFile, readRequestFile } from "./inputFiles.ts"
import { policiesFlag, rulesFlag } from "./rules/rulebooks.ts"

const file = pathArgument("file.json").pipe(
  Argument.withDescription("An assessment request as the API takes it; - reads standard input")
)

const rules = rulesFlag(
  "A rule release, or draft for the working files; else RULES_VERSION or the newest release"
).pipe(Flag.withDefault(null))

const statedMode = Flag.Literals("mode", modes).pipe(
  Flag.withDescription("The environment_mode of the answer; it does not change the score"),
  Flag.withDefault("test")
)

export const assess = Command.make(
  "assess",
  { file, rules, policies: policiesFlag, history: historyFlag, mode: statedMode, json: jsonFlag },
  Effect.fnUntraced(function* (options) {
    const { action } = yield* readRequestFile(options.file)
    const history = yield* readHistoryFile(options.history)
    const settings = Layer.effect(
      AppConfig,
      Effect.map(AppConfig, (ours) => ({ ...ours, rulesVersion: options.rules ?? ours.rulesVersion }))
    )
    const offline = { mode: options.mode, policySet: options.policies, history }
    const response = yield* assessOffline(action, offline).pipe(
      Effect.provide(Scorer.layer.pipe(Layer.provide([settings, installedRules])))
    )
    const asked = { actionType: action.actionType, environment: action.environment }
    yield* Console.log(
      options.json ? JSON.stringify(response, null, 2) : renderAssessment(currentTerminal(), asked, response)
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

const microsPerMilli = 1_000

interface Offline {
  readonly mode: Mode
  readonly policySet: string
  /** Earlier requests of the organization. The days of the baseline end at the history's own `now`, not at the current time. */
  readonly history?: Situation["history"] | undefined
}

/** Scores one action as the API does, for an organization with the given history or with none. Stores nothing. */
export const assessOffline = Effect.fn("assess.offline")(function* (
  action: Action,
  { history, mode, policySet }: Offline
) {
  const scorer = yield* Scorer
  const nowMs = yield* Clock.currentTimeMillis
  const snapshot =
    history === undefined
      ? noHistory(action, scorer.baseline.windowDays, new Date(nowMs).toISOString())
      : snapshotBy(scorer, { request: action, history })
  const startedAtMs = performance.now()
  const { opinion, policyMs, policyVersion, scoringMs } = yield* scorer.score(action, snapshot, policySet)
  const total = performance.now() - startedAtMs
  const response: AssessmentResponse = encodeAssessment(opinion, {
    riskEngineVersion: scorer.riskEngineVersion,
    policyVersion,
    assessmentId: timeOrderedId(nowMs * microsPerMilli),
    actionId: randomUUID(),
    requestId: requestId(nowMs),
    mode,
    createdAtMicros: nowMs * microsPerMilli,
    timing: { total, validation: 0, behavior: 0, scoring: scoringMs, policy: policyMs }
  })
  return response
})

/** The snapshot of an organization before its first assessment. */
const noHistory = (action: Action, windowDays: number, takenAt: string): BehaviorSnapshot => ({
  takenAt,
  windowDays,
  sampleSize: 0,
  entityVolume: { units: 0, median: null },
  financialValue: { units: 0, medianUsdCents: null },
  // The action itself is the only assessment of the last hour.
  velocity: { lastHour: 1, p95PerHour: null, days: 0, hours: 0 },
  destination:
    action.destination === undefined
      ? null
      : { days: 0, firstSeenHours: 0, largestEntities: 0, largestUsdCents: 0, lookalike: false },
  actionTypeSeen: false,
  agentSeen: false,
  last24Hours: { entities: 0, usdCents: 0 }
})
