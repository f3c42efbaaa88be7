/** `action-risk outcomes record`: reports to a running service what happened to an assessed action. */

import { Console, Effect, Redacted, Schema } from "effect"
import { Argument, Flag } from "effect/cli"
import { Problem } from "../../api/Failures.ts"
import { OutcomeEventResponse } from "../../api/Outcomes.ts"
import { actionRisk } from "../../client/actionRisk.ts"
import type { OutcomeReported } from "../../client/Reported.ts"
import { AppConfig } from "../../config.ts"
import { outcomeEventTypes, type SumsEffect } from "../../domain/OutcomeEvent.ts"
import { refuse } from "../commandFailures.ts"
import { integerFlag, elseNull, textFlag } from "../flags.ts"
import { printAsIs, verb } from "../verb.ts"

export const outcomesRecordShape = Schema.Union([
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
  unchanged: "the 24-hour sums are unchanged",
  taken_out: "the action no longer counts in the 24-hour sums",
  restored: "the action counts in the 24-hour sums again",
  raised: "the 24-hour sums rise by the amount by which the observed figures exceed the assessed ones"
}

const countFlag = (name: string, what: string) =>
  elseNull(integerFlag(name, 0, Number.MAX_SAFE_INTEGER), what)

export const recordOutcome = verb({
  about: "Record the outcome of an assessed action in a running service, with the key in ACTION_RISK_KEY",
  takes: {
    assessment: Argument.String("assessment-id").pipe(
      Argument.withDescription("The assessment of the action")
    ),
    type: Argument.Literals("type", outcomeEventTypes).pipe(Argument.withDescription("What happened")),
    entities: countFlag("entities", "Entities that were actually affected"),
    records: countFlag("records", "Records that were actually affected"),
    value: elseNull(Flag.Finite("value"), "Money that actually moved, in the currency of the assessment"),
    eventId: elseNull(
      textFlag("event-id", "id"),
      "An id that makes recording the event again harmless (default: random)"
    )
  },
  prints: outcomesRecordShape,
  fails: "the service cannot be reached or rejected the event; one line says why",
  reads: "`ACTION_RISK_URL`, `ACTION_RISK_KEY`",
  examples: {
    "019aa594-0000-7000-8000-000000000000 executed --records 1204":
      "It was executed, and affected 1,204 records",
    "019aa594-0000-7000-8000-000000000000 not_executed --json": "It was not, for scripts"
  },
  run: Effect.fnUntraced(function* ({ assessment, entities, eventId, json, records, type, value }) {
    const { serviceKey, serviceUrl } = yield* AppConfig
    if (serviceKey === null)
      return yield* refuse("ACTION_RISK_KEY is not set; set it to an API key with the scope outcomes")
    const observed = {
      ...(entities !== null && { entities_affected: entities }),
      ...(records !== null && { records_affected: records }),
      ...(value !== null && { financial_value: value })
    }
    const event: OutcomeReported = { type, ...(Object.keys(observed).length > 0 && { observed }) }
    const client = actionRisk({ baseUrl: serviceUrl, key: Redacted.value(serviceKey) })
    const reported = yield* Effect.promise((signal) =>
      client.report(assessment, event, { eventId: eventId ?? undefined, signal })
    )
    if (json) return yield* printAsIs(reported, reported.reported)
    if (!reported.reported)
      return yield* refuse(
        [
          `nothing was recorded: ${reported.code}: ${reported.message}`,
          ...reported.details.map(({ field, message }) => `${field} ${message}`)
        ].join("; ")
      )
    yield* Console.log(`recorded as ${reported.event.id}: ${effects[reported.event.sums]}`)
  })
})
