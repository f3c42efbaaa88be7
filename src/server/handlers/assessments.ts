/** A stored assessment with its evidence; the bytes carry a digest, so that a client can ask whether they changed. */

import { Effect } from "effect"
import { createHash } from "node:crypto"
import { NotFound } from "../../api/Failures.ts"
import { Assessments } from "../../assessment/Assessments.ts"
import { asUuid } from "../../storage/assessmentId.ts"
import { type Answer, jsonBytes } from "../Answer.ts"
import type { Call } from "../Handler.ts"

/** RFC 9110 13.1.2: a list of tags, compared weakly, or a star. */
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
    if (!matches(exchange.request.headers["if-none-match"], etag)) return jsonBytes(body, headers)
    return { status: 304, headers, body: null } satisfies Answer
  })

  return { getAssessment }
})
