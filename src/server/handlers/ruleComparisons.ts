/** Handlers for comparing two releases, for every possible request and on the organization's own history. */

import { Effect, Result } from "effect"
import { NotFound, type Problem, RateLimited } from "../../api/Failures.ts"
import { type OwnHistoryComparison, type RuleComparison, RuleComparisonRequest } from "../../api/Rules.ts"
import { objectReader, problemsOf, validationFailed } from "../../api/validation.ts"
import { type OwnBacktest, OwnHistory } from "../../assessment/OwnHistory.ts"
import { tenantKey } from "../../evenShare.ts"
import { isRecord, type Json, type JsonObject } from "../../json/json.ts"
import { comparisonRetrySeconds, ownHistoryDays } from "../../limits.ts"
import type { Move } from "../../rules/backtest/Backtest.ts"
import { emptyTally, toBacktest } from "../../rules/backtest/Tally.ts"
import type { Witness } from "../../rules/counterexample/findWitness.ts"
import type { Change } from "../../rules/diff/Diff.ts"
import { type ReleaseComparison, RuleLibrary } from "../../rules/library/RuleLibrary.ts"
import { type Call, jsonResponse } from "../Exchange.ts"
import { enumCheck, readBody, readJson } from "../requestInput.ts"

const witnessOf = (witness: Witness | undefined) => {
  if (witness === undefined) return null
  const { from, history, request, to } = witness
  return {
    request: request as unknown as Readonly<Record<string, Json>>,
    ...(history === undefined ? {} : { history: history as unknown as Json }),
    from,
    to
  }
}

const changeOf = ({ code, details, kind, risingWitness, summary, witness }: Change) => ({
  code,
  kind,
  summary,
  details,
  witness: witnessOf(witness),
  rising_witness: witnessOf(risingWitness)
})

interface Pair {
  readonly from: string
  readonly to: string
}

const scoredOf = ({ control, level, score }: Move["from"]) => ({ score, level, control })

const nothingYet = toBacktest("", "", emptyTally())

/** Null: waiting for its turn. */
const ownHistoryOf = (result: OwnBacktest | null): OwnHistoryComparison => {
  const { actions, counts, transitions } = result?.state === "done" ? result.backtest : nothingYet
  return {
    state: result?.state ?? "waiting",
    problem: result?.state === "failed" ? result.reason : null,
    days: ownHistoryDays,
    scored: result?.state === "running" ? result.scored : counts.records,
    complete: result?.state === "done" && result.isAll,
    unreadable: counts.unreadable,
    falls: counts.falls,
    rises: counts.rises,
    lowered: counts.lowered,
    raised: counts.raised,
    weakened: counts.weakened,
    strengthened: counts.strengthened,
    transitions,
    actions: actions.map(({ actionType, environment, largest, records }) => ({
      action_type: actionType,
      environment,
      records,
      assessment_id: largest.assessmentId,
      from: scoredOf(largest.from),
      to: scoredOf(largest.to)
    }))
  }
}

/** Every problem of a pair of releases: one that is not installed, or one compared with itself. */
const pairProblems = ({ from, to }: JsonObject, versions: ReadonlyArray<string>): ReadonlyArray<Problem> => {
  const known = enumCheck(versions)
  const unknown = Object.entries({ from, to }).flatMap(([field, version]) => {
    const message = typeof version === "string" ? known(version) : undefined
    return message === undefined ? [] : [{ field, message }]
  })
  return typeof from === "string" && from === to
    ? [...unknown, { field: "to", message: "must be another release than from" }]
    : unknown
}

const readComparison = objectReader(RuleComparisonRequest)

export const ruleComparisonHandlers = Effect.gen(function* () {
  const library = yield* RuleLibrary
  const { backtest } = yield* OwnHistory

  /** The history is compared after the releases, so that two threads never open releases at once. */
  const bodyOf = Effect.fnUntraced(function* (
    { caller, exchange }: Call,
    { from, to }: Pair,
    comparison: ReleaseComparison
  ) {
    const isDone = comparison.state === "done"
    const own = caller.scopes.includes("read")
      ? ownHistoryOf(isDone ? yield* backtest(caller, { from, to }) : null)
      : null
    return {
      api_version: "v1",
      environment_mode: caller.mode,
      comparison_id: `${from}...${to}`,
      from,
      to,
      state: comparison.state,
      problem: comparison.state === "failed" ? comparison.reason : null,
      changes: isDone ? comparison.diff.changes.map(changeOf) : [],
      own_history: own,
      request_id: exchange.id
    } satisfies RuleComparison
  })

  const compareRules = Effect.fnUntraced(function* (call: Call) {
    const bytes = yield* readBody(call.exchange)
    const { holdsNul, value } = yield* Effect.fromResult(readJson(call.exchange.request, bytes))
    const asked = readComparison(value, holdsNul)
    const pair = isRecord(value) ? pairProblems(value, yield* library.versions) : []
    if (Result.isFailure(asked) || pair.length > 0)
      return yield* validationFailed([...problemsOf(asked), ...pair])
    const { from, to } = asked.success
    const comparison = yield* library.compare(tenantKey(call.caller), from, to)
    if (comparison === null) return yield* new RateLimited({ retryAfterSeconds: comparisonRetrySeconds })
    return jsonResponse(yield* bodyOf(call, { from, to }, comparison), 202)
  })

  const getRuleComparison = Effect.fnUntraced(function* (call: Call) {
    const [from = "", to = ""] = (call.params.comparison_id ?? "").split("...")
    const comparison = yield* library.compared(from, to)
    if (comparison === null) return yield* new NotFound()
    return jsonResponse(yield* bodyOf(call, { from, to }, comparison))
  })

  return { compareRules, getRuleComparison }
})
