/** The answer to reporting an outcome event: the stored event, or why it may not have been stored. */

import { modes } from "../domain/Caller.ts"
import {
  type OutcomeEventType,
  outcomeEventTypes,
  type SumsEffect,
  sumsEffects
} from "../domain/OutcomeEvent.ts"
import { type NoOpinion, notUnderstood, readSuccess, type ReadResponse } from "./Answer.ts"
import { finite, flag, oneOf, optional, orNull, record, text } from "./shape.ts"

/** The figures actually affected by the action, with money in the currency of the assessment. */
export interface ObservedFigures {
  readonly entities_affected?: number | undefined
  readonly records_affected?: number | undefined
  readonly financial_value?: number | undefined
}

export interface OutcomeReported {
  readonly type: OutcomeEventType
  /** Only with executed, failed, reverted and incident. */
  readonly observed?: ObservedFigures | undefined
  /** The hex SHA-256 of the call that was made. */
  readonly call_digest?: string | undefined
}

export interface OutcomeStored {
  readonly api_version: "v1"
  readonly environment_mode: "test" | "live"
  readonly id: string
  readonly assessment_id: string
  readonly type: OutcomeEventType
  readonly observed: ObservedFigures | null
  readonly call_digest: string | null
  /** Whether the reporting key cannot request assessments. */
  readonly independent: boolean
  /** The event's effect on the 24-hour sums. */
  readonly sums: SumsEffect
  readonly created_at: string
  readonly request_id: string
  readonly disclaimer: string
}

export type Reported =
  | { readonly reported: true; readonly event: OutcomeStored }
  | ({ readonly reported: false } & Omit<NoOpinion, "opinion">)

const isStored = record<OutcomeStored>({
  api_version: oneOf(["v1"]),
  environment_mode: oneOf(modes),
  id: text,
  assessment_id: text,
  type: oneOf(outcomeEventTypes),
  observed: orNull(
    record<ObservedFigures>({
      entities_affected: optional(finite),
      records_affected: optional(finite),
      financial_value: optional(finite)
    })
  ),
  call_digest: orNull(text),
  independent: flag,
  sums: oneOf(sumsEffects),
  created_at: text,
  request_id: text,
  disclaimer: text
})

type StoredReport = Extract<Reported, { readonly reported: true }>

export const readReported = (response: ReadResponse): StoredReport | NoOpinion => {
  const read = readSuccess(response)
  if ("opinion" in read) return read
  return isStored(read.json)
    ? { reported: true, event: read.json }
    : notUnderstood(response.status, "is not a stored event of version 1")
}

export const toReported = (answer: StoredReport | NoOpinion): Reported => {
  if ("reported" in answer) return answer
  const { opinion: _, ...why } = answer
  return { reported: false, ...why }
}
