/** A share of the process's time for long work. */

import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { makeTimeShare } from "../src/evenShare.ts"

const shares = { placesMax: 64, rests: 3, refuse: () => "refused" }

/** Time of this thread, because the machine may be busy with others meanwhile. */
const cpuMs = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1_000
}

const busy = (ms: number): number => {
  const startMs = cpuMs()
  while (cpuMs() - startMs < ms);
  return cpuMs() - startMs
}

/** Steps that record their owner. */
function* steps(count: number, onStep: () => void): Generator<void, string> {
  for (let n = 1; n < count; n++) {
    onStep()
    yield
  }
  onStep()
  return "answered"
}

it.live("however many ask at once, their steps leave most of the time to the other work of the process", () =>
  Effect.gen(function* () {
    const { inTurn } = makeTimeShare(shares)
    let workedMs = 0
    const startMs = performance.now()
    const ask = () =>
      inTurn(
        "acme",
        steps(1, () => void (workedMs += busy(3)))
      )
    yield* Effect.all(Array.from({ length: 20 }, ask), { concurrency: "unbounded" })
    // The last one is alone, so it no longer pauses.
    expect(performance.now() - startMs).toBeGreaterThan((workedMs * shares.rests * 19) / 20)
  })
)

it.live("a single one is answered without a pause", () =>
  Effect.gen(function* () {
    const { inTurn } = makeTimeShare(shares)
    let timers = 0
    const timer = setInterval(() => timers++, 1)
    expect(
      yield* inTurn(
        "acme",
        steps(50, () => undefined)
      )
    ).toBe("answered")
    clearInterval(timer)
    expect(timers).toBeLessThan(40)
  })
)

it.live("an organization with many questions takes turns with one that has a single one", () =>
  Effect.gen(function* () {
    const { inTurn } = makeTimeShare(shares)
    const order: Array<string> = []
    const ask = (tenant: string, count: number) =>
      inTurn(
        tenant,
        steps(count, () => void order.push(tenant))
      )
    const many = yield* Effect.forkChild(
      Effect.all(
        Array.from({ length: 20 }, () => ask("flood", 3)),
        { concurrency: "unbounded" }
      ),
      { startImmediately: true }
    )
    expect(yield* ask("neighbour", 3)).toBe("answered")
    expect(order.filter((tenant) => tenant === "flood").length).toBeLessThan(6)
    expect(yield* Fiber.join(many)).toEqual(Array.from({ length: 20 }, () => "answered"))
  })
)

it.live("a caller that holds all places must retry, and a newcomer is still served", () =>
  Effect.gen(function* () {
    const { inTurn } = makeTimeShare(shares)
    const ask = (tenant: string) =>
      Effect.result(
        inTurn(
          tenant,
          steps(2, () => undefined)
        )
      )
    const all = yield* Effect.forkChild(
      Effect.all(
        Array.from({ length: shares.placesMax + 2 }, () => ask("flood")),
        { concurrency: "unbounded" }
      ),
      { startImmediately: true }
    )
    expect(Result.isSuccess(yield* ask("neighbour"))).toBe(true)
    const refused = (yield* Fiber.join(all)).filter(Result.isFailure).map(({ failure }) => failure)
    expect(refused).toEqual(["refused", "refused"])
    expect(Result.isSuccess(yield* ask("flood"))).toBe(true)
  })
)

it.live(
  "a caller that leaves takes no more steps and frees its place, and a step that throws fails only its own request",
  () =>
    Effect.gen(function* () {
      const { inTurn } = makeTimeShare(shares)
      let taken = 0
      const gone = yield* Effect.forkChild(
        inTurn(
          "acme",
          steps(1_000_000, () => void taken++)
        ),
        {
          startImmediately: true
        }
      )
      yield* Fiber.interrupt(gone)
      const then = taken
      const broken = steps(1, () => {
        throw new Error("broken")
      })
      expect((yield* Effect.exit(inTurn("acme", broken)))._tag).toBe("Failure")
      expect(
        yield* inTurn(
          "acme",
          steps(2, () => undefined)
        )
      ).toBe("answered")
      expect(taken).toBe(then)
    })
)
