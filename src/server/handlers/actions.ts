/** Handlers of actions and assessments: assess an action, list actions, get an assessment with its evidence. */

import { Effect, Result } from "effect"
import { createHash } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import { readActionRequest } from "../../api/AssessmentRequest.ts"
import { InvalidEnvironment, NotFound } from "../../api/Failures.ts"
import { readIdempotencyKey, validationFailed } from "../../api/validation.ts"
import { Assess } from "../../assessment/Assess.ts"
import { type AssessAnswer, type Drill, drills } from "../../assessment/AssessRequest.ts"
import { Assessments } from "../../assessment/Assessments.ts"
import type { Mode } from "../../domain/Caller.ts"
import { searchMax } from "../../limits.ts"
import { asUuid } from "../../storage/timeOrderedId.ts"
import { type Call, type HttpResponse, jsonBytesResponse } from "../Exchange.ts"
import { readBody, readJson } from "../body.ts"
import { type Check, readListQuery } from "../listQuery.ts"

const searchCheck: Check = (value) => {
  if ([...value].length > searchMax) return `must have at most ${searchMax} characters`
  return value.includes("\0") ? "must not contain the character U+0000" : undefined
}

const answerWith = (assessed: AssessAnswer, exchangeId: string): HttpResponse =>
  jsonBytesResponse(assessed.body, {
    "svc-request-id": assessed.requestId,
    "svc-risk-opinion": assessed.complete ? "full" : "partial",
    ...(assessed.replayed && { "svc-idempotent-replay": "true", "svc-replay-request-id": exchangeId })
  })

export const actionsHandlers = Effect.gen(function* () {
  const assess = yield* Assess
  const assessments = yield* Assessments

  const assessAction = Effect.fnUntraced(function* ({ caller, exchange }: Call) {
    const bytes = yield* readBody(exchange)
    const receivedAtMs = performance.now()
    const { headers } = exchange.request
    const { holdsNul, value } = yield* Effect.fromResult(readJson(exchange.request, bytes))

    const request = readActionRequest(value, holdsNul)
    const idempotencyKey = readIdempotencyKey(headers["idempotency-key"])
    if (Result.isFailure(request) || Result.isFailure(idempotencyKey)) {
      const of = (read: Result.Result<unknown, ReadonlyArray<{ field: string; message: string }>>) =>
        Result.isFailure(read) ? read.failure : []
      return yield* validationFailed([...of(request), ...of(idempotencyKey)])
    }
    const { action, body } = request.success
    if (caller.environments !== null && !caller.environments.includes(action.environment)) {
      return yield* new InvalidEnvironment()
    }
    const assessed = yield* assess.assess({
      caller,
      requestId: exchange.id,
      action,
      body,
      idempotencyKey: idempotencyKey.success,
      strict: asksForStrict(headers),
      drill: asksForDrill(headers, caller.mode),
      receivedAtMs,
      validationMs: performance.now() - receivedAtMs
    })
    return answerWith(assessed, exchange.id)
  })

  const listActions = Effect.fnUntraced(function* ({ caller, exchange }: Call) {
    const query = readListQuery(exchange.query, { q: searchCheck })
    if (Result.isFailure(query)) return yield* validationFailed(query.failure)
    const { body } = yield* assessments.list(caller, query.success, exchange.id)
    return jsonBytesResponse(body)
  })

  return { assessAction, listActions }
})

/**
 * What the headers of an assess request ask for besides its body.
 * RFC 7240: preferences are separated by commas, their parameters follow a semicolon, and the first of a name counts.
 */
const asksForStrict = ({ prefer }: IncomingHttpHeaders): boolean => {
  for (const preference of String(prefer ?? "").split(",")) {
    const [name = "", value = ""] = (preference.split(";")[0] ?? "").split("=")
    if (name.trim().toLowerCase() !== "handling") continue
    return value.trim().replaceAll('"', "").toLowerCase() === "strict"
  }
  return false
}

/** Drills are for test keys; on a live key the header means nothing. */
const asksForDrill = (headers: IncomingHttpHeaders, mode: Mode): Drill | null =>
  mode === "test" ? (drills.find((drill) => drill === headers["svc-drill"]) ?? null) : null

/**
 * A stored assessment with its evidence; the bytes carry a digest, so that a client can ask whether they changed.
 * RFC 9110 13.1.2: a list of tags, compared weakly, or a star.
 */
const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag)

export const assessmentsHandlers = Effect.gen(function* () {
  const assessments = yield* Assessments

  const getAssessment = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const id = asUuid(params.assessment_id ?? "")
    if (id === undefined) return yield* new NotFound()
    const { body } = yield* assessments.get(caller, id)
    const etag = `"${createHash("sha256").update(body).digest("base64url")}"`
    const headers = { etag, "cache-control": "private, no-cache" }
    if (!matches(exchange.request.headers["if-none-match"], etag)) return jsonBytesResponse(body, headers)
    return { status: 304, headers, body: null } satisfies HttpResponse
  })

  return { getAssessment }
})
