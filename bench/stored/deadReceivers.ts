/** Receivers that never answer a webhook, in a process of their own: one hangs, one drips a byte a second, one is not there. */

import { once } from "node:events"
import { createServer, type Server, type Socket } from "node:net"

const dripMs = 1_000

const listening = async (server: Server): Promise<string> => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port")
  return `http://127.0.0.1:${address.port}`
}

const hang = (socket: Socket) => {
  socket.on("error", () => socket.destroy()).resume()
}

const drip = (socket: Socket) => {
  hang(socket)
  socket.write("HTTP/1.1 200 OK\r\nX-Patience: ")
  const dripping = setInterval(() => socket.write("."), dripMs)
  socket.once("close", () => clearInterval(dripping))
}

const gone = createServer()
const refused = await listening(gone)
gone.close()

console.log(
  JSON.stringify({
    refused,
    hanging: await listening(createServer(hang)),
    dripping: await listening(createServer(drip))
  })
)
