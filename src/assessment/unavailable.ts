/** Storage as the use case sees it: what went wrong is logged, and told as ASSESSMENT_UNAVAILABLE. */

import { AssessmentUnavailable } from "../api/Failures.ts"
import { loggedAs } from "../storage/answerOr.ts"

/** What a cause comes to, by the name of what was tried; every statement has a bound of its own. */
export const unavailable = loggedAs(() => new AssessmentUnavailable())
