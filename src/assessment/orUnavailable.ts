/** Storage as the use case sees it: an answer within a bound, or ASSESSMENT_UNAVAILABLE. */

import { AssessmentUnavailable } from "../api/Failures.ts"
import { answerOr, loggedAs } from "../storage/answerOr.ts"

const failure = () => new AssessmentUnavailable()

export const orUnavailable = answerOr(failure)

/** What a cause comes to where the statement itself has a bound. */
export const unavailable = loggedAs(failure)
