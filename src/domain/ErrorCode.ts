/** The table of error codes, the only place that defines a code's status and whether it is retryable. */

export interface ErrorCodeRow {
  readonly status: number
  /** Whether the same request may succeed later. */
  readonly retryable: boolean
  /** One sentence for the documentation. */
  readonly meaning: string
}

export const errorCodes = {
  MISSING_API_KEY: {
    status: 401,
    retryable: false,
    meaning: "The request carries no bearer credentials."
  },
  INVALID_API_KEY: {
    status: 401,
    retryable: false,
    meaning: "The key is malformed, unknown, revoked or expired; the answer does not say which."
  },
  SANDBOX_EXPIRED: {
    status: 403,
    retryable: false,
    meaning: "The test key is authentic and past its expiry."
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    retryable: false,
    meaning: "The key lacks the scope that this endpoint needs."
  },
  INVALID_ENVIRONMENT: {
    status: 422,
    retryable: false,
    meaning: "The environment is valid, but this key does not cover it."
  },
  MALFORMED_JSON: {
    status: 400,
    retryable: false,
    meaning: "The bytes received are not the strict JSON, or not the HTTP, that this service reads."
  },
  VALIDATION_FAILED: {
    status: 422,
    retryable: false,
    meaning: "The request is well-formed but breaks its schema; `details` lists every problem."
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    retryable: false,
    meaning: "The body is larger than 65,536 bytes."
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    retryable: false,
    meaning: "The idempotency key was used before with another body."
  },
  RATE_LIMITED: {
    status: 429,
    retryable: true,
    meaning: "The window's requests are used up; `retry_after_seconds` says when the next one opens."
  },
  ASSESSMENT_INCOMPLETE: {
    status: 503,
    retryable: true,
    meaning:
      "Only an incomplete opinion could be given and the caller asked for a complete one, or the same request is still being assessed."
  },
  ASSESSMENT_UNAVAILABLE: {
    status: 503,
    retryable: true,
    meaning: "No opinion could be produced or stored. Escalate to a human; this is never low risk."
  },
  NOT_FOUND: {
    status: 404,
    retryable: false,
    meaning: "There is nothing at this path, or no assessment of yours with this id."
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    retryable: false,
    meaning: "The path exists; the `allow` header lists its methods."
  }
} as const satisfies Record<string, ErrorCodeRow>

export type ErrorCode = keyof typeof errorCodes
