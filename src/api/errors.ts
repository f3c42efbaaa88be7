/** Every failure class as it goes over the wire: what endpoints list as their errors. */

import { onTheWire } from "./ErrorEnvelope.ts"
import * as Failures from "./Failures.ts"

export const errorMissingApiKey = onTheWire("MISSING_API_KEY", Failures.MissingApiKey)
export const errorInvalidApiKey = onTheWire("INVALID_API_KEY", Failures.InvalidApiKey)
export const errorSandboxExpired = onTheWire("SANDBOX_EXPIRED", Failures.SandboxExpired)
export const errorInsufficientScope = onTheWire("INSUFFICIENT_SCOPE", Failures.InsufficientScope)
export const errorInvalidEnvironment = onTheWire("INVALID_ENVIRONMENT", Failures.InvalidEnvironment)
export const errorMalformedJson = onTheWire("MALFORMED_JSON", Failures.MalformedJson)
export const errorValidationFailed = onTheWire("VALIDATION_FAILED", Failures.ValidationFailed)
export const errorPayloadTooLarge = onTheWire("PAYLOAD_TOO_LARGE", Failures.PayloadTooLarge)
export const errorIdempotencyKeyReused = onTheWire("IDEMPOTENCY_KEY_REUSED", Failures.IdempotencyKeyReused)
export const errorRateLimited = onTheWire("RATE_LIMITED", Failures.RateLimited)
export const errorAssessmentIncomplete = onTheWire("ASSESSMENT_INCOMPLETE", Failures.AssessmentIncomplete)
export const errorAssessmentUnavailable = onTheWire("ASSESSMENT_UNAVAILABLE", Failures.AssessmentUnavailable)
export const errorNotFound = onTheWire("NOT_FOUND", Failures.NotFound)
export const errorMethodNotAllowed = onTheWire("METHOD_NOT_ALLOWED", Failures.MethodNotAllowed)
