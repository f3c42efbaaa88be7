/** A proxy in front of PostgreSQL that fails at a chosen point of the conversation. */

import { Effect, Layer, Redacted, type Scope } from "effect"
import { connect, createServer, type Server, type Socket } from "node:net"
import { join } from "node:path"
import { Database } from "../../src/storage/Database.ts"
import { sqlLayer } from "../../src/storage/sql/Sql.ts"

/**
 * What happens to the first client message that contains `marker`:
 * - `lost`: the connection is cut before the server sees it
 * - `torn`: it is cut in the middle of the message
 * - `unanswered`: the server gets it, the connection is cut at once
 * - `unheard`: the server answers, the connection is cut before the client gets the answer
 * - `black hole`: the server gets it, and the client gets nothing any more
 */
export const faults = ["lost", "torn", "unanswered", "unheard", "black hole"] as const
export type Fault = (typeof faults)[number]

export interface FaultyProxy {
  /** `url` through the proxy. */
  readonly through: (url: string) => string
  readonly failOnce: (fault: Fault, marker: string) => void
  /** Cuts every connection and refuses new ones; `true` accepts them again. */
  readonly setReachable: (reachable: boolean) => void
  /** Connections that it has refused so far. */
  readonly refused: () => number
  /** Answers nothing on any connection, old or new, while `true`. */
  readonly setSilent: (silent: boolean) => void
}

export const faultyProxy = (url: string): Effect.Effect<FaultyProxy, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => open(url)),
      close
    ),
    ({ proxy }) => proxy
  )

/** A proxy in front of the test's database, and connections that go through it. The test itself reaches the database directly. */
export const proxiedDatabase = Effect.gen(function* () {
  const { url } = yield* Database
  const direct = Redacted.value(url)
  const proxy = yield* faultyProxy(direct)
  const database = Layer.succeed(Database, {
    kind: "external",
    url: Redacted.make(proxy.through(direct)),
    logins: {}
  })
  return { proxy, proxiedSql: Layer.fresh(sqlLayer).pipe(Layer.provide(database)) }
})

interface Running {
  readonly proxy: FaultyProxy
  readonly server: Server
  readonly sockets: Set<Socket>
}

const upstreamOf = (url: URL) => {
  const folder = url.searchParams.get("host")
  const port = Number(url.port || 5432)
  return folder === null ? { host: url.hostname, port } : { path: join(folder, `.s.PGSQL.${port}`) }
}

const open = (url: string): Promise<Running> => {
  const sockets = new Set<Socket>()
  const state = {
    reachable: true,
    silent: false,
    refused: 0,
    fault: undefined as Fault | undefined,
    marker: ""
  }
  const server = createServer((client) => {
    if (!state.reachable) {
      state.refused++
      return client.destroy()
    }
    const upstream = connect(upstreamOf(new URL(url)))
    const cut = () => {
      client.destroy()
      upstream.destroy()
    }
    let deaf = false
    let cutOnAnswer = false
    client.on("data", (chunk) => {
      const fault = state.fault
      if (fault === undefined || !chunk.includes(state.marker)) return upstream.write(chunk)
      state.fault = undefined
      if (fault === "lost") return cut()
      if (fault === "torn") return upstream.write(chunk.subarray(0, chunk.length / 2), cut)
      if (fault === "unanswered") return upstream.write(chunk, cut)
      if (fault === "unheard") cutOnAnswer = true
      else deaf = true
      return upstream.write(chunk)
    })
    upstream.on("data", (chunk) => {
      if (cutOnAnswer) return cut()
      return deaf || state.silent || client.write(chunk)
    })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on("error", cut)
      socket.on("close", () => {
        sockets.delete(socket)
        cut()
      })
    }
  })
  const listening = Promise.withResolvers<void>()
  server.listen(0, "127.0.0.1", listening.resolve)
  const proxy: FaultyProxy = {
    through: (target) => {
      const address = server.address()
      const through = new URL(target)
      through.searchParams.delete("host")
      through.hostname = "127.0.0.1"
      through.port = String(typeof address === "object" ? address?.port : "")
      return through.href
    },
    failOnce: (fault, marker) => Object.assign(state, { fault, marker }),
    setReachable: (reachable) => {
      state.reachable = reachable
      if (!reachable) for (const socket of sockets) socket.destroy()
    },
    refused: () => state.refused,
    setSilent: (silent) => Object.assign(state, { silent })
  }
  return listening.promise.then(() => ({ proxy, server, sockets }))
}

const close = ({ server, sockets }: Running) =>
  Effect.sync(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
