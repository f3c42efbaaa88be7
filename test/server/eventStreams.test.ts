/** How streams of events end: a listener that does not read is disconnected with a reason, and so is every listener at a stop. */

import { expect, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Seals, sealUnsealed } from "../../src/evidence/Seals.ts"
import { eventSlowMs } from "../../src/limits.ts"
import { EventStreams } from "../../src/server/EventStreams.ts"
import type { SealedItem } from "../../src/storage/assessments/SealedItems.ts"
import { ask, fullService, newKey, newOrganization } from "../support/fullService.ts"

/** How far the clock of the streams is ahead: no test waits for a listener to be slow. */
let aheadMs = 0
const aheadClock = Layer.effect(
  Clock.Clock,
  Effect.map(Clock.Clock, (real): Clock.Clock =>
    Object.assign(Object.create(real), {
      monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe() + BigInt(aheadMs) * 1_000_000n
    })
  )
)
const service = Layer.merge(
  Seals.layer,
  Layer.fresh(EventStreams.layer).pipe(Layer.provide(aheadClock))
).pipe(Layer.provideMerge(fullService()))

const events = 5
/** Full with some of the events, but not with all. */
const bufferBytes = 2_000

const stage = Effect.gen(function* () {
  const owner = yield* newOrganization("deaf")
  const key = yield* newKey(owner)
  for (let n = 0; n < events; n++) {
    const answer = yield* ask(key, "/actions/assess", { action_type: `a${n}.read`, environment: "staging" })
    expect(answer.status).toBe(200)
  }
  yield* sealUnsealed("test")
  return {
    caller: {
      organizationId: owner.id,
      organization: owner.slug,
      mode: "test",
      keyId: owner.id,
      keyName: null,
      scopes: ["read"],
      environments: null,
      policySet: owner.policySet
    } as const,
    streams: yield* EventStreams
  }
})

type Stage = Effect.Success<typeof stage>

/** The events of a stream until it ends. With `isDeaf` its socket delivers nothing before that, as for a client that does not read. */
const toldUntilEnd = Effect.fnUntraced(function* (
  { caller, streams }: Stage,
  after: number,
  isDeaf: boolean,
  isClosing: () => boolean
) {
  const run = Effect.runPromiseWith(yield* Effect.context())
  const server = createServer({ highWaterMark: bufferBytes }, async (_request, response) => {
    const isValid = Effect.succeed(true)
    const wanted = { response, caller, after, isValid, dataOf: ({ itemJson }: SealedItem) => itemJson }
    const { stream } = await run(streams.open(wanted))
    response.writeHead(200)
    if (isDeaf) response.socket?.cork()
    stream?.(response, isClosing)
  }).listen(0)
  const { port } = server.address() as AddressInfo
  const text = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/`).then((got) => got.text()))
  server.close()
  return {
    ids: [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)),
    end: JSON.parse(/^event: end\ndata: (.*)$/m.exec(text)?.[1] ?? "null")
  }
})

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("a stream of events", (it) => {
  it.effect(
    "holds little for a listener that does not read, tells it so at the end, and goes on from there",
    () =>
      Effect.gen(function* () {
        const made = yield* stage
        // The clock runs ahead from the fourth look on, when the buffer has long been full.
        let looks = 0
        const deaf = yield* toldUntilEnd(made, 0, true, () => {
          if (++looks === 4) aheadMs += eventSlowMs
          return false
        })
        const got = deaf.ids.length
        expect([got > 0, got < events]).toEqual([true, true])
        expect(deaf.ids).toEqual(Array.from({ length: got }, (_, n) => n + 1))
        expect(deaf.end).toEqual({ reason: "slow", last_event_id: String(got) })

        const until = looks + 4
        const rest = yield* toldUntilEnd(made, got, false, () => ++looks > until)
        expect(rest.ids).toEqual(Array.from({ length: events - got }, (_, n) => got + n + 1))
        expect(rest.end).toEqual({ reason: "stopping", last_event_id: String(events) })
      })
  )
})
