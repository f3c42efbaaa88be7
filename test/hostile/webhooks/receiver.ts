/** A receiver that treats connections as scripted, and counts what reaches it. */

import { Effect, type Scope } from "effect"
import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"

export interface Receiver {
  readonly port: number
  /** Connections, and the bytes that they carried. */
  readonly connections: () => number
  readonly bytes: () => number
  /** The bytes that came, as text. */
  readonly text: () => string
  /** Resolve once the first connection exists, and once no client has one any more. */
  readonly connected: Promise<unknown>
  readonly released: () => Promise<void>
}

/** `script` runs once the head of a request has arrived, or at once with `early`. Closes with the scope. */
export const receiver = (
  script: (socket: Socket) => void = () => undefined,
  { early = false } = {}
): Effect.Effect<Receiver, never, Scope.Scope> =>
  Effect.gen(function* () {
    const sockets: Array<Socket> = []
    const chunks: Array<Buffer> = []
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.on("error", () => undefined)
      let answered = early
      if (early) script(socket)
      socket.on("data", (chunk) => {
        chunks.push(chunk)
        if (answered || !Buffer.concat(chunks).includes("\r\n\r\n")) return
        answered = true
        script(socket)
      })
    })
    const connected = once(server, "connection")
    yield* Effect.acquireRelease(
      Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
      () =>
        Effect.sync(() => {
          server.close()
          for (const socket of sockets) socket.destroy()
        })
    )
    return {
      port: (server.address() as AddressInfo).port,
      connections: () => sockets.length,
      bytes: () => chunks.reduce((sum, chunk) => sum + chunk.length, 0),
      text: () => Buffer.concat(chunks).toString("latin1"),
      connected,
      released: async () => {
        for (const socket of sockets)
          if (!socket.closed) await new Promise((settle) => socket.once("close", settle))
      }
    }
  })

/** Writes forever, as fast as the other side reads, and counts the bytes. */
export const writeForEver = (
  socket: Socket,
  chunk: string | Uint8Array,
  written: { bytes: number }
): void => {
  const write = () => {
    while (!socket.destroyed) {
      written.bytes += chunk.length
      if (!socket.write(chunk)) break
    }
  }
  socket.on("drain", write)
  write()
}
