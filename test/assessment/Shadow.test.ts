import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, References } from "effect"
import { Assess } from "../../src/assessment/Assess.ts"
import { type PreparedShadowRelease, Shadow, ShadowRelease } from "../../src/assessment/Shadow.ts"
import { compareShadows } from "../../src/assessment/compareShadows.ts"
import type { Action } from "../../src/domain/Action.ts"
import type { Caller } from "../../src/domain/Caller.ts"
import { shadowScoringMsMax, shadowTurnMs, shadowWaitingMax } from "../../src/limits.ts"
import type { ScoreSummary } from "../../src/scoring/Edition.ts"
import { ShadowOpinions } from "../../src/storage/ShadowOpinions.ts"
import { ModeSql, ResourceSql } from "../../src/storage/sql/Sql.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { assessCall, caller } from "../support/assessCall.ts"
import { plainScorer } from "../support/plainScorer.ts"

const gist = (score: number): ScoreSummary => ({
  complete: true,
  score,
  level: "moderate",
  category: "data",
  class: "write",
  factors: [{ code: "AGENT_UNIDENTIFIED", category: "identity", severity: "high" }],
  control: "HUMAN_CONFIRMATION_RECOMMENDED"
})

const releaseThat = (score: PreparedShadowRelease["score"]): PreparedShadowRelease => ({
  version: "2.0.0",
  digest: "ef".repeat(32),
  score
})

/** Asks what is to be asked; the shadow has then ended as at a stop of the service. */
const served = <A, E>(
  release: PreparedShadowRelease,
  ask: (assess: (asker: Caller, action?: Partial<Action>) => Effect.Effect<void>) => Effect.Effect<A, E>
) =>
  Effect.flatMap(Assess, ({ assess }) =>
    ask((asker, action = {}) => Effect.orDie(Effect.asVoid(assess(assessCall({ caller: asker, action })))))
  ).pipe(
    Effect.provide(
      Assess.layer.pipe(
        Layer.provide(Shadow.layer),
        Layer.provide([plainScorer(), Layer.succeed(ShadowRelease, release)])
      )
    ),
    Effect.scoped
  )

const compared = (asker: Caller) =>
  compareShadows({ owners: [asker], since: null, onProgress: () => {} }).pipe(
    Effect.provide(ShadowOpinions.layer)
  )

const run = <A, E>(effect: Effect.Effect<A, E, ModeSql | ResourceSql>) =>
  effect.pipe(Effect.provide(TestDatabase.layer), Effect.provideService(References.MinimumLogLevel, "None"))

describe("the shadow release", () => {
  it.live("scores the same action with the same snapshot, and is compared with the served opinion", () =>
    run(
      Effect.gen(function* () {
        const asker = caller()
        const seen: Array<readonly [string, string, string]> = []
        const release = releaseThat((action, behavior, policySet) => {
          seen.push([action.actionType, behavior === "unavailable" ? behavior : "read", policySet])
          return gist(action.actionType === "a.raise" ? 45 : 12)
        })
        yield* served(release, (assess) =>
          Effect.all([assess(asker, { actionType: "a.raise" }), assess(asker, { actionType: "b.keep" })])
        )
        expect(seen).toStrictEqual([
          ["a.raise", "read", "starter"],
          ["b.keep", "read", "starter"]
        ])
        const { releases, withoutShadow } = yield* compared(asker)
        expect(withoutShadow).toBe(0)
        expect(releases).toHaveLength(1)
        expect(releases[0]).toMatchObject({ version: "2.0.0", digest: "ef".repeat(32) })
        expect(releases[0]?.movement).toMatchObject({
          from: "served",
          to: "2.0.0+efefefef",
          counts: { records: 2, rises: 2, raised: 1, unchanged: 1 },
          movers: [
            {
              request: { action_type: "a.raise" },
              from: { score: 12, level: "low" },
              to: { score: 45, level: "moderate" },
              factors: [{ code: "AGENT_UNIDENTIFIED", from: "low", to: "high" }]
            },
            { request: { action_type: "b.keep" } }
          ]
        })
      })
    )
  )

  it.live("does not change an answer when it fails, is slow, or cannot be stored", () =>
    run(
      Effect.gen(function* () {
        const asker = caller()
        const failing = releaseThat(({ actionType }) => {
          if (actionType === "a.throw") throw new Error("no such luck")
          if (actionType === "b.slow") {
            const until = performance.now() + shadowScoringMsMax + 5
            while (performance.now() < until);
          }
          // More than a score may be: the table refuses the row.
          return gist(actionType === "c.refused" ? 1_000 : 12)
        })
        yield* served(failing, (assess) => assess(asker, { actionType: "d.fine" }))
        for (const actionType of ["a.throw", "b.slow", "c.refused"]) {
          yield* served(failing, (assess) => assess(asker, { actionType }))
        }
        const { releases, withoutShadow } = yield* compared(asker)
        expect(releases[0]?.movement.counts.records).toBe(1)
        expect(withoutShadow).toBe(3)
      })
    )
  )

  it.live("gives other work a turn after each score that takes long, also within a batch", () =>
    run(
      Effect.gen(function* () {
        const asker = caller()
        let turn = 0
        const counting = setInterval(() => turn++, 0)
        const turns: Array<number> = []
        const slow = releaseThat(() => {
          turns.push(turn)
          const until = performance.now() + 3 * shadowTurnMs
          while (performance.now() < until);
          return gist(12)
        })
        const many = Array.from({ length: 12 }, (_, i) => ({ actionType: `a.n${i}` }))
        yield* served(slow, (assess) =>
          Effect.forEach(many, (action) => assess(asker, action), { concurrency: "unbounded" })
        )
        clearInterval(counting)
        expect(new Set(turns).size).toBe(many.length)
      })
    )
  )

  it.live("never queues more than its limit", () =>
    run(
      Effect.gen(function* () {
        const asker = caller()
        let scored = 0
        const counting = releaseThat(() => {
          scored++
          return gist(12)
        })
        const follow = Effect.gen(function* () {
          const shadow = yield* Shadow
          const kept = {
            owner: asker,
            assessmentId: "01a2a203-aeaa-7000-8c57-22501b8dd7f0",
            action: { actionType: "a.b", environment: "staging" },
            behavior: "unavailable",
            policySet: "none"
          } as const
          for (let i = 0; i < 3 * shadowWaitingMax; i++) shadow.enqueue(kept)
        })
        yield* follow.pipe(
          Effect.provide(Shadow.layer.pipe(Layer.provide(Layer.succeed(ShadowRelease, counting)))),
          Effect.scoped
        )
        expect(scored).toBeGreaterThan(0)
        expect(scored).toBeLessThanOrEqual(shadowWaitingMax + 1)
      })
    )
  )

  it.live("is off by default", () =>
    run(
      Effect.gen(function* () {
        const asker = caller()
        yield* Effect.flatMap(Assess, ({ assess }) => assess(assessCall({ caller: asker }))).pipe(
          Effect.provide(Assess.layer.pipe(Layer.provide(plainScorer()))),
          Effect.scoped
        )
        expect(yield* compared(asker)).toStrictEqual({ releases: [], withoutShadow: 0 })
      })
    )
  )

  it.live("is written once and never changes, in a table of its mode alone", () =>
    run(
      Effect.gen(function* () {
        const asker = caller()
        yield* served(
          releaseThat(() => gist(12)),
          (assess) => assess(asker)
        )
        const clients = yield* ModeSql
        const count = (mode: "live" | "test") =>
          Effect.map(
            clients.for(mode)<{ readonly count: bigint }>`SELECT count(*) AS count FROM shadow_opinions`,
            ([row]) => Number(row?.count)
          )
        expect([yield* count("test"), yield* count("live")]).toStrictEqual([1, 0])
        for (const statement of ["UPDATE shadow_opinions SET score = 99", "DELETE FROM shadow_opinions"]) {
          const exit = yield* Effect.exit(clients.for("test").unsafe(statement))
          expect(exit._tag).toBe("Failure")
        }
        const across = yield* Effect.exit(clients.for("live")`SELECT FROM test.shadow_opinions`)
        expect(across._tag).toBe("Failure")
      })
    )
  )
})
