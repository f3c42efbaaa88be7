/** The stream of events over HTTP, in the whole service: complete, in order, resumed without a gap, and ended with a reason. */

import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type IncomingMessage, request } from "node:http"
import { Seals, sealUnsealed } from "../../src/evidence/Seals.ts"
import { eventTenantStreamsMax } from "../../src/limits.ts"
import { ListeningServer } from "../../src/server/HttpServer.ts"
import { ApiKeys } from "../../src/storage/ApiKeys.ts"
import { fullService, newKey, newOrganization } from "../support/fullService.ts"

interface Told {
  readonly id: string
  readonly event: string
  readonly data: string
}

interface Stream {
  readonly status: number
  readonly events: Array<Told>
  readonly isOver: () => boolean
  readonly close: () => void
}

const readEvents = (answer: IncomingMessage, events: Array<Told>) => {
  let text = ""
  answer.setEncoding("utf8")
  answer.on("data", (chunk: string) => {
    text += chunk
    const blocks = text.split("\n\n")
    text = blocks.pop() ?? ""
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? ""
      if (field("event") !== "") events.push({ id: field("id"), event: field("event"), data: field("data") })
    }
  })
}

const listen = Effect.fnUntraced(function* (
  key: string,
  headers: Readonly<Record<string, string>> = {},
  query = ""
) {
  const { url } = yield* ListeningServer
  return yield* Effect.callback<Stream>((resume) => {
    const events: Array<Told> = []
    const sent = { authorization: `Bearer ${key}`, ...headers }
    const asking = request(`${url}/api/v1/events${query}`, { headers: sent }, (answer) => {
      readEvents(answer, events)
      let over = false
      answer.on("close", () => (over = true))
      resume(
        Effect.succeed({
          status: answer.statusCode ?? 0,
          events,
          isOver: () => over,
          close: () => asking.destroy()
        })
      )
    })
    asking.on("error", () => undefined)
    asking.end()
  })
})

const assess = Effect.fnUntraced(function* (key: string, actionType: string) {
  const { url } = yield* ListeningServer
  const body = JSON.stringify({ action_type: actionType, environment: "staging" })
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  yield* Effect.promise(async () => {
    const answer = await fetch(`${url}/api/v1/actions/assess`, { method: "POST", headers, body })
    expect(answer.status).toBe(200)
  })
})

const until = (condition: () => boolean) =>
  Effect.promise(() => expect.poll(condition, { timeout: 15_000 }).toBe(true))

const typesOf = ({ events }: Stream) =>
  events
    .filter(({ event }) => event === "assessment")
    .map(({ data }) => JSON.parse(data).assessment.action_type)

const service = Seals.layer.pipe(Layer.provideMerge(fullService()))

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("events over HTTP", (it) => {
  it.effect("report each assessment once, in the order of the chain, and go on after the last one", () =>
    Effect.gen(function* () {
      const key = yield* newKey(yield* newOrganization("told"))
      const stranger = yield* newKey(yield* newOrganization("untold"))
      const before = yield* listen(key)
      const other = yield* listen(stranger)
      expect(before.status).toBe(200)
      for (const name of ["a.read", "b.read", "c.read"]) yield* assess(key, name)
      yield* sealUnsealed("test")
      yield* until(() => before.events.length === 3)
      expect(typesOf(before)).toEqual(["a.read", "b.read", "c.read"])
      expect(before.events.map(({ id }) => id)).toEqual(["1", "2", "3"])
      before.close()
      yield* assess(key, "d.read")
      yield* sealUnsealed("test")
      const resumed = yield* listen(key, { "last-event-id": "2" })
      yield* until(() => resumed.events.length === 2)
      expect(typesOf(resumed)).toEqual(["c.read", "d.read"])
      expect(other.events).toEqual([])
      resumed.close()
      other.close()
    })
  )

  it.effect("end with the key, and say so", () =>
    Effect.gen(function* () {
      const owner = yield* newOrganization("revoked")
      const key = yield* newKey(owner)
      const stream = yield* listen(key)
      const keys = yield* ApiKeys
      const [listed] = yield* keys.list(owner)
      yield* keys.revoke(listed?.id ?? "")
      yield* until(stream.isOver)
      expect(stream.events).toMatchObject([{ event: "end", data: expect.stringContaining('"reason":"key"') }])
    })
  )

  it.effect("are as many as one organization may have, and a wrong id is told", () =>
    Effect.gen(function* () {
      const key = yield* newKey(yield* newOrganization("eager"))
      const wrong = yield* listen(key, { "last-event-id": "x" })
      expect(wrong.status).toBe(422)
      const streams: Array<Stream> = []
      for (let n = 0; n < eventTenantStreamsMax; n++) streams.push(yield* listen(key))
      expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
      const more = yield* listen(key)
      expect(more.status).toBe(429)
      const elsewhere = yield* listen(yield* newKey(yield* newOrganization("calm")))
      expect(elsewhere.status).toBe(200)
      for (const stream of [...streams, elsewhere]) stream.close()
    })
  )

  it.effect("are no more than that where all are opened at once, and a closed one makes room", () =>
    Effect.gen(function* () {
      const key = yield* newKey(yield* newOrganization("rush"))
      const asked = Array.from({ length: 3 * eventTenantStreamsMax }, () => listen(key))
      const streams = yield* Effect.all(asked, { concurrency: "unbounded" })
      const open = streams.filter(({ status }) => status === 200)
      expect(open.length).toBe(eventTenantStreamsMax)
      open[0]?.close()
      const again = Effect.gen(function* () {
        const stream = yield* listen(key)
        stream.close()
        return stream.status
      })
      let status = 0
      for (let n = 0; n < 50 && status !== 200; n++) status = yield* Effect.delay(again, 20)
      expect(status).toBe(200)
      for (const stream of open) stream.close()
    })
  )

  it.effect("refuse parameters, of which they have none", () =>
    Effect.gen(function* () {
      const key = yield* newKey(yield* newOrganization("asks"))
      for (const query of ["?after=-1", "?x=1"]) expect((yield* listen(key, {}, query)).status).toBe(422)
    })
  )
})
