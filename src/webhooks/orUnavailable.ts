/** Storage as these use cases see it: an answer within a bound, or ASSESSMENT_UNAVAILABLE. */

import { AssessmentUnavailable } from "../api/Failures.ts"
import { answerOr } from "../storage/answerOr.ts"

export const unavailable = () =>
  new AssessmentUnavailable({ message: "the webhooks cannot be reached right now; send the request again" })

export const { read: readOrUnavailable, write: writeOrUnavailable } = answerOr(unavailable)
