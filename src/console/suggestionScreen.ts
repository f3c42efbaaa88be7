/** The screen that suggests catalogue entries for an assessment's tool, tried on its recent calls. */

import { Clock, Effect, Result } from "effect"
import type { ActionList } from "../api/Actions.ts"
import { Assessments } from "../assessment/Assessments.ts"
import type { Action } from "../domain/Action.ts"
import type { Caller } from "../domain/Caller.ts"
import { RecordedAssessments } from "../evidence/recorded/RecordedAssessments.ts"
import { searchMax, suggestedCallsMax, suggestedDays } from "../limits.ts"
import { readRecordedRequest } from "../rules/history/recordedInput.ts"
import type { ScreenWith, Visit } from "./consoleEdge.ts"
import { suggestionPage } from "./pages/suggestionPage.ts"
import { pageResponse } from "./respond.ts"

const dayMs = 86_400_000

/** The ids of a tool's newest calls within the days that count. One more than will be tried. */
const callsOf = Effect.fnUntraced(function* (caller: Caller, actionType: string, requestId: string) {
  const since = (yield* Clock.currentTimeMillis) - suggestedDays * dayMs
  const wanted = { limit: suggestedCallsMax + 1, cursor: null, q: actionType.slice(0, searchMax) }
  const { body } = yield* Assessments.use(({ list }) => list(caller, wanted, requestId))
  const page: ActionList = JSON.parse(Buffer.from(body).toString())
  return page.data.filter(
    ({ action_type, created_at }) => action_type === actionType && Date.parse(created_at) >= since
  )
})

/** The requests with these ids, without those that were erased meanwhile or cannot be read. */
const actionsOf = Effect.fnUntraced(function* (caller: Caller, ids: ReadonlyArray<string>) {
  const { find } = yield* RecordedAssessments
  const found = yield* Effect.forEach(ids, (id) => Effect.option(find(caller, id)), { concurrency: 4 })
  return found.flatMap((stored): ReadonlyArray<Action> => {
    if (stored._tag === "None") return []
    const action = readRecordedRequest(JSON.parse(Buffer.from(stored.value.input).toString()))
    return Result.isSuccess(action) ? [action.success] : []
  })
})

const suggest = Effect.fnUntraced(function* ({ caller, exchange, id }: Visit) {
  const recorded = yield* RecordedAssessments
  const stored = yield* recorded.find(caller, id)
  const input = JSON.parse(Buffer.from(stored.input).toString())
  const view = {
    visitor: caller,
    assessmentId: stored.assessmentId,
    actionType: String(input.action_type),
    policySet: caller.policySet,
    calls: 0,
    areMore: false,
    suggestions: [],
    problem: null
  }
  const items = yield* callsOf(caller, view.actionType, exchange.id)
  const ids = items.slice(0, suggestedCallsMax).map(({ assessment_id }) => assessment_id)
  const actions = yield* actionsOf(caller, ids.length === 0 ? [stored.assessmentId] : ids)
  const { problem, suggestions } = yield* recorded.consider(caller, stored, { suggestFor: actions })
  if (problem !== null) return pageResponse(suggestionPage({ ...view, problem: `${problem}.` }))
  const areMore = items.length > suggestedCallsMax
  return pageResponse(
    suggestionPage({ ...view, calls: actions.length, areMore, suggestions: suggestions ?? [] })
  )
})

export const suggestionScreens: ReadonlyArray<ScreenWith<Assessments | RecordedAssessments>> = [
  {
    method: "GET",
    path: /^assessments\/(?<id>[^/]+)\/suggestion$/,
    scope: "explain",
    show: suggest
  }
]
