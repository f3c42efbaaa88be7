/** One address cannot take all connections: how many each may have, directly and behind a trusted proxy. */

import { Effect, Layer } from "effect"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { afterAll, describe, expect, it, vi } from "vitest"
import { HeldPerAddressMax } from "../../src/server/Clients.ts"
import { assess, json, key, valid } from "../hostile/cases/Case.ts"
import { assessExample, testServer } from "../support/TestServer.ts"
import { expectRefusal } from "../support/expectRefusal.ts"
import { request, sendRaw } from "../support/rawHttp.ts"
import { runServer } from "../support/runServer.ts"

const few = Layer.succeed(HeldPerAddressMax, 3)
const open: Array<Socket> = []
/** To run after a server has started, because stopping it would wait for open connections. */
const closeAll = () => afterAll(() => open.forEach((socket) => socket.destroy()))

/** Begins a request and never ends its head. */
const slow = async (port: number, localAddress: string): Promise<Socket> => {
  const socket = connect({ port, host: "127.0.0.1", localAddress })
  socket.on("error", () => undefined)
  open.push(socket)
  await once(socket, "connect")
  socket.write(`POST ${assess} HTTP/1.1\r\nHost: x\r\n`)
  return socket
}

// Linux answers at every address of 127.0.0.0/8; macOS only at the first.
describe.runIf(process.platform === "linux")("connections of one address", () => {
  const { port } = runServer(testServer().pipe(Layer.provide(few)))
  closeAll()
  const posting = request({ path: assess, headers: [key, json, "Connection: close"], body: valid })

  it("are closed at once beyond their number, while others are served, and open again when one ends", async () => {
    const [first] = await Promise.all([1, 2, 3].map(() => slow(port(), "127.0.0.2")))
    const refused = await slow(port(), "127.0.0.2")
    await vi.waitFor(() => expect(refused.closed).toBe(true))
    expect((await sendRaw(port(), posting))[0]?.status).toBe(200)
    first?.destroy()
    await vi.waitFor(async () => {
      const again = await slow(port(), "127.0.0.2")
      again.write(`${key}\r\n${json}\r\nConnection: close\r\nContent-Length: ${valid.length}\r\n\r\n${valid}`)
      const [answer] = await once(again, "data", { signal: AbortSignal.timeout(1_000) })
      expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /)
    })
  })
})

describe("requests of one address behind a trusted proxy", () => {
  const work = { stays: true, begun: 0 }
  const server = testServer({
    settings: { trustedProxies: ["127.0.0.0/8"] },
    assess: (call) =>
      Effect.suspend(() => {
        work.begun++
        return work.stays ? Effect.never : assessExample(call)
      })
  })
  const { port } = runServer(server.pipe(Layer.provide(few)))
  closeAll()
  const posting = (address: string) =>
    request({ path: assess, headers: [key, json, `X-Forwarded-For: ${address}`], body: valid })

  it("are refused beyond their number, while those of others are served on the proxy's connections", async () => {
    const holding = Array.from({ length: 3 }, () => {
      const socket = connect(port(), "127.0.0.1")
      open.push(socket)
      socket.write(posting("192.0.2.1"))
      return socket
    })
    await vi.waitFor(() => expect(work.begun).toBe(3))
    work.stays = false
    const [refused] = await sendRaw(port(), posting("192.0.2.1"))
    expectRefusal(refused, { code: "ASSESSMENT_UNAVAILABLE", opinion: "none" })
    expect(refused?.headers["retry-after"]).toBe("1")
    for (const address of ["192.0.2.2", "192.0.2.2", "192.0.2.3"])
      expect((await sendRaw(port(), posting(address)))[0]?.status).toBe(200)
    for (const socket of holding) socket.destroy()
    await vi.waitFor(async () => expect((await sendRaw(port(), posting("192.0.2.1")))[0]?.status).toBe(200))
  })
})
