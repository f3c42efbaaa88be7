/** Actions with so much text that reading them takes long, next to another caller's short one. */

import { expect, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Result } from "effect"
import { Assess } from "../../src/assessment/Assess.ts"
import { Scorer } from "../../src/assessment/Scorer.ts"
import { longReadsMax, shortTextMax } from "../../src/limits.ts"
import { assessCall, caller } from "../support/assessCall.ts"
import { plainScorer } from "../support/plainScorer.ts"
import { useCase } from "../support/useCase.ts"

const order: Array<string> = []

const busy = (ms: number): void => {
  const untilMs = performance.now() + ms
  while (performance.now() < untilMs);
}

/** Every long action takes as long to read as 64 KB of the slowest text. */
const scorer = Layer.effect(
  Scorer,
  Effect.map(Scorer, (plain) => ({
    ...plain,
    historyRecord: (...[action, policySet, atMs]: Parameters<typeof plain.historyRecord>) => {
      if (plain.isLong(action)) {
        order.push("long")
        busy(20)
      }
      return plain.historyRecord(action, policySet, atMs)
    }
  }))
).pipe(Layer.provide(plainScorer()))

const flood = caller({ organization: "flood" })
const longCall = () =>
  assessCall({ caller: flood, action: { metadata: { command: "x".repeat(shortTextMax) } } })

layer(useCase(scorer), { excludeTestServices: true })("long actions", (it) => {
  it.effect("a short action of another organization waits for one of them at a time, not for all", () =>
    Effect.gen(function* () {
      const { assess } = yield* Assess
      yield* assess(assessCall())
      const many = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: longReadsMax }, () => Effect.result(assess(longCall()))),
          { concurrency: "unbounded" }
        ),
        { startImmediately: true }
      )
      yield* assess(assessCall())
      expect(order.length).toBeLessThan(longReadsMax / 2)
      const answers = yield* Fiber.join(many)
      expect(answers.every(Result.isSuccess)).toBe(true)
      expect(order).toHaveLength(longReadsMax)
    })
  )

  it.effect("those beyond the limit must retry, and none of them is in progress", () =>
    Effect.gen(function* () {
      const { assess } = yield* Assess
      const answers = yield* Effect.all(
        Array.from({ length: longReadsMax + 3 }, () => Effect.result(assess(longCall()))),
        { concurrency: "unbounded" }
      )
      const refused = answers.filter(Result.isFailure).map(({ failure }) => failure)
      // The first one was read at once.
      expect(refused).toHaveLength(2)
      expect(refused[0]).toMatchObject({ _tag: "AssessmentUnavailable", retryAfterSeconds: 1 })
      expect(Result.isSuccess(yield* Effect.result(assess(longCall())))).toBe(true)
    })
  )
})
