/** The body of every error (specification 7), and its translation from and to the failure classes. */

import { Schema, SchemaTransformation } from "effect"
import { disclaimer } from "../domain/Disclaimer.ts"
import { type ErrorCode, errorCodes } from "../domain/ErrorCode.ts"
import { type Failure, isRetryable, Problem } from "./Failures.ts"

export interface ErrorEnvelope {
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
export const envelope = (failure: Failure, requestId: string, baseUrl: string): ErrorEnvelope => ({
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
interface Told {
  readonly message: string
  readonly requestId: string
  readonly details: ReadonlyArray<Problem>
  readonly retryAfterSeconds: number
}

/** The schema of one code's envelope, decoding to its failure class: what endpoints declare as their errors. */
export const onTheWire = <Code extends ErrorCode, F extends Failure & { readonly code: Code }>(
  code: Code,
  FailureClass: new (told: Told) => F
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
            ...envelope(failure, failure.requestId ?? "", ""),
            error: { ...envelope(failure, failure.requestId ?? "", "").error, code }
          })
        })
      )
    )
    .annotate({ httpApiStatus: errorCodes[code].status, description: errorCodes[code].meaning })
