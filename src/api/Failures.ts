/** One error class per code: what a handler fails with, and what the typed client gets back. */

import { Effect, Schema } from "effect"
import { type ErrorCode, errorCodes } from "../domain/ErrorCode.ts"

/** One problem of a request: `field` is a path such as `metadata.owner`, or a header's or parameter's name. */
export const Problem = Schema.Struct({ field: Schema.String, message: Schema.String })
export type Problem = typeof Problem.Type

/** Every failure has a message for people; `requestId` is known to the client only, the edge adds it. */
const fields = (message: string) => ({
  message: Schema.String.pipe(Schema.withConstructorDefault(Effect.succeed(message))),
  requestId: Schema.optionalKey(Schema.String)
})

/** Whole seconds, at least 1: the `retry-after` header and `retry_after_seconds`. */
const retryAfterSeconds = Schema.Int.pipe(Schema.withConstructorDefault(Effect.succeed(1)))

export class MissingApiKey extends Schema.TaggedError<MissingApiKey>()(
  "MissingApiKey",
  fields("send your API key in the header `Authorization: Bearer <key>`")
) {
  readonly code = "MISSING_API_KEY"
}

export class InvalidApiKey extends Schema.TaggedError<InvalidApiKey>()(
  "InvalidApiKey",
  fields("the API key is not valid; check that it was copied whole, or ask your operator for a new one")
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
  /** Where the HTTP itself is at fault: too slow, an expectation that is not met, too many header bytes. */
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

/** Every class by its code: a code without a class is a compile error. */
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

/** The HTTP status that a failure answers with. */
export const statusOf = (failure: Failure): number =>
  ("httpStatus" in failure ? failure.httpStatus : undefined) ?? errorCodes[failure.code].status

/** Whether the same request can succeed later; a request that came too slowly can. */
export const isRetryable = (failure: Failure): boolean =>
  errorCodes[failure.code].retryable || statusOf(failure) === 408

/** What is answered where the HTTP itself is at fault: MALFORMED_JSON, under the status and the words of its own. */
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
