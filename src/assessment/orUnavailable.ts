/** Storage as the use case sees it: an answer within a bound, or ASSESSMENT_UNAVAILABLE. */

import { AssessmentUnavailable } from "../api/Failures.ts"
import { answerOr } from "../storage/answerOr.ts"

export const { failed: unavailable, read: readOrUnavailable } = answerOr(() => new AssessmentUnavailable())
