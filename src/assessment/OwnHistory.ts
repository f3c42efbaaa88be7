/** Compares two releases on an organization's own stored assessments: which would the other release answer differently? */

import { Cause, Clock, Context, Effect, Exit, FiberSet, Layer } from "effect"
import { encodeEvidence } from "./encode.ts"
import type { Caller } from "../domain/Caller.ts"
import { makeFairLine, tenantKey } from "../evenShare.ts"
import {
  libraryHeapMbMax,
  ownHistoriesMax,
  ownHistoriesWaitingMax,
  ownHistoryDays,
  ownHistoryKeptMs,
  ownHistoryMax,
  ownHistoryMsMax,
  ownHistoryPageRows
} from "../limits.ts"
import type { Backtest } from "../rules/backtest/Backtest.ts"
import { backtestThreads } from "../rules/backtest/runBacktest.ts"
import { emptyTally, mergeTally, toBacktest } from "../rules/backtest/Tally.ts"
import type { Root } from "../rules/files/readTree.ts"
import { RuleReleases } from "../rules/servedRules.ts"
import type { Owner } from "../storage/assessments/AssessmentRecord.ts"
import { AssessmentRecords } from "../storage/assessments/AssessmentRecords.ts"
import { greatestId, idAtInstant, leastId } from "../storage/timeOrderedId.ts"

/** The progress or the result of a comparison. */
export type OwnBacktest =
  | { readonly state: "running"; readonly scored: number }
  | { readonly state: "done"; readonly atMs: number; readonly isAll: boolean; readonly backtest: Backtest }
  | { readonly state: "failed"; readonly reason: string }

interface Pair {
  readonly from: string
  readonly to: string
}

export class OwnHistory extends Context.Service<
  OwnHistory,
  {
    /**
     * Starts a comparison unless a recent one exists, and returns its state. One comparison runs at a time, and organizations take turns.
     * Null if too many are waiting. Both versions must be installed.
     */
    readonly backtest: (caller: Caller, pair: Pair) => Effect.Effect<OwnBacktest | null>
  }
>()("action-risk/assessment/OwnHistory") {
  /** Needs `ModeSql` and `ResourceSql`. */
  static readonly layer = Layer.effect(
    OwnHistory,
    Effect.gen(function* () {
      const { historyPage } = yield* AssessmentRecords
      const results = yield* keptResults
      const { root } = yield* RuleReleases
      const count = countIn(root, historyPage)

      const run = yield* FiberSet.makeRuntime<never, void, unknown>()
      const line = makeFairLine({ waitingMax: ownHistoriesWaitingMax, placesMax: 1 })

      const start = (caller: Caller, pair: Pair, key: string): OwnBacktest | null => {
        const running: OwnBacktest = { state: "running", scored: 0 }
        const counting = count(caller, pair, (scored) => results.keep(key, { state: "running", scored }))
        const counted = Effect.onExit(counting, (exit) =>
          Effect.sync(() => results.keep(key, resultOf(exit)))
        )
        const isAdded = line.add({
          tenant: tenantKey(caller),
          begin: (done) => run(Effect.asVoid(counted)).addObserver(done)
        })
        if (isAdded) results.keep(key, running)
        return isAdded ? running : null
      }

      return OwnHistory.of({
        backtest: (caller, pair) =>
          Effect.suspend((): Effect.Effect<OwnBacktest | null> => {
            const key = keyOf(caller, pair)
            const found = results.find(key)
            if (found !== null && found.state !== "failed") return Effect.succeed(found)
            return Effect.sync(() => start(caller, pair, key))
          })
      })
    })
  ).pipe(Layer.provide(AssessmentRecords.layer))
}

const keyOf = (caller: Caller, { from, to }: Pair): string => `${tenantKey(caller)} ${from}...${to}`

const failed = "the history could not be scored; the service log says why"

const resultOf = (exit: Exit.Exit<OwnBacktest, unknown>): OwnBacktest =>
  Exit.isSuccess(exit) ? exit.value : { state: "failed", reason: failed }

/** Keeps each result until it expires, and the progress while a comparison runs. */
const keptResults = Effect.map(Clock.Clock, (clock) => {
  const kept = new Map<string, OwnBacktest>()
  const isOld = (result: OwnBacktest): boolean =>
    result.state === "done" && clock.currentTimeMillisUnsafe() - result.atMs > ownHistoryKeptMs
  return {
    find: (key: string): OwnBacktest | null => {
      const found = kept.get(key)
      return found === undefined || isOld(found) ? null : found
    },
    keep: (key: string, result: OwnBacktest): void => {
      kept.delete(key)
      const oldest = [...kept].find(([, { state }]) => state !== "running")?.[0]
      if (kept.size >= ownHistoriesMax && oldest !== undefined) kept.delete(oldest)
      kept.set(key, result)
    }
  }
})

const lineBreak = Buffer.from("\n")

const sinceId = (nowMs: number): string =>
  idAtInstant(new Date(nowMs - ownHistoryDays * 86_400_000).toISOString()) ?? leastId

/** Runs in a thread, because it opens two releases and scores everything twice. The thread ends with the scope. */
const openThread = (root: Root, { from, to }: Pair) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      backtestThreads({ root, of: { kind: "rules", policies: null }, from, to }, 1, {
        maxOldGenerationSizeMb: libraryHeapMbMax
      })
    ),
    ({ stop }) => Effect.promise(stop)
  )

/** Newest first, page by page. Excludes assessments that are stored in the meantime. */
const countIn = (root: Root, page: AssessmentRecords["Service"]["historyPage"]) =>
  Effect.fnUntraced(
    function* (owner: Owner, { from, to }: Pair, onProgress: (scored: number) => void) {
      const startedAtMs = yield* Clock.currentTimeMillis
      const since = sinceId(startedAtMs)
      const thread = yield* openThread(root, { from, to })
      const total = emptyTally()
      let read = 0
      let before = greatestId
      let isAll = false
      while (read < ownHistoryMax && !isAll) {
        const wanted = Math.min(ownHistoryPageRows, ownHistoryMax - read)
        const rows = yield* page(owner, { from: since, before }, wanted)
        const bytes = Buffer.concat(rows.flatMap((row) => [encodeEvidence(row), lineBreak]))
        const block = { bytes, firstLine: read + 1, readBytes: 0 }
        if (rows.length > 0) mergeTally(total, yield* Effect.promise(() => thread.ask(block)))
        read += rows.length
        before = rows.at(-1)?.assessmentId ?? before
        isAll = rows.length < wanted
        onProgress(read)
      }
      const atMs = yield* Clock.currentTimeMillis
      return { state: "done", atMs, isAll, backtest: toBacktest(from, to, total) } satisfies OwnBacktest
    },
    Effect.scoped,
    Effect.timeout(ownHistoryMsMax),
    (counting) =>
      Effect.tapCause(counting, (cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.void
          : Effect.logWarning("could not compare releases on a history", cause)
      )
  )
