/** One request in traces and logs: a span named by the template of its path, and its id on every line. */

import { Effect, References } from "effect"
import { type Failure, statusOf } from "../api/Failures.ts"
import type { Answer } from "./Answer.ts"
import type { HttpExchange } from "./Exchange.ts"

const tell = (status: number) => Effect.annotateCurrentSpan("http.response.status_code", status)

/** `template`: of the path that matched. The span starts a trace of its own: ids that callers send are not taken over. */
export const traceRequest = (
  { id, method }: HttpExchange,
  template: string,
  work: Effect.Effect<Answer, Failure>
): Effect.Effect<Answer, Failure> =>
  work.pipe(
    Effect.tap(({ status }) => tell(status)),
    Effect.tapError((failure) => tell(statusOf(failure))),
    Effect.withSpan(
      `${method} ${template}`,
      {
        kind: "server",
        root: true,
        attributes: { "http.request.method": method, "http.route": template, "svc.request_id": id }
      },
      { captureStackTrace: false }
    )
  )

export const withRequestId = <A, E>(exchange: { readonly id: string }, work: Effect.Effect<A, E>) =>
  Effect.provideService(work, References.CurrentLogAnnotations, { request_id: exchange.id })
