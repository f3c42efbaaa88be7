/** Whether what lists show and search of a stored assessment is still what its sealed bytes say. */

import { Result } from "effect"
import type { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import type { JsonObject } from "../../domain/Action.ts"
import { readRequest } from "../../rules/history/readRequest.ts"
import type { Link } from "../../storage/evidence/Link.ts"
import type { Derived } from "../../storage/sealedEvidence/read.ts"
import { listItem } from "../listItem.ts"
import { searchedText } from "../searchedText.ts"

/** Throws where the bytes are not what this service writes. */
const compare = ({ input, response: bytes }: Link, derived: Derived): string | null => {
  const response: AssessmentResponse = JSON.parse(Buffer.from(bytes).toString())
  const request: JsonObject = JSON.parse(Buffer.from(input).toString())
  const action = readRequest(request)
  if (Result.isFailure(action)) return `its input ${action.failure}`
  if (derived.actionId !== response.action_id) return "its action_id is not that of its response"
  if (derived.requestId !== response.request_id) return "its request_id is not that of its response"
  if (derived.complete !== (response.assessment_status === "complete"))
    return "its mark as complete is not that of its response"
  if (JSON.stringify(derived.item) !== JSON.stringify(listItem(action.success, response)))
    return "what lists show of it is not what its response says"
  return derived.search === searchedText(action.success, response.normalized_action_type)
    ? null
    : "what lists search of it is not what its input says"
}

/** For a link that is whole by itself. Completes a sentence about the row; null where all of it fits. */
export const derivedProblem = (link: Link, derived: Derived): string | null => {
  try {
    return compare(link, derived)
  } catch {
    // Sealed by whoever can write to the database, and still no assessment.
    return "its input or its response is not one of this service"
  }
}
