/** The client for programs that use Effect: the typed client of the contract, with the same keys and retries as the other client. */

import { type Cause, Clock, Effect, Option, Random, type Redacted, Schema } from "effect"
import { FetchHttpClient, HttpClient, type HttpClientError, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { AssessmentRequest } from "../api/AssessmentRequest.ts"
import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import { Authorization } from "../api/Authorization.ts"
import type { Failure } from "../api/Failures.ts"
import type { OutcomeEventRequest, OutcomeEventResponse } from "../api/Outcomes.ts"
import { errorCodes } from "../domain/ErrorCode.ts"
import { questionAboutTool, type ToolCallAsked } from "./toolQuestion.ts"
import { passingStatuses, pauseAfter, retryAfterMs, type RetryRule, retryRule } from "./retry.ts"

interface EffectClientOptions extends Partial<RetryRule> {
  readonly baseUrl: string | URL
  /** An effect is run for each attempt, because a program that asks on behalf of others has a key for each of them. */
  readonly key: Redacted.Redacted | Effect.Effect<Redacted.Redacted>
}

/** Parts of the answer contradict each other on whether it is an opinion, or on which one. */
export class NotUnderstood extends Schema.TaggedError<NotUnderstood>()("NotUnderstood", {
  message: Schema.String
}) {}

interface GivenOpinion {
  readonly opinion: "full" | "partial"
  readonly assessment: AssessmentResponse
}

/** Each of these means that there is no opinion: the risk is unknown, never low. */
export type NoOpinionError =
  | Failure
  | NotUnderstood
  | Cause.TimeoutError
  | HttpClientError.HttpClientError
  | Schema.SchemaError

export interface EffectRiskClient {
  readonly ask: (
    action: AssessmentRequest,
    options?: { readonly questionId?: string }
  ) => Effect.Effect<GivenOpinion, NoOpinionError>
  /** The same for a tool call: its name and its arguments suffice. */
  readonly askAboutTool: (
    call: ToolCallAsked,
    options?: { readonly questionId?: string }
  ) => Effect.Effect<GivenOpinion, NoOpinionError>
  /** Reports what happened to an assessed action. Needs a key with the scope `outcomes`. */
  readonly report: (
    assessmentId: string,
    event: OutcomeEventRequest,
    options?: { readonly eventId?: string }
  ) => Effect.Effect<OutcomeEventResponse, NoOpinionError>
}

/** A redirect would send the action to another server, which would then give the opinion. */
const withoutRedirects = (client: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.transformResponse(client, (response) =>
    Effect.flatMap(Effect.serviceOption(FetchHttpClient.RequestInit), (given) =>
      Effect.provideService(response, FetchHttpClient.RequestInit, {
        ...Option.getOrUndefined(given),
        redirect: "manual"
      })
    )
  )

/** The operations of the contract, with one attempt each. */
export const makeApiClient = ({ baseUrl, key }: Pick<EffectClientOptions, "baseUrl" | "key">) =>
  HttpApiClient.make(Api, { baseUrl, transformClient: withoutRedirects }).pipe(
    Effect.provide(
      HttpApiMiddleware.layerClient(Authorization, ({ next, request }) =>
        Effect.flatMap(Effect.isEffect(key) ? key : Effect.succeed(key), (found) =>
          next(HttpClientRequest.bearerToken(request, found))
        )
      )
    )
  )

/** A span around `ask` is propagated as `traceparent`. */
export const makeRiskClient = Effect.fnUntraced(function* (options: EffectClientOptions) {
  return askingBy(yield* makeApiClient(options), options)
})

const decodeRequest = Schema.decodeUnknownEffect(AssessmentRequest)

/** Uses an existing client. */
export const askingBy = (
  client: Effect.Success<ReturnType<typeof makeApiClient>>,
  options: Partial<RetryRule>
): EffectRiskClient => {
  const rule = retryRule(options)
  const attempt = Effect.fnUntraced(function* (payload: AssessmentRequest, questionId: string) {
    const [assessment, response] = yield* client.actions.assessAction({
      headers: { "idempotency-key": questionId },
      payload,
      responseMode: "decoded-and-response"
    })
    const opinion = response.headers["svc-risk-opinion"]
    const complete = assessment.assessment_status === "complete" && assessment.status === "completed"
    if ((opinion !== "full" && opinion !== "partial") || complete !== (opinion === "full"))
      return yield* new NotUnderstood({ message: "the answer contradicts itself about being an opinion" })
    return { opinion, assessment } satisfies GivenOpinion
  })
  const ask: EffectRiskClient["ask"] = (action, given = {}) =>
    askUntil(attempt(action, given.questionId ?? crypto.randomUUID()), rule)
  return {
    ask,
    askAboutTool: (call, given) =>
      Effect.flatMap(decodeRequest(questionAboutTool(call)), (request) => ask(request, given)),
    report: Effect.fnUntraced(function* (assessmentId, payload, given = {}) {
      const headers = { "idempotency-key": given.eventId ?? crypto.randomUUID() }
      const reporting = client.outcomes.reportOutcome({
        params: { assessment_id: assessmentId },
        headers,
        payload
      })
      return yield* askUntil(reporting, rule)
    })
  }
}

const askUntil = Effect.fnUntraced(function* <A, E extends NoOpinionError>(
  attempt: Effect.Effect<A, E>,
  { attemptMs, attemptsMax, deadlineMs }: RetryRule
) {
  const end = (yield* Clock.currentTimeMillis) + deadlineMs
  const tryFrom = (number: number, leftMs: number): Effect.Effect<A, E | Cause.TimeoutError> =>
    attempt.pipe(
      Effect.timeout(Math.min(attemptMs, leftMs)),
      Effect.catch((error) =>
        Effect.gen(function* () {
          const waitMs = retryAfterMsOf(error)
          if (waitMs === undefined || number >= attemptsMax) return yield* Effect.fail(error)
          const pauseMs = pauseAfter(number, waitMs, yield* Random.next)
          const pausedLeftMs = end - (yield* Clock.currentTimeMillis) - pauseMs
          if (pausedLeftMs <= 0) return yield* Effect.fail(error)
          yield* Effect.sleep(pauseMs)
          return yield* tryFrom(number + 1, pausedLeftMs)
        })
      )
    )
  return yield* tryFrom(1, deadlineMs)
})

const millisecondsIn = 1_000

/** Only for a response that did not come from the service itself. */
const retryAfterMsOfProxy = (response: HttpClientError.HttpClientError["response"]): number | undefined =>
  response !== undefined && passingStatuses.includes(response.status)
    ? retryAfterMs(response.headers["retry-after"], undefined, Date.now())
    : undefined

/** Undefined if the same question cannot be answered later. A new kind of error does not compile until it is handled here. */
const retryAfterMsOf = (error: NoOpinionError): number | undefined => {
  switch (error._tag) {
    case "TimeoutError":
      return 0
    case "HttpClientError":
      return error.reason._tag === "TransportError" ? 0 : retryAfterMsOfProxy(error.response)
    case "NotUnderstood":
    case "SchemaError":
      return undefined
    default:
      if (!errorCodes[error.code].retryable) return undefined
      return "retryAfterSeconds" in error ? error.retryAfterSeconds * millisecondsIn : 0
  }
}
