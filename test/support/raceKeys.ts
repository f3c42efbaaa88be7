/** A separate process: assesses under all keys of a line, each several times at once, and prints the answers on one line. */

import { Effect, Layer, Redacted, References } from "effect"
import { createHash } from "node:crypto"
import { createInterface } from "node:readline"
import { Assess } from "../../src/assessment/Assess.ts"
import { Database } from "../../src/storage/Database.ts"
import { sqlLayer } from "../../src/storage/sql/Sql.ts"
import { assessCall, caller } from "./assessCall.ts"
import { plainScorer } from "./plainScorer.ts"

export interface RaceOrder {
  readonly url: string
  readonly organizationId: string
  readonly atOnce: number
}

export interface RaceAnswer {
  readonly key: string
  readonly requestId: string
  /** SHA-256 of the body. */
  readonly body: string
  readonly replayed: boolean
}

const order: RaceOrder = JSON.parse(process.argv[2] ?? "")

const services = Assess.layer.pipe(
  Layer.provide([
    plainScorer(),
    sqlLayer.pipe(
      Layer.provide(Layer.succeed(Database, { kind: "external", url: Redacted.make(order.url), logins: {} }))
    )
  ])
)

const assessOnce = Effect.fnUntraced(function* (idempotencyKey: string) {
  const asker = caller({ organizationId: order.organizationId })
  const call = assessCall({ caller: asker, idempotencyKey })
  const service = yield* Assess
  // An overloaded machine may answer 503; a caller would retry.
  const { body, replayed, requestId } = yield* Effect.retry(service.assess(call), { times: 10 })
  return {
    key: idempotencyKey,
    requestId,
    body: createHash("sha256").update(body).digest("hex"),
    replayed
  } satisfies RaceAnswer
})

const race = Effect.gen(function* () {
  yield* assessOnce("warm")
  process.stdout.write("ready\n")
  const lines = createInterface(process.stdin)[Symbol.asyncIterator]()
  while (true) {
    const { done, value: line } = yield* Effect.promise(() => lines.next())
    if (done === true) return
    const keys: ReadonlyArray<string> = JSON.parse(line)
    const answers = yield* Effect.all(
      keys.flatMap((key) => Array.from({ length: order.atOnce }, () => assessOnce(key))),
      { concurrency: "unbounded" }
    )
    process.stdout.write(`${JSON.stringify(answers)}\n`)
  }
})

// Logs go to standard output, where the answers go.
const quiet = Effect.provideService(References.MinimumLogLevel, "None")

await Effect.runPromise(race.pipe(Effect.provide(services), quiet))
