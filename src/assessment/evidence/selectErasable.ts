/** Which stored assessments an operator means to erase, page by page, oldest first. */

import { Effect, Option, Stream } from "effect"
import type { Json } from "../../domain/Action.ts"
import { erasedTogetherMax } from "../../Limits.ts"
import type { Owner } from "../../storage/AssessmentRecord.ts"
import { greatestId, idAtCursor, leastId } from "../../storage/assessmentId.ts"
import { Erasures } from "../../storage/Erasures.ts"
import type { Candidate } from "../../storage/erasures/read.ts"
import { searchText } from "../../storage/searchText.ts"

/** All that is given must hold. */
export interface Selection {
  /** RFC 3339: only what was assessed before. */
  readonly before: string | null
  /** The exact agent_id. */
  readonly agent: string | null
  /** Text that a value or a name anywhere in the request contains, in any case: metadata and context too. */
  readonly containing: string | null
}

const holds = (json: Json, folded: string): boolean => {
  if (json === null || typeof json === "boolean") return false
  if (typeof json !== "object") return searchText([String(json)]).includes(folded)
  if (Array.isArray(json)) return json.some((item) => holds(item, folded))
  return Object.entries(json).some(
    ([name, value]) => searchText([name]).includes(folded) || holds(value as Json, folded)
  )
}

/** A field's name is this service's own at the root; below it is the caller's, as it is in metadata and context. */
const isMeant = ({ input }: Candidate, { agent, containing }: Selection): boolean => {
  if (agent === null && containing === null) return true
  const request: Readonly<Record<string, Json>> = JSON.parse(Buffer.from(input).toString())
  if (agent !== null && request["agent_id"] !== agent) return false
  if (containing === null) return true
  const folded = searchText([containing])
  return Object.values(request).some((value) => holds(value, folded))
}

/** In pages of at most `erasedTogetherMax`, some of them empty; what is stored meanwhile is met or missed. */
export const selectErasable = (owner: Owner, selection: Selection) =>
  Stream.unwrap(
    Erasures.useSync(({ candidates }) => {
      const before = (selection.before === null ? undefined : idAtCursor(selection.before)) ?? greatestId
      return Stream.paginate(
        leastId,
        Effect.fnUntraced(function* (after: string) {
          const rows = yield* candidates(owner, before, after, erasedTogetherMax)
          const last = rows.length < erasedTogetherMax ? undefined : rows.at(-1)?.assessmentId
          const page = rows.filter((row) => isMeant(row, selection))
          return [[page], Option.fromUndefinedOr(last)] as const
        })
      )
    })
  )
