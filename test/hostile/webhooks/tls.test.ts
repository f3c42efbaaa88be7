/** Receivers that are not the host in the URL learn nothing about a webhook, not even that there is one. */

import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { type AddressInfo, connect, type Socket } from "node:net"
import { createServer, type TlsOptions, type TLSSocket } from "node:tls"
import { webhookConnectMs } from "../../../src/limits.ts"
import { internet, type Network } from "../../../src/webhooks/egress/openConnection.ts"
import { postOver } from "../../../src/webhooks/egress/post.ts"
import { type Certificate, certificate } from "./certificate.ts"
import { receiver } from "./receiver.ts"

const root = certificate({ name: "test root", authority: true })
const strangeRoot = certificate({ name: "strange root", authority: true })
const longAgo = { from: new Date("2020-01-01"), until: new Date("2021-01-01") }
const farOff = { from: new Date("2090-01-01"), until: new Date("2091-01-01") }
const name = "hooks.example.com"
const address = "8.8.8.8"
const hosts = [name, address]
const good = certificate({ name: "good", hosts, issuer: root })

/** An internet with one machine, which the test simulates on `port`. */
const internetAt = (port: number): Network => ({
  resolve: () => Effect.succeed([address]),
  open: () => Object.defineProperty(connect(port, "127.0.0.1"), "remoteAddress", { value: address }),
  roots: root.pem
})

const to = (host: string, port: number) =>
  postOver(internetAt(port))({
    url: `https://${host}/hook`,
    headers: {},
    body: "secret",
    allowInsecure: null
  })

/** What Node's types do not know: the name of TLS's server name indication, false without one. */
const greetedAs = (socket: TLSSocket): unknown => Reflect.get(socket, "servername")

/** A receiver over TLS that answers 200; `heard` is what it could read, `greeted` the requested server names. */
const tlsReceiver = (
  chain: ReadonlyArray<Certificate>,
  options: TlsOptions = {}
): Effect.Effect<
  { readonly port: number; readonly heard: () => string; readonly greeted: ReadonlyArray<unknown> },
  never,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const sockets: Array<Socket> = []
    const greeted: Array<unknown> = []
    let heard = ""
    const server = createServer(
      {
        cert: chain.map(({ pem }) => pem).join(""),
        key: chain[0]?.key.export({ format: "pem", type: "pkcs8" }).toString(),
        ALPNProtocols: ["h2", "http/1.1"],
        ...options
      },
      (socket) => {
        greeted.push(greetedAs(socket))
        socket.on("error", () => undefined)
        socket.on("data", (chunk) => {
          heard += chunk.toString()
          socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        })
      }
    )
    server.on("connection", (socket: Socket) => {
      sockets.push(socket)
      socket.on("error", () => undefined)
    })
    server.on("tlsClientError", () => undefined)
    yield* Effect.acquireRelease(
      Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
      () =>
        Effect.sync(() => {
          server.close()
          for (const socket of sockets) socket.destroy()
        })
    )
    return { port: (server.address() as AddressInfo).port, heard: () => heard, greeted }
  })

const leaf = (options: Omit<Parameters<typeof certificate>[0], "name">) =>
  certificate({ name: "leaf", issuer: root, ...options })

const expiredAuthority = certificate({ name: "expired authority", authority: true, issuer: root, ...longAgo })

const impostors: ReadonlyArray<
  readonly [name: string, chain: ReadonlyArray<Certificate>, options?: TlsOptions]
> = [
  ["a certificate for another host", [leaf({ hosts: ["example.com"] })]],
  ["a certificate for a host below", [leaf({ hosts: [`a.${name}`, `*.${name}`] })]],
  [
    "a certificate whose name, but not its list of hosts, is the host",
    [certificate({ name, hosts: ["example.com"], issuer: root })]
  ],
  ["an expired certificate", [leaf({ hosts, ...longAgo })]],
  ["a certificate that is not valid yet", [leaf({ hosts, ...farOff })]],
  ["a certificate signed by itself", [leaf({ hosts, issuer: null })]],
  ["a certificate of an unknown authority", [leaf({ hosts, issuer: strangeRoot })]],
  [
    "a certificate of an unknown authority that it sends along",
    [leaf({ hosts, issuer: strangeRoot }), strangeRoot]
  ],
  ["a certificate signed with one that may not sign", [leaf({ hosts, issuer: good }), good]],
  ["a certificate of an expired authority", [leaf({ hosts, issuer: expiredAuthority }), expiredAuthority]],
  [
    "a certificate in the name of an authority, with another key",
    [leaf({ hosts, issuer: { ...root, key: strangeRoot.key } })]
  ],
  ["TLS 1.1 only", [good], { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" }],
  ["HTTP/2 only", [good], { ALPNProtocols: ["h2"] }]
]

describe("a receiver over TLS", () => {
  it.effect("with a certificate for its name is posted to, and greeted by that name", () =>
    Effect.gen(function* () {
      const { greeted, heard, port } = yield* tlsReceiver([good])
      expect((yield* to(name, port)).status).toBe(200)
      expect(greeted).toEqual([name])
      expect(heard()).toMatch(/^POST \/hook HTTP\/1\.1\r\nhost: hooks\.example\.com\r\n/)
    })
  )

  it.effect("with a certificate for its address is posted to, and greeted without a name", () =>
    Effect.gen(function* () {
      const { greeted, port } = yield* tlsReceiver([good])
      expect((yield* to(address, port)).status).toBe(200)
      expect(greeted).toEqual([false])
    })
  )

  it.effect.each(impostors)("with %s is told nothing", ([, chain, options]) =>
    Effect.gen(function* () {
      const { heard, port } = yield* tlsReceiver(chain, options)
      for (const host of hosts) {
        const refused = yield* Effect.flip(to(host, port))
        expect(refused.reason).toBe("tls")
      }
      expect(heard()).toBe("")
    })
  )

  it.effect(
    "with a certificate that Node's own roots do not know is told nothing, whatever the environment says",
    () =>
      Effect.gen(function* () {
        const { heard, port } = yield* tlsReceiver([good])
        const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"]
        process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0"
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"]
            else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before
          })
        )
        const refused = yield* Effect.flip(
          postOver({ ...internetAt(port), roots: internet.roots })({
            url: `https://${name}/`,
            headers: {},
            body: "secret",
            allowInsecure: null
          })
        )
        expect(refused.reason).toBe("tls")
        expect(heard()).toBe("")
      })
  )

  it.effect.each([
    ["speaks plain HTTP", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"],
    ["closes at the greeting", ""],
    ["answers with noise", "\u0016\u0003\u0003\u00ff\u00ff".repeat(20_000)]
  ] as const)("that %s is told nothing", ([, answer]) =>
    Effect.gen(function* () {
      const { port, released, text } = yield* receiver((socket) => void socket.end(answer, "latin1"), {
        early: true
      })
      const refused = yield* Effect.flip(to(name, port))
      expect(refused.reason).toBe("tls")
      yield* Effect.promise(released)
      expect(text()).not.toContain("POST")
    })
  )

  it.effect("with a certificate for its name is told nothing at its address, nor the other way round", () =>
    Effect.gen(function* () {
      const named = yield* tlsReceiver([leaf({ hosts: [name] })])
      const numbered = yield* tlsReceiver([leaf({ hosts: [address] })])
      expect((yield* Effect.flip(to(address, named.port))).reason).toBe("tls")
      expect((yield* Effect.flip(to(name, numbered.port))).reason).toBe("tls")
      expect(named.heard() + numbered.heard()).toBe("")
    })
  )

  it.effect("on this machine is told nothing either, where http to this machine is permitted", () =>
    Effect.gen(function* () {
      const local = certificate({ name: "local", hosts: ["localhost", "127.0.0.1"], issuer: root })
      const { greeted, heard, port } = yield* tlsReceiver([local])
      const post = postOver({ ...internet, roots: root.pem })
      for (const host of ["localhost", "127.0.0.1"]) {
        const request = { url: `https://${host}:${port}/hook`, headers: {}, body: "secret" }
        expect((yield* Effect.flip(post({ ...request, allowInsecure: "loopback" }))).reason).toBe(
          "url_refused"
        )
      }
      expect([greeted, heard()]).toEqual([[], ""])
    })
  )

  it.effect("that never answers the greeting is let go after the time for a connection", () =>
    Effect.gen(function* () {
      const { connected, port, released } = yield* receiver()
      const posting = yield* Effect.forkChild(Effect.flip(to(name, port)))
      yield* Effect.promise(() => connected)
      yield* TestClock.adjust(webhookConnectMs)
      expect((yield* Fiber.join(posting)).reason).toBe("timeout")
      yield* Effect.promise(released)
    })
  )
})
