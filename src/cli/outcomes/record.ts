/** `action-risk outcomes record`: tells a running service what became of an assessed action. */

import { Console, Effect, Option, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Problem } from "../../api/Failures.ts"
import { OutcomeEventResponse } from "../../api/Outcomes.ts"
import { actionRisk } from "../../client/actionRisk.ts"
import type { OutcomeReported } from "../../client/Reported.ts"
import { AppConfig } from "../../config.ts"
import { outcomeEventTypes, type SumsEffect } from "../../domain/OutcomeEvent.ts"
import { CommandRefused, FindingsExit } from "../commandFailures.ts"
import { integerFlag, jsonFlag } from "../flags.ts"

export const outcomesRecordSchema = Schema.Union([
  Schema.Struct({ reported: Schema.Literal(true), event: OutcomeEventResponse }),
  Schema.Struct({
    reported: Schema.Literal(false),
    code: Schema.String,
    message: Schema.String,
    retryable: Schema.Boolean,
    details: Schema.Array(Problem),
    requestId: Schema.optionalKey(Schema.String)
  })
])

const effects: Readonly<Record<SumsEffect, string>> = {
  unchanged: "the sums of 24 hours are as they were",
  taken_out: "the action is taken out of the sums of 24 hours",
  restored: "the action is in the sums of 24 hours again",
  raised: "the sums of 24 hours rise by what was observed above what was assessed"
}

const countFlag = (name: string, what: string) =>
  integerFlag(name, 0, Number.MAX_SAFE_INTEGER).pipe(Flag.withDescription(what), Flag.optional)

export const recordOutcome = Command.make(
  "record",
  {
    assessment: Argument.String("assessment-id").pipe(
      Argument.withDescription("The assessment that the action was asked about")
    ),
    type: Argument.Literals("type", outcomeEventTypes).pipe(Argument.withDescription("What happened")),
    entities: countFlag("entities", "Entities that were really affected"),
    records: countFlag("records", "Records that were really affected"),
    value: Flag.Finite("value").pipe(
      Flag.withDescription("Money that really moved, in the currency of the assessment"),
      Flag.optional
    ),
    eventId: Flag.String("event-id").pipe(
      Flag.withDescription("Names the event, so that recording it again stores it once (default: random)"),
      Flag.withMetavar("id"),
      Flag.optional
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ assessment, entities, eventId, json, records, type, value }) {
    const { serviceKey, serviceUrl } = yield* AppConfig
    if (serviceKey === null)
      return yield* new CommandRefused({
        message: "no key to report with; set ACTION_RISK_KEY to one with the scope outcomes"
      })
    const observed = {
      ...(Option.isSome(entities) && { entities_affected: entities.value }),
      ...(Option.isSome(records) && { records_affected: records.value }),
      ...(Option.isSome(value) && { financial_value: value.value })
    }
    const event: OutcomeReported = { type, ...(Object.keys(observed).length > 0 && { observed }) }
    const client = actionRisk({ baseUrl: serviceUrl, key: Redacted.value(serviceKey) })
    const reported = yield* Effect.promise((signal) =>
      client.report(assessment, event, { eventId: Option.getOrUndefined(eventId), signal })
    )
    if (json) yield* Console.log(JSON.stringify(reported, null, 2))
    else if (!reported.reported)
      return yield* new CommandRefused({
        message: [
          `nothing is recorded: ${reported.code}: ${reported.message}`,
          ...reported.details.map(({ field, message }) => `${field} ${message}`)
        ].join("; ")
      })
    else yield* Console.log(`recorded as ${reported.event.id}: ${effects[reported.event.sums]}`)
    if (!reported.reported) return yield* new FindingsExit()
  })
).pipe(
  Command.withDescription(
    "Record what became of an assessed action, by a running service, with the key in ACTION_RISK_KEY"
  ),
  Command.withExamples([
    {
      command: "action-risk outcomes record 019aa594-0000-7000-8000-000000000000 executed --records 1204",
      description: "It was executed, and affected 1,204 records"
    },
    {
      command: "action-risk outcomes record 019aa594-0000-7000-8000-000000000000 not_executed --json",
      description: "It was not, for scripts"
    }
  ])
)
