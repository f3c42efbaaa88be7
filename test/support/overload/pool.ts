/** The connections of a load generator to one server: each serves one request at a time. */

import { openConnection } from "./connection.ts"

/** As many as callers with pools of their own keep open together; what finds none free waits for one, on the clock. */
const connections = 512

type Connection = Awaited<ReturnType<typeof openConnection>>

export interface Pool {
  readonly host: string
  readonly take: (use: (connection: Connection) => void) => void
  readonly give: (connection: Connection, kept: boolean) => Promise<void>
}

export const openPool = async (address: string): Promise<Pool> => {
  const url = new URL(address)
  // Opened beforehand: a backlog of connections is the kernel's, which answers no caller.
  const free = await Promise.all(Array.from({ length: connections }, () => openConnection(url)))
  const queue: Array<(connection: Connection) => void> = []
  return {
    host: url.host,
    take: (use) => {
      // In turn: none is idle for so long that the service closes it.
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
