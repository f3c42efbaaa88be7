/** Names that lead inside, directly or on a second look-up: nothing outside the public internet gets a connection or any data. */

import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { connect, Socket } from "node:net"
import { webhookConnectMs } from "../../../src/limits.ts"
import type { Network } from "../../../src/webhooks/egress/openConnection.ts"
import { postOver } from "../../../src/webhooks/egress/post.ts"
import { receiver } from "./receiver.ts"

const request = { url: "https://hooks.example.com/risk", headers: {}, body: "{}", allowInsecure: null }

/** Every look-up of the name gets the next of `answers`, and every connection, whatever its destination, ends at
 * this machine's `port`.
 */
const leadingTo = (port: number, ...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  const asked: Array<string> = []
  const opened: Array<string> = []
  const network: Network = {
    resolve: (name) => Effect.sync(() => answers[Math.min(asked.push(name), answers.length) - 1] ?? []),
    open: (address) => {
      opened.push(address)
      return connect(port, "127.0.0.1")
    },
    roots: undefined
  }
  return { asked, opened, post: postOver(network) }
}

const insideAddresses = [
  "127.0.0.1",
  "127.0.0.53",
  "::1",
  "::",
  "0.0.0.0",
  "10.0.0.1",
  "172.17.0.1",
  "192.168.1.1",
  "100.100.100.200",
  "169.254.169.254",
  "192.0.2.1",
  "224.0.0.251",
  "255.255.255.255",
  "::ffff:127.0.0.1",
  "::ffff:10.0.0.1",
  "::127.0.0.1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::1",
  "2001:0:7f00:1::1",
  "fe80::1",
  "fe80::1%lo",
  "fd00:ec2::254",
  "fec0::1",
  "ff02::1",
  "2001:db8::1",
  "not an address"
]

describe("a name", () => {
  it.effect.each(insideAddresses)("that leads to %s is not connected to", (address) =>
    Effect.gen(function* () {
      const { connections, port } = yield* receiver()
      const { opened, post } = leadingTo(port, [address])
      const refused = yield* Effect.flip(post(request))
      expect(refused.reason).toBe("address_refused")
      expect([connections(), opened]).toEqual([0, []])
    })
  )

  it.effect("that leads to nothing has no connection made for it", () =>
    Effect.gen(function* () {
      const { connections, port } = yield* receiver()
      const refused = yield* Effect.flip(leadingTo(port, []).post(request))
      expect(refused.reason).toBe("unresolved")
      expect(connections()).toBe(0)
    })
  )

  it.effect(
    "is connected to only at its addresses on the internet, in their order, when it has others too",
    () =>
      Effect.gen(function* () {
        const { opened, post } = leadingTo(1, [
          "127.0.0.1",
          "8.8.8.8",
          "10.0.0.1",
          "64:ff9b::808:808",
          "2606:4700:4700::1111"
        ])
        const failed = yield* Effect.flip(post(request))
        expect(failed.reason).toBe("connect")
        expect(opened).toEqual(["8.8.8.8", "2606:4700:4700::1111"])
      })
  )

  it.effect(
    "that changes to this machine after its look-up is resolved once, and connected to as resolved",
    () =>
      Effect.gen(function* () {
        const { asked, opened, post } = leadingTo(1, ["8.8.8.8"], ["127.0.0.1"], ["::1"])
        const failed = yield* Effect.flip(post(request))
        expect(failed.reason).toBe("connect")
        expect([asked, opened]).toEqual([["hooks.example.com"], ["8.8.8.8"]])
        // The next attempt asks again, and refuses the answer.
        const refused = yield* Effect.flip(post(request))
        expect(refused.reason).toBe("address_refused")
        expect(opened).toEqual(["8.8.8.8"])
      })
  )

  it.effect("whose connection still ends at this machine gets no data, not even a TLS greeting", () =>
    Effect.gen(function* () {
      const { bytes, connected, connections, port, released } = yield* receiver()
      const { opened, post } = leadingTo(port, ["8.8.8.8"])
      const refused = yield* Effect.flip(post(request))
      expect(refused.reason).toBe("address_refused")
      yield* Effect.promise(() => connected)
      yield* Effect.promise(released)
      expect([opened, connections(), bytes()]).toEqual([["8.8.8.8"], 1, 0])
    })
  )

  it.effect("that no server of names ever answers for is waited for no longer than a connection", () =>
    Effect.gen(function* () {
      const post = postOver({
        resolve: () => Effect.never,
        open: () => expect.unreachable("nothing to connect to"),
        roots: undefined
      })
      const failed = yield* Effect.forkChild(Effect.flip(post(request)))
      yield* TestClock.adjust(webhookConnectMs)
      expect((yield* Fiber.join(failed)).reason).toBe("timeout")
    })
  )

  it.effect(
    "with addresses that never answer is given up in the time of one connection, and lets go of all",
    () =>
      Effect.gen(function* () {
        const sockets: Array<Socket> = []
        const post = postOver({
          resolve: () => Effect.succeed(Array.from({ length: 8 }, (_, i) => `8.8.8.${i}`)),
          // A socket that is never connected.
          open: () => {
            const socket = new Socket()
            sockets.push(socket)
            return socket
          },
          roots: undefined
        })
        const failed = yield* Effect.forkChild(Effect.flip(post(request)))
        yield* TestClock.adjust(webhookConnectMs)
        expect((yield* Fiber.join(failed)).reason).toBe("timeout")
        expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true, true])
      })
  )

  it.effect("of this machine is looked up nowhere, and leads only to its own addresses", () =>
    Effect.gen(function* () {
      const { asked, opened, post } = leadingTo(1, ["8.8.8.8"])
      const failed = yield* Effect.flip(
        post({ ...request, url: "http://localhost:4000/", allowInsecure: "loopback" })
      )
      expect(failed.reason).toBe("connect")
      expect([asked, opened]).toEqual([[], ["127.0.0.1", "::1"]])
    })
  )

  it.effect("that is not this machine's does not lead to it where this machine is permitted", () =>
    Effect.gen(function* () {
      const { connections, port } = yield* receiver()
      const { post } = leadingTo(port, ["127.0.0.1"])
      const refused = yield* Effect.flip(post({ ...request, allowInsecure: "loopback" }))
      expect(refused.reason).toBe("address_refused")
      expect(connections()).toBe(0)
    })
  )
})
