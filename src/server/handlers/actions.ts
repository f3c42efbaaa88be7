/** Handlers of actions and assessments: assess an action, list actions, get an assessment with its evidence. */

import { Effect, Result } from "effect"
import { createHash } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import { readActionRequest } from "../../api/AssessmentRequest.ts"
import { InvalidEnvironment, NotFound, type Problem } from "../../api/Failures.ts"
import { problemsOf, readIdempotencyKey, validationFailed } from "../../api/validation.ts"
import { Assess } from "../../assessment/Assess.ts"
import { type Drill, drills } from "../../assessment/AssessRequest.ts"
import { Assessments } from "../../assessment/Assessments.ts"
import type { Mode } from "../../domain/Caller.ts"
import { searchMax } from "../../limits.ts"
import { asUuid } from "../../storage/timeOrderedId.ts"
import { type Call, type HttpResponse, idempotencyHeaders, jsonBytesResponse } from "../Exchange.ts"
import { readFilteredQuery } from "../listFilters.ts"
import { type Check, readBody, readJson } from "../requestInput.ts"

const searchCheck: Check = (value) => {
  if ([...value].length > searchMax) return `must have at most ${searchMax} characters`
  return value.includes("\0") ? "must not contain the character U+0000" : undefined
}

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
    const drill = readDrill(headers, caller.mode)
    if (Result.isFailure(request) || Result.isFailure(idempotencyKey) || Result.isFailure(drill)) {
      return yield* validationFailed(problemsOf(request, idempotencyKey, drill))
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
      strict: prefersStrict(headers),
      drill: drill.success,
      receivedAtMs,
      validationMs: performance.now() - receivedAtMs
    })
    return jsonBytesResponse(assessed.body, {
      ...idempotencyHeaders(assessed, exchange.id),
      "svc-risk-opinion": assessed.complete ? "full" : "partial"
    })
  })

  const listActions = Effect.fnUntraced(function* ({ caller, exchange }: Call) {
    const query = readFilteredQuery(exchange.query, { q: searchCheck })
    if (Result.isFailure(query)) return yield* validationFailed(query.failure)
    const { body } = yield* assessments.list(caller, query.success, exchange.id)
    return jsonBytesResponse(body)
  })

  return { assessAction, listActions }
})

/** RFC 7240: commas separate preferences, a semicolon starts their parameters, and the first preference of a name counts. */
const prefersStrict = ({ prefer }: IncomingHttpHeaders): boolean => {
  for (const preference of String(prefer ?? "").split(",")) {
    const [name = "", value = ""] = (preference.split(";")[0] ?? "").split("=")
    if (name.trim().toLowerCase() !== "handling") continue
    return value.trim().replaceAll('"', "").toLowerCase() === "strict"
  }
  return false
}

/**
 * Drills are for test keys; with a live key the header has no effect. A drill that does not exist is a problem: answered
 * like an ordinary call, a mistyped rehearsal would look as if it had passed.
 */
const readDrill = (
  headers: IncomingHttpHeaders,
  mode: Mode
): Result.Result<Drill | null, ReadonlyArray<Problem>> => {
  const named = headers["svc-drill"]
  if (mode !== "test" || named === undefined) return Result.succeed(null)
  const known = drills.find((drill) => drill === named)
  return known === undefined
    ? Result.fail([{ field: "svc-drill", message: `must be one of ${drills.join(", ")}` }])
    : Result.succeed(known)
}

/** RFC 9110 13.1.2: If-None-Match is a list of tags, compared weakly, or a star. */
const matchesTag = (ifNoneMatch: string | undefined, etag: string): boolean =>
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
    if (!matchesTag(exchange.request.headers["if-none-match"], etag)) return jsonBytesResponse(body, headers)
    return { status: 304, headers, body: null } satisfies HttpResponse
  })

  return { getAssessment }
})
