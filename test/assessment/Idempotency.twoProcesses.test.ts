import { expect, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { createInterface } from "node:readline"
import { Database } from "../../src/storage/Database.ts"
import { scaled } from "../support/depth.ts"
import type { RaceAnswer, RaceOrder } from "../support/raceKeys.ts"
import { rowsOf, useCase } from "../support/useCase.ts"

const keys = Array.from({ length: scaled(80, 1_000) }, (_, index) => `key-${index}`)
/** Keys that several requests compete for at the same time. */
const abreast = 25

const start = (order: RaceOrder) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const script = `${import.meta.dirname}/../support/raceKeys.ts`
      const child = spawn(process.execPath, [script, JSON.stringify(order)], {
        stdio: ["pipe", "pipe", "inherit"]
      })
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
      return {
        child,
        send: (line: string) => Effect.sync(() => child.stdin.write(`${line}\n`)),
        receive: Effect.map(
          Effect.promise(() => lines.next()),
          ({ value }) => String(value)
        )
      }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

layer(useCase(), { excludeTestServices: true })("two processes on one database", (it) => {
  it.effect(
    "every key has one assessment, and every request with it gets the same bytes",
    () =>
      Effect.gen(function* () {
        const organizationId = randomUUID()
        const order = { url: Redacted.value((yield* Database).url), organizationId, atOnce: 16 }
        const racers = yield* Effect.all([start(order), start(order)])
        for (const racer of racers) expect(yield* racer.receive).toBe("ready")

        for (let from = 0; from < keys.length; from += abreast) {
          const raced = keys.slice(from, from + abreast)
          for (const racer of racers) yield* racer.send(JSON.stringify(raced))
          const lines = yield* Effect.forEach(racers, ({ receive }) => receive)
          const told: ReadonlyArray<RaceAnswer> = lines.flatMap((line) => JSON.parse(line))
          for (const key of raced) {
            const answers = told.filter((answer) => answer.key === key)
            expect(answers.length).toBe(racers.length * order.atOnce)
            expect(new Set(answers.map(({ body, requestId }) => `${requestId} ${body}`)).size).toBe(1)
            // Zero if an overloaded machine answered the first request with 503 although it was stored: its retry is a replay.
            expect(answers.filter(({ replayed }) => !replayed).length).toBeLessThanOrEqual(1)
          }
        }
        const kept = keys.length + 1
        expect(yield* rowsOf(organizationId)).toMatchObject({ assessments: kept, idempotency_keys: kept })
      }).pipe(Effect.scoped),
    scaled(120_000, 600_000)
  )
})
