/** The screen that suggests entries of the catalogue for the tool of an assessment, tried on its calls of the last days. */

import { Clock, Effect, Result } from "effect"
import type { ActionList } from "../api/Actions.ts"
import { Assessments } from "../assessment/Assessments.ts"
import type { Action } from "../domain/Action.ts"
import type { Caller } from "../domain/Caller.ts"
import { RecordedAssessments } from "../evidence/reconsider.ts"
import { readRecordedCall } from "../evidence/replay.ts"
import { searchMax, suggestedCallsMax, suggestedDays } from "../limits.ts"
import { readRecordedRequest } from "../rules/history/recordedInput.ts"
import { suggestionSteps } from "../rules/policies/suggestEntries.ts"
import { inSteps } from "../storage/behavior/BaselineWindow.ts"
import type { ScreenWith, Visit } from "./consoleEdge.ts"
import { suggestionPage } from "./pages/suggestionPage.ts"
import { pageResponse } from "./respond.ts"

const dayMs = 86_400_000

/** The ids of the newest calls of one tool within the days that count. One more than the calls that are tried. */
const callsOf = Effect.fnUntraced(function* (caller: Caller, actionType: string, requestId: string) {
  const since = (yield* Clock.currentTimeMillis) - suggestedDays * dayMs
  const wanted = { limit: suggestedCallsMax + 1, cursor: null, q: actionType.slice(0, searchMax) }
  const { body } = yield* Assessments.use(({ list }) => list(caller, wanted, requestId))
  const page: ActionList = JSON.parse(Buffer.from(body).toString())
  return page.data.filter(
    ({ action_type, created_at }) => action_type === actionType && Date.parse(created_at) >= since
  )
})

/** The requests behind ids; what was erased meanwhile, or cannot be read, is left out. */
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
  const call = readRecordedCall(stored, recorded.rules)
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
  if (Result.isFailure(call)) return pageResponse(suggestionPage({ ...view, problem: `${call.failure}.` }))
  const { policies, release } = call.success
  if (release.edition.number === 1) {
    const problem = `Release ${release.edition.version} reads no catalogue: only assessments by a release from 2.0.0 on can be answered by an entry.`
    return pageResponse(suggestionPage({ ...view, problem }))
  }
  const items = yield* callsOf(caller, view.actionType, exchange.id)
  const ids = items.slice(0, suggestedCallsMax).map(({ assessment_id }) => assessment_id)
  const actions = yield* actionsOf(caller, ids.length === 0 ? [stored.assessmentId] : ids)
  const suggestions = yield* inSteps(suggestionSteps(actions, release.edition, policies.policySet))
  const areMore = items.length > suggestedCallsMax
  return pageResponse(suggestionPage({ ...view, calls: actions.length, areMore, suggestions }))
})

export const suggestionScreens: ReadonlyArray<ScreenWith<Assessments | RecordedAssessments>> = [
  {
    method: "GET",
    path: /^assessments\/(?<id>[^/]+)\/suggestion$/,
    scope: "explain",
    show: suggest
  }
]
