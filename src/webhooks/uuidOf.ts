/** An id as it stands in a path: a malformed one is as unknown as one of somebody else. */

import { Effect } from "effect"
import { NotFound } from "../api/Failures.ts"
import { asUuid } from "../storage/assessmentId.ts"

export const uuidOf = (segment: string): Effect.Effect<string, NotFound> => {
  const id = asUuid(segment)
  return id === undefined ? Effect.fail(new NotFound()) : Effect.succeed(id)
}
