/** Asks a running service about one example over HTTP, as any caller would. */

import { Effect } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { assessPath } from "../../../api/Actions.ts"
import { AssessmentResponse } from "../../../api/AssessmentResponse.ts"
import { answerMs } from "../../../Limits.ts"
import type { Example } from "./examples.ts"

export const assessOver = Effect.fn("demo.assessOver")(function* (
  url: string,
  key: string,
  example: Example
) {
  const client = HttpClient.filterStatusOk(yield* HttpClient.HttpClient)
  return yield* HttpClientRequest.post(`${url}${assessPath}`).pipe(
    HttpClientRequest.bearerToken(key),
    HttpClientRequest.bodyUint8Array(example.body, "application/json"),
    client.execute,
    Effect.flatMap(HttpClientResponse.schemaBodyJson(AssessmentResponse)),
    Effect.timeout(answerMs)
  )
})
