/** One error class per code, its body on the wire (specification 7), and its schema for endpoints. */

import { Effect, Schema, SchemaTransformation } from "effect"
import { type ErrorCode, errorCodes } from "../domain/ErrorCode.ts"
import { disclaimer } from "../domain/Opinion.ts"

/** One problem of a request. `field` is a path such as `metadata.owner`, or the name of a header or parameter. */
export const Problem = Schema.Struct({ field: Schema.String, message: Schema.String })
export type Problem = typeof Problem.Type

/** Every failure has a human-readable message. `requestId` is set only in the typed client; in the service, the HTTP layer adds it. */
const fields = (message: string) => ({
  message: Schema.String.pipe(Schema.withConstructorDefault(Effect.succeed(message))),
  requestId: Schema.optionalKey(Schema.String)
})

/** In whole seconds, at least 1. Sent as the `retry-after` header and as `retry_after_seconds`. */
const retryAfterSeconds = Schema.Int.pipe(Schema.withConstructorDefault(Effect.succeed(1)))

export class MissingApiKey extends Schema.TaggedError<MissingApiKey>()(
  "MissingApiKey",
  fields("send your API key in the header `Authorization: Bearer <key>`")
) {
  readonly code = "MISSING_API_KEY"
}

export class InvalidApiKey extends Schema.TaggedError<InvalidApiKey>()(
  "InvalidApiKey",
  fields(
    "the API key is not valid; check that it was copied whole and that this is the service that made it, or ask your operator for a new one"
  )
) {
  readonly code = "INVALID_API_KEY"
}

export class SandboxExpired extends Schema.TaggedError<SandboxExpired>()(
  "SandboxExpired",
  fields("this sandbox key has expired; ask your operator for a new one")
) {
  readonly code = "SANDBOX_EXPIRED"
}

export class InsufficientScope extends Schema.TaggedError<InsufficientScope>()("InsufficientScope", {
  ...fields("this key lacks the scope that the endpoint needs; ask your operator for a key that has it"),
  scope: Schema.optionalKey(Schema.String)
}) {
  readonly code = "INSUFFICIENT_SCOPE"
}

export class InvalidEnvironment extends Schema.TaggedError<InvalidEnvironment>()(
  "InvalidEnvironment",
  fields("this key may not assess actions in the stated environment; use a key that covers it")
) {
  readonly code = "INVALID_ENVIRONMENT"
}

export class MalformedJson extends Schema.TaggedError<MalformedJson>()("MalformedJson", {
  ...fields("the body is not valid JSON; send one JSON object in UTF-8"),
  /** Set for faults of HTTP itself: 408 (too slow), 417 (unknown expectation), 431 (too many header bytes). */
  httpStatus: Schema.optionalKey(Schema.Literals([408, 417, 431]))
}) {
  readonly code = "MALFORMED_JSON"
}

export class ValidationFailed extends Schema.TaggedError<ValidationFailed>()("ValidationFailed", {
  ...fields("the request is not valid and nothing was done; `details` lists every problem"),
  details: Schema.Array(Problem)
}) {
  readonly code = "VALIDATION_FAILED"
}

export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()(
  "PayloadTooLarge",
  fields("the body is larger than 65,536 bytes; send less")
) {
  readonly code = "PAYLOAD_TOO_LARGE"
}

export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()(
  "IdempotencyKeyReused",
  fields("this idempotency key was used with another body; use a new key for a new request")
) {
  readonly code = "IDEMPOTENCY_KEY_REUSED"
}

export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  ...fields("the rate limit of this window is used up; retry after `retry_after_seconds`"),
  retryAfterSeconds
}) {
  readonly code = "RATE_LIMITED"
}

export class AssessmentIncomplete extends Schema.TaggedError<AssessmentIncomplete>()("AssessmentIncomplete", {
  ...fields("no complete opinion is available yet; retry, and escalate to a human if the action cannot wait"),
  retryAfterSeconds
}) {
  readonly code = "ASSESSMENT_INCOMPLETE"
}

export class AssessmentUnavailable extends Schema.TaggedError<AssessmentUnavailable>()(
  "AssessmentUnavailable",
  {
    ...fields("no risk opinion could be produced; retry, and escalate to a human: this never means low risk"),
    retryAfterSeconds
  }
) {
  readonly code = "ASSESSMENT_UNAVAILABLE"
}

export class NotFound extends Schema.TaggedError<NotFound>()(
  "NotFound",
  fields("there is nothing here that this key can see; check the path and the id")
) {
  readonly code = "NOT_FOUND"
}

export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  ...fields("this path does not accept the method; the `allow` header lists those it accepts"),
  allow: Schema.optionalKey(Schema.String)
}) {
  readonly code = "METHOD_NOT_ALLOWED"
}

/** The error class of every code. A code without a class does not compile. */
export const failures = {
  MISSING_API_KEY: MissingApiKey,
  INVALID_API_KEY: InvalidApiKey,
  SANDBOX_EXPIRED: SandboxExpired,
  INSUFFICIENT_SCOPE: InsufficientScope,
  INVALID_ENVIRONMENT: InvalidEnvironment,
  MALFORMED_JSON: MalformedJson,
  VALIDATION_FAILED: ValidationFailed,
  PAYLOAD_TOO_LARGE: PayloadTooLarge,
  IDEMPOTENCY_KEY_REUSED: IdempotencyKeyReused,
  RATE_LIMITED: RateLimited,
  ASSESSMENT_INCOMPLETE: AssessmentIncomplete,
  ASSESSMENT_UNAVAILABLE: AssessmentUnavailable,
  NOT_FOUND: NotFound,
  METHOD_NOT_ALLOWED: MethodNotAllowed
} as const satisfies Record<ErrorCode, unknown>

export type Failure = InstanceType<(typeof failures)[ErrorCode]>

/** The HTTP status for a failure. */
export const statusOf = (failure: Failure): number =>
  ("httpStatus" in failure ? failure.httpStatus : undefined) ?? errorCodes[failure.code].status

/** Whether the same request may succeed later. True for one that arrived too slowly (408). */
export const isRetryable = (failure: Failure): boolean =>
  errorCodes[failure.code].retryable || statusOf(failure) === 408

/** Failures of HTTP itself, by status. All have the code MALFORMED_JSON, and the message names the fault. */
export const transportFailures = {
  400: new MalformedJson({ message: "the bytes received are not a valid HTTP/1.1 request" }),
  408: new MalformedJson({
    httpStatus: 408,
    message: "the request took too long to arrive; send it again"
  }),
  417: new MalformedJson({
    httpStatus: 417,
    message: "the only expectation that can be met is 100-continue"
  }),
  431: new MalformedJson({ httpStatus: 431, message: "the request's header fields are too large" })
} as const

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

/** The body of `failure` on the wire. `baseUrl`: the public URL of this service. */
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

/** The fields of an error envelope that failure classes use. Each class ignores those that it does not declare. */
interface FailureFields {
  readonly message: string
  readonly requestId: string
  readonly details: ReadonlyArray<Problem>
  readonly retryAfterSeconds: number
}

/** The schema of one code's error envelope. It decodes to the failure class, so the typed client fails with that class. */
const errorSchema = <Code extends ErrorCode, F extends Failure & { readonly code: Code }>(
  code: Code,
  FailureClass: new (fields: FailureFields) => F
) =>
  Schema.Struct({
    api_version: Schema.Literal("v1"),
    error: Schema.Struct({
      code: Schema.Literal(code),
      message: Schema.String,
      request_id: Schema.String,
      retryable: Schema.Boolean,
      retry_after_seconds: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
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

export const errorMissingApiKey = errorSchema("MISSING_API_KEY", MissingApiKey)
export const errorInvalidApiKey = errorSchema("INVALID_API_KEY", InvalidApiKey)
export const errorSandboxExpired = errorSchema("SANDBOX_EXPIRED", SandboxExpired)
export const errorInsufficientScope = errorSchema("INSUFFICIENT_SCOPE", InsufficientScope)
export const errorInvalidEnvironment = errorSchema("INVALID_ENVIRONMENT", InvalidEnvironment)
const errorMalformedJson = errorSchema("MALFORMED_JSON", MalformedJson)
export const errorValidationFailed = errorSchema("VALIDATION_FAILED", ValidationFailed)
const errorPayloadTooLarge = errorSchema("PAYLOAD_TOO_LARGE", PayloadTooLarge)
export const errorIdempotencyKeyReused = errorSchema("IDEMPOTENCY_KEY_REUSED", IdempotencyKeyReused)
const errorRateLimited = errorSchema("RATE_LIMITED", RateLimited)
export const errorAssessmentIncomplete = errorSchema("ASSESSMENT_INCOMPLETE", AssessmentIncomplete)
const errorAssessmentUnavailable = errorSchema("ASSESSMENT_UNAVAILABLE", AssessmentUnavailable)
export const errorNotFound = errorSchema("NOT_FOUND", NotFound)
const errorMethodNotAllowed = errorSchema("METHOD_NOT_ALLOWED", MethodNotAllowed)

/** The errors that every operation can give, without those of authentication. */
export const operationErrors = [
  errorMalformedJson,
  errorMethodNotAllowed,
  errorRateLimited,
  errorAssessmentUnavailable
] as const

/** Further errors of operations that read a body. */
export const bodyErrors = [errorPayloadTooLarge, errorValidationFailed] as const
