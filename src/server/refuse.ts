/** The answer to a failure: its envelope, and the headers that its code asks for. */

import { envelope } from "../api/ErrorEnvelope.ts"
import { type Failure, statusOf } from "../api/Failures.ts"
import { type Answer, json } from "./Answer.ts"
import { requestId } from "./requestId.ts"

const challenge = (failure: Failure): string | null => {
  switch (failure.code) {
    case "MISSING_API_KEY":
      return "Bearer"
    case "INVALID_API_KEY":
      return 'Bearer error="invalid_token"'
    case "INSUFFICIENT_SCOPE":
      return `Bearer error="insufficient_scope", scope="${failure.scope ?? ""}"`
    default:
      return null
  }
}

/** `baseUrl`: where this service is reached from outside. */
export const refuse = (failure: Failure, requestId: string, baseUrl: string): Answer => {
  const headers: Record<string, string> = {}
  const authenticate = challenge(failure)
  if (authenticate !== null) headers["www-authenticate"] = authenticate
  if ("retryAfterSeconds" in failure) headers["retry-after"] = String(failure.retryAfterSeconds)
  if ("allow" in failure && failure.allow !== undefined) headers.allow = failure.allow
  return json(envelope(failure, requestId, baseUrl), statusOf(failure), headers)
}

/** Stands for the id of a request where a refusal is spelled before there is one; nothing else is like it. */
const anyId = requestId(0)

/** `refuse` for many requests whose failure is one: spelled once, but for their ids, and anew where `baseUrl` is another. */
export const refuseAlike = (failure: Failure): ((requestId: string, baseUrl: string) => Answer) => {
  const spell = (baseUrl: string) => {
    const answer = refuse(failure, anyId, baseUrl)
    return { baseUrl, answer, parts: String(answer.body).split(anyId) }
  }
  let spelled = spell("")
  return (requestId, baseUrl) => {
    if (spelled.baseUrl !== baseUrl) spelled = spell(baseUrl)
    return { ...spelled.answer, body: spelled.parts.join(requestId) }
  }
}
