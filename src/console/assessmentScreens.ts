/** The screens of one assessment: the page, what-if, the replay, and closing its review. */

import { Clock, Effect, Result } from "effect"
import { AssessmentUnavailable, InsufficientScope } from "../api/Failures.ts"
import { CloseReviewRequest } from "../api/Reviews.ts"
import { objectReader } from "../api/validation.ts"
import { mayClose, queuedReview, Reviews } from "../assessment/Reviews.ts"
import type { Caller } from "../domain/Caller.ts"
import { RecordedAssessments } from "../evidence/recorded/RecordedAssessments.ts"
import type { Changes, RecordedQuestion, Reconsidered, Replayed } from "../evidence/recorded/reconsider.ts"
import { consoleRulesMs, olderRetrySeconds } from "../limits.ts"
import type { StoredEvidence } from "../storage/assessments/AssessmentRecord.ts"
import type { ScreenWith, Visit } from "./consoleEdge.ts"
import { evidenceRecord, explanationView } from "./plainViews.ts"
import { type AssessmentView, assessmentPage } from "./pages/assessmentPage.ts"
import { type RefusedClosing, replayResult } from "./parts/records.ts"
import { changesOf, type Considered, whatIfResult } from "./parts/whatIf.ts"
import { idIn, pageResponse, readForm, seeOther } from "./respond.ts"

/** Null if the assessment has no review or the key may not see it. */
const reviewOf = ({ caller, exchange, id }: Visit) =>
  caller.scopes.includes("reviews")
    ? Effect.catchTag(
        Reviews.use(({ get }) => get(caller, id, exchange.id)),
        "NotFound",
        () => Effect.succeed(null)
      )
    : Effect.succeed(null)

const consideredOf = (changes: Changes, { otherwise }: Reconsidered): Considered => {
  if (otherwise === null) return { changes, problems: [], answer: null }
  return "problems" in otherwise
    ? { changes, problems: otherwise.problems, answer: null }
    : { changes, problems: [], answer: otherwise.answer }
}

/**
 * Null if the rules of its release cannot answer soon: opening a release takes their thread some seconds, and other requests wait for it
 * too. The thread continues meanwhile, so the next page finds the release open.
 */
const reconsidered = Effect.fnUntraced(function* (
  caller: Caller,
  stored: StoredEvidence,
  question: RecordedQuestion
) {
  const recorded = yield* RecordedAssessments
  const notNow = (): Effect.Effect<Reconsidered | null> => Effect.succeed(null)
  return yield* recorded.consider(caller, stored, question).pipe(
    Effect.timeoutOrElse({
      duration: consoleRulesMs,
      orElse: () => Effect.fail(new AssessmentUnavailable({ retryAfterSeconds: olderRetrySeconds }))
    }),
    Effect.catchTags({ RateLimited: notNow, AssessmentUnavailable: notNow })
  )
})

const readClosing = objectReader(CloseReviewRequest)

const closedMeanwhile =
  "Another person closed this review first, with another outcome. The first outcome counts, so yours was not recorded."

/** The part of the page that the script requests; otherwise the whole page. */
const wantedPart = ({ exchange }: Visit): string => String(exchange.request.headers["svc-part"] ?? "")

interface Shown {
  /** "busy": the rules could not answer yet. */
  readonly replayed?: Replayed | "busy"
  readonly refused?: RefusedClosing
}

const viewOf = Effect.fnUntraced(function* (visit: Visit, { refused, replayed }: Shown) {
  const { caller, query } = visit
  if (!caller.scopes.includes("read")) return yield* new InsufficientScope({ scope: "read" })
  const recorded = yield* RecordedAssessments
  const stored = yield* recorded.find(caller, visit.id)
  const review = yield* reviewOf(visit)
  const input = JSON.parse(Buffer.from(stored.input).toString())
  const mayExplain = caller.scopes.includes("explain")
  const changes = mayExplain ? changesOf(query, input) : {}
  const isAsked = Object.keys(changes).length > 0
  // Invariant: the answer and the review of an assessment are shown even if its rules cannot be opened.
  const told = yield* reconsidered(caller, stored, {
    explain: mayExplain,
    lower: mayExplain,
    ...(isAsked ? { changes } : {})
  })
  return {
    visitor: caller,
    nowMs: yield* Clock.currentTimeMillis,
    record: evidenceRecord(stored),
    answer: JSON.parse(Buffer.from(stored.response).toString()),
    input,
    explanation: told?.explanation ? explanationView(told.explanation) : null,
    lowerings: told?.lowerings ?? null,
    problem: told?.problem ?? null,
    isBusy: told === null,
    considered: mayExplain && told?.problem === null ? consideredOf(changes, told) : null,
    replayed: replayed ?? null,
    review,
    mayClose: review !== null && mayClose(caller, review),
    refused: refused ?? null,
    place: review === null ? null : yield* Reviews.use(({ place }) => place(caller, queuedReview(review))),
    closed: idIn(query, "closed")
  } satisfies AssessmentView
})

const showAssessment = Effect.fnUntraced(function* (visit: Visit, shown: Shown = {}, status = 200) {
  const view = yield* viewOf(visit, shown)
  if (wantedPart(visit) === "what-if" && view.considered !== null)
    return pageResponse(whatIfResult(view.answer, view.considered))
  return pageResponse(assessmentPage(view), status)
})

const replay = Effect.fnUntraced(function* (visit: Visit) {
  const recorded = yield* RecordedAssessments
  const stored = yield* recorded.find(visit.caller, visit.id)
  const replayed = (yield* reconsidered(visit.caller, stored, { replay: true }))?.replayed ?? "busy"
  const path = `/${visit.caller.mode}/assessments/${stored.assessmentId}`
  if (wantedPart(visit) === "replayed") return pageResponse(replayResult(path, replayed))
  return yield* showAssessment(visit, { replayed })
})

const close = Effect.fnUntraced(function* (visit: Visit) {
  const { caller, exchange, id } = visit
  const form = yield* readForm(exchange)
  const [outcome, note] = [form.get("outcome"), (form.get("note") ?? "").replaceAll("\r\n", "\n").trim()]
  const refuse = (reason: string, status: number) =>
    showAssessment(visit, { refused: { reason, outcome, note } }, status)
  const closing = readClosing({ outcome, ...(note === "" ? {} : { note }) }, note.includes("\0"))
  if (Result.isFailure(closing)) {
    const told = closing.failure.map(({ field, message }) => `${field} ${message}`).join("; ")
    return yield* refuse(`Nothing was recorded: ${told}.`, 422)
  }
  const closed = yield* Effect.catchTags(
    Reviews.use((reviews) => reviews.close(caller, id, closing.success, exchange.id)),
    {
      ValidationFailed: () => Effect.succeed("meanwhile" as const),
      InvalidEnvironment: () => Effect.succeed("uncovered" as const)
    }
  )
  if (closed === "meanwhile") return yield* refuse(closedMeanwhile, 409)
  // The page shows no form for this key and explains why.
  if (closed === "uncovered") return yield* showAssessment(visit, {}, 422)
  if (note !== "" && closed.note !== note)
    return yield* refuse("This review was closed already, with the same outcome: its first note stays.", 409)
  const { first, next: after } = yield* Reviews.use(({ place }) => place(caller, queuedReview(closed)))
  const next = after ?? first
  const there = next === null ? "reviews" : `assessments/${next}`
  return seeOther(`/${caller.mode}/${there}?closed=${closed.id}`)
})

export const assessmentScreens: ReadonlyArray<ScreenWith<Reviews | RecordedAssessments>> = [
  {
    method: "GET",
    path: /^assessments\/(?<id>[^/]+)$/,
    scope: "read",
    show: (visit) => showAssessment(visit)
  },
  { method: "POST", path: /^assessments\/(?<id>[^/]+)\/replay$/, scope: "read", show: replay },
  { method: "POST", path: /^reviews\/(?<id>[^/]+)\/close$/, scope: "reviews", show: close }
]
