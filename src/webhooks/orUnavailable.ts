/** Storage as these use cases see it: an answer within a bound, or ASSESSMENT_UNAVAILABLE. */

import { Effect, Fiber } from "effect"
import type { SqlError } from "effect/sql"
import { AssessmentUnavailable } from "../api/Failures.ts"
import { storageReadMsMax, storageWriteMsMax } from "../Limits.ts"
import { answerOr } from "../storage/answerOr.ts"

export const unavailable = () =>
  new AssessmentUnavailable({ message: "the webhooks cannot be reached right now; send the request again" })

const orUnavailable = answerOr(unavailable)

export const readOrUnavailable = <A>(task: string, reading: Effect.Effect<A, SqlError.SqlError>) =>
  orUnavailable(task, storageReadMsMax, reading)

/** Invariant: who goes away, or waits no longer, interrupts the wait and never the writing, which has bounds of its own. */
export const writeOrUnavailable = <A>(task: string, writing: Effect.Effect<A, SqlError.SqlError>) =>
  orUnavailable(
    task,
    storageWriteMsMax,
    Effect.flatMap(Effect.forkDetach(writing, { startImmediately: true }), Fiber.join)
  )
