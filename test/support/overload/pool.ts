/** The connections of a load generator to one server: each serves one request at a time. */

import { openConnection } from "./connection.ts"

/** As many as callers with their own pools keep open together; a request without a free one waits, which counts as its time. */
const connections = 512

type Connection = Awaited<ReturnType<typeof openConnection>>

export interface Pool {
  readonly host: string
  readonly take: (use: (connection: Connection) => void) => void
  readonly give: (connection: Connection, kept: boolean) => Promise<void>
}

export const openPool = async (address: string): Promise<Pool> => {
  const url = new URL(address)
  // Opened beforehand, because the kernel's backlog of connections answers no caller.
  const free = await Promise.all(Array.from({ length: connections }, () => openConnection(url)))
  const queue: Array<(connection: Connection) => void> = []
  return {
    host: url.host,
    take: (use) => {
      // In turn, so that the service does not close an idle one.
      const connection = free.shift()
      if (connection === undefined) queue.push(use)
      else use(connection)
    },
    give: async (connection, kept) => {
      const one = kept ? connection : await openConnection(url)
      const next = queue.shift()
      if (next === undefined) free.push(one)
      else next(one)
    }
  }
}
