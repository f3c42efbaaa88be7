/** DNS look-ups in bounded time, with every possible answer of a name server. */

import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { createSocket } from "node:dgram"
import { Resolver } from "node:dns/promises"
import { once } from "node:events"
import { webhookAddressesMax, webhookConnectMs } from "../../../src/limits.ts"
import { resolveWith } from "../../../src/webhooks/egress/openConnection.ts"

/** The addresses of a name, as the data of records of type A (4 bytes) and AAAA (16 bytes); null is never answered. */
type Zone = Readonly<Record<string, ReadonlyArray<ReadonlyArray<number>> | null>>

const typeOf = { 4: 1, 16: 28 } as const
const pointerToQuestion = [0xc0, 12]
const u16 = (value: number) => [value >> 8, value & 0xff]

interface Manners {
  /** The record type whose queries stay unanswered. */
  readonly silentOn?: keyof typeof typeOf
  readonly patienceMs?: number
}

/** A name server (RFC 1035) for `zone`; all other names do not exist. Closes with the scope. */
const nameServer = (zone: Zone, { patienceMs = 100, silentOn }: Manners = {}) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const server = createSocket("udp4", (query, { address, port }) => {
      const labels: Array<string> = []
      let at = 12
      for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
        labels.push(query.subarray(at + 1, at + 1 + size).toString("latin1"))
        at += size + 1
      }
      const type = query.readUInt16BE(at + 1)
      const name = labels.join(".").toLowerCase()
      asked.push(name)
      const data = zone[name]
      if (data === null || (silentOn !== undefined && typeOf[silentOn] === type)) return
      const records = (data ?? [])
        .filter((bytes) => typeOf[bytes.length as 4 | 16] === type)
        .map((bytes) =>
          Buffer.from([...pointerToQuestion, ...u16(type), 0, 1, 0, 0, 0, 0, ...u16(bytes.length), ...bytes])
        )
      const head = Buffer.from([
        ...query.subarray(0, 2),
        0x81,
        data === undefined ? 0x83 : 0x80,
        ...u16(1),
        ...u16(records.length),
        ...u16(0),
        ...u16(0)
      ])
      server.send(Buffer.concat([head, query.subarray(12, at + 5), ...records]), port, address)
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => once(server.bind(0, "127.0.0.1"), "listening")),
      () => Effect.sync(() => server.close())
    )
    const resolve = resolveWith(() => {
      const resolver = new Resolver({ timeout: patienceMs, tries: 1 })
      resolver.setServers([`127.0.0.1:${server.address().port}`])
      return resolver
    })
    return { asked, resolve }
  })

const ipv6 = (last: number) => [0x26, 0x06, ...Array.from({ length: 13 }, () => 0), last]

describe("a name", () => {
  it.effect("has its addresses of both kinds, IPv4 first", () =>
    Effect.gen(function* () {
      const { resolve } = yield* nameServer({ "both.example.com": [ipv6(7), [8, 8, 8, 8], [127, 0, 0, 1]] })
      expect(yield* resolve("both.example.com")).toEqual(["8.8.8.8", "127.0.0.1", "2606::7"])
    })
  )

  it.effect("of one kind has those", () =>
    Effect.gen(function* () {
      const { resolve } = yield* nameServer({
        "four.example.com": [[8, 8, 8, 8]],
        "six.example.com": [ipv6(1)]
      })
      expect(yield* resolve("four.example.com")).toEqual(["8.8.8.8"])
      expect(yield* resolve("six.example.com")).toEqual(["2606::1"])
    })
  )

  it.effect("that does not exist, or has no address, has none", () =>
    Effect.gen(function* () {
      const { resolve } = yield* nameServer({ "empty.example.com": [] })
      expect(yield* resolve("missing.example.com")).toEqual([])
      expect(yield* resolve("empty.example.com")).toEqual([])
    })
  )

  it.effect("with a great many addresses is looked at no further than the limit", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 25 }, (_, i) => [8, 8, 8, i])
      const { resolve } = yield* nameServer({ "many.example.com": many })
      expect(yield* resolve("many.example.com")).toHaveLength(webhookAddressesMax)
    })
  )

  it.effect("whose server is silent has no address, after the resolver's time", () =>
    Effect.gen(function* () {
      const { asked, resolve } = yield* nameServer({ "silent.example.com": null })
      expect(yield* resolve("silent.example.com")).toEqual([])
      expect(asked).toContain("silent.example.com")
    })
  )

  for (const [silentOn, addresses] of [
    [16, ["8.8.8.8"]],
    [4, ["2606::7"]]
  ] as const)
    it.live(
      `has those of one kind although its server never answers for type ${typeOf[silentOn]}, soon`,
      () =>
        Effect.gen(function* () {
          const zone = { "half.example.com": [[8, 8, 8, 8], ipv6(7)] }
          const { resolve } = yield* nameServer(zone, { silentOn, patienceMs: webhookConnectMs })
          const beganMs = performance.now()
          expect(yield* resolve("half.example.com")).toEqual(addresses)
          expect(performance.now() - beganMs).toBeLessThan(webhookConnectMs / 2)
        })
    )

  it.effect("is not searched for in the machine's own domains or its file of hosts", () =>
    Effect.gen(function* () {
      const { asked, resolve } = yield* nameServer({})
      expect(yield* resolve("hooks.example.com")).toEqual([])
      expect(yield* resolve("localhost.example.com")).toEqual([])
      expect([...new Set(asked)]).toEqual(["hooks.example.com", "localhost.example.com"])
    })
  )

  it.effect("that no caller waits for any longer is not queried any longer", () =>
    Effect.gen(function* () {
      let cancelled = 0
      const resolve = resolveWith(() => {
        const resolver = new Resolver({ timeout: 100, tries: 1 })
        resolver.setServers(["127.0.0.1:9"])
        const cancel = resolver.cancel.bind(resolver)
        resolver.cancel = () => {
          cancelled++
          cancel()
        }
        return resolver
      })
      const asking = yield* Effect.forkChild(resolve("hooks.example.com"), { startImmediately: true })
      yield* Fiber.interrupt(asking)
      expect(cancelled).toBe(1)
    })
  )
})
