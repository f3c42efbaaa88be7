/** Shared parts of the bare node:http servers of the benches: reading a body, sending JSON, and saying where they listen. */

import type { IncomingMessage, Server, ServerResponse } from "node:http"

export const readAll = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((done) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => done(Buffer.concat(chunks)))
  })

export const sendJson = (response: ServerResponse, body: Buffer | string): void => {
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
  response.end(body)
}

/** The first line of a peer's output is its address, and that it is ready. */
export const listenAndSay = (server: Server): void => {
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("there is no port to say")
    console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}` }))
  })
}
