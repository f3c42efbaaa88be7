/** The body of every error (specification 7), and the schemas that endpoints list as their errors. */

import { Schema, SchemaTransformation } from "effect"
import { type ErrorCode, errorCodes } from "../domain/ErrorCode.ts"
import { disclaimer } from "../domain/Opinion.ts"
import * as Failures from "./Failures.ts"
import { type Failure, isRetryable, Problem } from "./Failures.ts"

interface ErrorEnvelope {
  readonly api_version: "v1"
  readonly error: {
    readonly code: ErrorCode
    readonly message: string
    readonly request_id: string
    readonly retryable: boolean
    readonly retry_after_seconds?: number
    readonly documentation_url: string
    readonly details?: ReadonlyArray<Problem>
  }
  readonly request_id: string
  readonly disclaimer: string
}

/** The envelope of `failure`; `baseUrl` is where this service is reached from outside. */
export const errorEnvelope = (failure: Failure, requestId: string, baseUrl: string): ErrorEnvelope => ({
  api_version: "v1",
  error: {
    code: failure.code,
    message: failure.message,
    request_id: requestId,
    retryable: isRetryable(failure),
    ...("retryAfterSeconds" in failure && { retry_after_seconds: failure.retryAfterSeconds }),
    documentation_url: `${baseUrl}/docs/errors#${failure.code}`,
    ...("details" in failure && { details: failure.details })
  },
  request_id: requestId,
  disclaimer
})

/** What an envelope tells of a failure; classes without `details` or `retryAfterSeconds` leave those out. */
interface FailureFields {
  readonly message: string
  readonly requestId: string
  readonly details: ReadonlyArray<Problem>
  readonly retryAfterSeconds: number
}

/** The schema of one code's envelope, decoding to its failure class: what endpoints declare as their errors. */
const errorSchema = <Code extends ErrorCode, F extends Failure & { readonly code: Code }>(
  code: Code,
  FailureClass: new (told: FailureFields) => F
) =>
  Schema.Struct({
    api_version: Schema.Literal("v1"),
    error: Schema.Struct({
      code: Schema.Literal(code),
      message: Schema.String,
      request_id: Schema.String,
      retryable: Schema.Boolean,
      retry_after_seconds: Schema.optionalKey(Schema.Int),
      documentation_url: Schema.String,
      details: Schema.optionalKey(Schema.Array(Problem))
    }),
    request_id: Schema.String,
    disclaimer: Schema.String
  })
    .annotate({ identifier: `Error_${code}`, description: errorCodes[code].meaning })
    .pipe(
      Schema.decodeTo(
        Schema.declare((value: unknown): value is F => value instanceof FailureClass),
        SchemaTransformation.transform({
          decode: (body) =>
            new FailureClass({
              message: body.error.message,
              requestId: body.request_id,
              details: body.error.details ?? [],
              retryAfterSeconds: body.error.retry_after_seconds ?? 1
            }),
          encode: (failure) => ({
            ...errorEnvelope(failure, failure.requestId ?? "", ""),
            error: { ...errorEnvelope(failure, failure.requestId ?? "", "").error, code }
          })
        })
      )
    )
    .annotate({ httpApiStatus: errorCodes[code].status, description: errorCodes[code].meaning })

/** Every failure class as it goes over the wire: what endpoints list as their errors. */
export const errorMissingApiKey = errorSchema("MISSING_API_KEY", Failures.MissingApiKey)
export const errorInvalidApiKey = errorSchema("INVALID_API_KEY", Failures.InvalidApiKey)
export const errorSandboxExpired = errorSchema("SANDBOX_EXPIRED", Failures.SandboxExpired)
export const errorInsufficientScope = errorSchema("INSUFFICIENT_SCOPE", Failures.InsufficientScope)
export const errorInvalidEnvironment = errorSchema("INVALID_ENVIRONMENT", Failures.InvalidEnvironment)
export const errorMalformedJson = errorSchema("MALFORMED_JSON", Failures.MalformedJson)
export const errorValidationFailed = errorSchema("VALIDATION_FAILED", Failures.ValidationFailed)
export const errorPayloadTooLarge = errorSchema("PAYLOAD_TOO_LARGE", Failures.PayloadTooLarge)
export const errorIdempotencyKeyReused = errorSchema("IDEMPOTENCY_KEY_REUSED", Failures.IdempotencyKeyReused)
export const errorRateLimited = errorSchema("RATE_LIMITED", Failures.RateLimited)
export const errorAssessmentIncomplete = errorSchema("ASSESSMENT_INCOMPLETE", Failures.AssessmentIncomplete)
export const errorAssessmentUnavailable = errorSchema(
  "ASSESSMENT_UNAVAILABLE",
  Failures.AssessmentUnavailable
)
export const errorNotFound = errorSchema("NOT_FOUND", Failures.NotFound)
export const errorMethodNotAllowed = errorSchema("METHOD_NOT_ALLOWED", Failures.MethodNotAllowed)
