/** The answer to a question: an opinion, or the reason why there is none. Reads one response of the service. */

import { type ErrorCode, errorCodes } from "../domain/ErrorCode.ts"
import { isRecord } from "../json/json.ts"
import { type Assessment, isAssessment } from "./Assessment.ts"
import { passingStatuses } from "./retry.ts"
import { flag, listOfAll, optional, record, text } from "./shape.ts"

/** Why there is no opinion, if the service did not say so itself. */
export type ClientCode = "UNREACHABLE" | "TIMED_OUT" | "ABORTED" | "NOT_UNDERSTOOD"

export interface NoOpinion {
  readonly opinion: "none"
  readonly code: ErrorCode | ClientCode
  readonly message: string
  /** Whether the same question may be answered later. */
  readonly retryable: boolean
  /** The problems of the question, if the service rejected it. */
  readonly details: ReadonlyArray<{ readonly field: string; readonly message: string }>
  /** Identifies the exchange in the service's logs, if the service answered. */
  readonly requestId?: string
}

/** Without an opinion there is no level and no score: the risk is unknown, never low. */
export type Answer = { readonly opinion: "full" | "partial"; readonly assessment: Assessment } | NoOpinion

export const noOpinion = (
  code: NoOpinion["code"],
  message: string,
  more: Partial<Pick<NoOpinion, "retryable" | "details" | "requestId">> = {}
): NoOpinion => ({ opinion: "none", code, message, retryable: false, details: [], ...more })

/** One response, as far as it was read. `body` is null if it was too long or not UTF-8. */
export interface ReadResponse {
  readonly status: number
  readonly opinion: string | null
  readonly body: string | null
}

export const notUnderstood = (status: number, what: string): NoOpinion =>
  noOpinion("NOT_UNDERSTOOD", `the answer (status ${status}) ${what}`, {
    retryable: passingStatuses.includes(status)
  })

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code)

const isErrorBody = record<{ readonly error: ErrorShown; readonly request_id: string }>({
  error: record<ErrorShown>({
    code: text,
    message: text,
    retryable: flag,
    details: optional(listOfAll(record({ field: text, message: text })))
  }),
  request_id: text
})

interface ErrorShown {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
  readonly details?: NoOpinion["details"]
}

const readError = (status: number, body: unknown): NoOpinion => {
  if (!isErrorBody(body)) return notUnderstood(status, "does not come from the service")
  const { error, request_id: requestId } = body
  if (!isErrorCode(error.code))
    return { ...notUnderstood(status, "has an error code that this client does not know"), requestId }
  return noOpinion(error.code, error.message, {
    // This key belongs to another question, and asking again does not change that.
    retryable: error.retryable && error.code !== "IDEMPOTENCY_KEY_REUSED",
    details: error.details ?? [],
    requestId
  })
}

/** The body of a success, or the failure with which the service answered. */
export const readSuccess = ({ body, status }: ReadResponse): { readonly json: unknown } | NoOpinion => {
  if (body === null) return notUnderstood(status, "is too long, or not UTF-8")
  const json = parsed(body)
  if (json === undefined) return notUnderstood(status, "is not JSON")
  return status === 200 ? { json } : readError(status, json)
}

/** An answer counts as an opinion only if its status, its header and its whole body say so. */
export const readAnswer = (response: ReadResponse): Answer => {
  const { opinion, status } = response
  const read = readSuccess(response)
  if ("opinion" in read) return read
  const { json } = read
  if (opinion !== "full" && opinion !== "partial")
    return notUnderstood(status, "does not say that it is an opinion")
  if (!isAssessment(json)) return notUnderstood(status, "is not a risk opinion of version 1")
  const complete = json.assessment_status === "complete" && json.status === "completed"
  if (complete !== (opinion === "full"))
    return notUnderstood(status, "contradicts itself about being complete")
  return { opinion, assessment: json }
}

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch (cause) {
    // JSON.parse throws nothing else, and here a body that is not JSON is an answer like any other.
    if (cause instanceof SyntaxError) return undefined
    throw cause
  }
}

/** The seconds stated in an error body; undefined if there are none. */
export const retryAfterSecondsOf = ({ body }: ReadResponse): number | undefined => {
  const json = body === null ? undefined : parsed(body)
  const error = isRecord(json) ? json["error"] : undefined
  const seconds = isRecord(error) ? error["retry_after_seconds"] : undefined
  return typeof seconds === "number" ? seconds : undefined
}
