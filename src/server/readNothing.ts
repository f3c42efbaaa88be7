/** The body of a request that has nothing to say: none at all, or an object without a field. */

import { Effect } from "effect"
import type { Problem } from "../api/Failures.ts"
import { isObject } from "../api/readObject.ts"
import type { Json } from "../domain/Action.ts"
import type { HttpExchange } from "./Exchange.ts"
import { readBody } from "./readBody.ts"
import { readJson } from "./readJson.ts"

const problemsOf = (body: Json): ReadonlyArray<Problem> =>
  isObject(body)
    ? Object.keys(body).map((field) => ({ field, message: "is not a field of this request" }))
    : [{ field: "body", message: "must be a JSON object" }]

/** The problems of the body: what is sent in vain is told, not passed over. */
export const readNothing = Effect.fnUntraced(function* (exchange: HttpExchange) {
  const bytes = yield* readBody(exchange)
  if (bytes.length === 0) return []
  const { value } = yield* Effect.fromResult(readJson(exchange.request, bytes))
  return problemsOf(value)
})
