/** A socket in front of a server that can be cut, or go silent like a machine whose cable is unplugged. */

import { mkdtempSync, rmSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface SocketProxy {
  /** The folder of the proxy's socket, named like PostgreSQL's. */
  readonly folder: string
  /** From now on connections stay open but carry no bytes; new ones are accepted and stay silent too. */
  readonly silence: () => void
  /** Bytes pass again on new connections. */
  readonly resume: () => void
  /** Closes open connections and refuses new ones. */
  readonly cut: () => Promise<void>
  /** Accepts again after a cut. */
  readonly restore: () => Promise<void>
  readonly close: () => Promise<void>
}

const socketName = ".s.PGSQL.5432"

export const socketProxy = async (serverFolder: string): Promise<SocketProxy> => {
  const folder = mkdtempSync(join(tmpdir(), "action-risk-proxy-"))
  const open = new Set<Socket>()
  let silent = false

  const make = () =>
    createServer((client) => {
      const server = connect(join(serverFolder, socketName))
      for (const [from, to] of [
        [client, server],
        [server, client]
      ] as const) {
        open.add(from)
        from.on("data", (chunk) => (silent ? undefined : to.write(chunk)))
        from.on("error", () => to.destroy())
        from.on("close", () => {
          open.delete(from)
          if (!silent) to.destroy()
        })
      }
    })
  let listener = make()
  const listen = () => new Promise<void>((resolve) => listener.listen(join(folder, socketName), resolve))
  const cut = async () => {
    const closed = new Promise<void>((resolve) => listener.close(() => resolve()))
    for (const socket of open) socket.destroy()
    await closed
  }
  await listen()
  return {
    folder,
    silence: () => {
      silent = true
    },
    resume: () => {
      silent = false
    },
    cut,
    restore: async () => {
      listener = make()
      await listen()
    },
    close: async () => {
      await cut()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
