import { expect, layer } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg"
import { Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import type { Action } from "../../src/domain/Action.ts"
import { type ErasureSelection, selectErasable } from "../../src/evidence/Erasures.ts"
import { lockWaitMs } from "../../src/limits.ts"
import { Database } from "../../src/storage/Database.ts"
import { caller } from "../support/assessCall.ts"
import { eraser, sealAsOlder } from "../support/eraser.ts"
import { assess, useCase } from "../support/useCase.ts"

const everything: ErasureSelection = { before: null, agent: null, containing: null }

const actions: ReadonlyArray<Partial<Action>> = [
  { agentId: "agent 1", metadata: { customer: { email: "Jane@Example.com" } } },
  { agentId: "agent 10", context: { notes: ["for jane@example.com"] } },
  { agentId: "agent 1", actionDescription: "nothing about her", metadata: { customer: 4711 } },
  { agentId: "agent 2", metadata: { "jane@example.com": true } }
]

layer(eraser.pipe(Layer.provideMerge(useCase())))("a selection of assessments to erase", (it) => {
  it.effect("finds a text in any value of a request, an agent by its exact name, or both together", () =>
    Effect.gen(function* () {
      const asker = caller()
      const ids: Array<string> = []
      for (const action of actions) {
        const { body } = yield* assess({ caller: asker, action })
        ids.push(JSON.parse(Buffer.from(body).toString()).assessment_id)
      }
      yield* sealAsOlder
      const { body } = yield* assess({ caller: asker, action: { agentId: "agent 1" } })
      ids.push(JSON.parse(Buffer.from(body).toString()).assessment_id)

      const found = (selection: Partial<ErasureSelection>) =>
        Stream.runCollect(selectErasable(asker, { ...everything, ...selection })).pipe(
          Effect.map((selected) => selected.map(({ assessmentId }) => ids.indexOf(assessmentId)))
        )
      expect(yield* found({ containing: "JANE@example" })).toEqual([0, 1, 3])
      expect(yield* found({ containing: "4711" })).toEqual([2])
      // Every request contains one of this service's own names.
      expect(yield* found({ containing: "action_type" })).toEqual([])
      expect(yield* found({ agent: "agent 1" })).toEqual([0, 2, 4])
      expect(yield* found({ agent: "agent 1", containing: "jane" })).toEqual([0])
      expect(yield* found({ before: "2020-01-01T00:00:00Z" })).toEqual([])
      expect(yield* found({ before: "2100-01-01T00:00:00Z" })).toEqual([0, 1, 2, 3, 4])
      const all = yield* Stream.runCollect(selectErasable(asker, everything))
      expect(all.map(({ erasable }) => erasable)).toEqual([true, true, true, true, false])
    })
  )

  it.effect("is found although the table is held for longer than one statement may wait", () =>
    Effect.gen(function* () {
      const asker = caller()
      yield* assess({ caller: asker })
      const { url } = yield* Database
      const owner = yield* PgClient.makeClient({ url }).pipe(Effect.provide(Reactivity.layer))
      const isHeld = yield* Deferred.make<void>()
      const hold = owner.withTransaction(
        Effect.gen(function* () {
          yield* owner`LOCK TABLE test.assessments IN ACCESS EXCLUSIVE MODE`
          yield* Deferred.succeed(isHeld, undefined)
          yield* owner`SELECT pg_sleep(${(lockWaitMs + 500) / 1_000})`
        })
      )
      const holding = yield* Effect.forkScoped(hold)
      yield* Deferred.await(isHeld)
      const all = yield* Stream.runCollect(selectErasable(asker, everything))
      expect(all).toHaveLength(1)
      yield* Fiber.join(holding)
    }).pipe(Effect.scoped)
  )
})
