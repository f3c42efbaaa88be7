/** The rules of this installation for people to read and compare. Separate threads open the releases, because that takes seconds. */

import { setBounded } from "../../boundedMap.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { makeFairLine } from "../../evenShare.ts"
import {
  comparisonsMax,
  comparisonsWaitingMax,
  libraryHeapMbMax,
  libraryMsMax,
  libraryWaitMs
} from "../../limits.ts"
import { scopedThreads } from "../../threads.ts"
import { reasonOf } from "../Finding.ts"
import type { Diff } from "../diff/Diff.ts"
import { listReleases } from "../release/loadRelease.ts"
import { RuleReleases } from "../servedRules.ts"
import type { DescribedLibrary } from "./describeReleases.ts"
import type { LibraryAnswer, LibraryQuestion } from "./libraryWorker.ts"

/** The output of `rules diff` for two releases, or its progress. */
export type ReleaseComparison =
  | { readonly state: "running"; readonly startedAtMs: number }
  | { readonly state: "done"; readonly diff: Diff }
  | { readonly state: "failed"; readonly reason: string }

export class RuleLibrary extends Context.Service<
  RuleLibrary,
  {
    /** The installed releases, oldest first. */
    readonly versions: Effect.Effect<ReadonlyArray<string>>
    /** Null if it is still being read after `libraryWaitMs`. It is read once. */
    readonly described: Effect.Effect<DescribedLibrary | null>
    /**
     * Starts the comparison at the first call. One runs at a time, and tenants take turns. Null if too many are waiting. Both versions must
     * be installed.
     */
    readonly compare: (tenant: string, from: string, to: string) => Effect.Effect<ReleaseComparison | null>
    /** Null if no caller has requested the comparison. */
    readonly compared: (from: string, to: string) => Effect.Effect<ReleaseComparison | null>
  }
>()("action-risk/rules/RuleLibrary") {
  static readonly layer = Layer.effect(
    RuleLibrary,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const { root } = yield* RuleReleases
      const threads = yield* openThreads
      const compare = comparisons(clock, (from, to) =>
        threads.ask({ kind: "compare", root, from, to }).then(comparisonOf, failedOf)
      )
      return RuleLibrary.of({
        versions: Effect.sync(() => listReleases(root)),
        described: yield* describing(() => threads.ask({ kind: "describe", root })),
        ...compare
      })
    })
  )
}

/** One to describe and one to compare, so that neither waits for the other. */
const openThreads = scopedThreads<LibraryQuestion, LibraryAnswer>({
  module: import.meta,
  entry: "libraryWorker",
  count: 2,
  resourceLimits: { maxOldGenerationSizeMb: libraryHeapMbMax },
  answerMsMax: libraryMsMax,
  idleMs: 0
})

/**
 * Reads once. A failure is logged, and the next call tries again. Not Effect's `Cache`, which would cancel the reading when its last
 * waiting caller leaves.
 */
const describing = Effect.fnUntraced(function* (ask: () => Promise<LibraryAnswer>) {
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  let known: DescribedLibrary | null = null
  let reading: Promise<void> | null = null
  const read = async () => {
    try {
      const answer = await ask()
      if (answer.kind === "described") known = answer.library
    } catch (cause) {
      fork(Effect.logError("the rules could not be described", cause))
    } finally {
      reading = null
    }
  }
  return Effect.suspend((): Effect.Effect<DescribedLibrary | null> => {
    if (known !== null) return Effect.succeed(known)
    const waiting = (reading ??= read())
    return Effect.promise(() => waiting).pipe(
      Effect.timeoutOption(libraryWaitMs),
      Effect.map(() => known)
    )
  })
})

const comparisonOf = (answer: LibraryAnswer): ReleaseComparison => {
  switch (answer.kind) {
    case "compared":
      return { state: "done", diff: answer.diff }
    case "refused":
      return { state: "failed", reason: answer.reason }
    case "described":
      return { state: "failed", reason: "the thread answered another question" }
  }
}

const failedOf = (cause: unknown): ReleaseComparison => ({ state: "failed", reason: reasonOf(cause) })

/** Releases never change, so a finished comparison is kept. A failed one is tried again. */
const comparisons = (clock: Clock.Clock, start: (from: string, to: string) => Promise<ReleaseComparison>) => {
  const known = new Map<string, ReleaseComparison>()
  const line = makeFairLine({ waitingMax: comparisonsWaitingMax, placesMax: 1 })
  const keyOf = (from: string, to: string) => `${from}...${to}`

  const remember = (key: string, comparison: ReleaseComparison) => {
    setBounded(known, comparisonsMax, key, comparison)
    return comparison
  }

  const begin = (tenant: string, from: string, to: string): ReleaseComparison | null => {
    const key = keyOf(from, to)
    const running: ReleaseComparison = { state: "running", startedAtMs: clock.currentTimeMillisUnsafe() }
    const isAdded = line.add({
      tenant,
      begin: (done) =>
        void start(from, to)
          .then((comparison) => remember(key, comparison))
          .finally(done)
    })
    return isAdded ? remember(key, running) : null
  }

  return {
    compared: (from: string, to: string) => Effect.sync(() => known.get(keyOf(from, to)) ?? null),
    compare: (tenant: string, from: string, to: string) =>
      Effect.sync(() => {
        const found = known.get(keyOf(from, to))
        if (found !== undefined && found.state !== "failed") return found
        return begin(tenant, from, to)
      })
  }
}
