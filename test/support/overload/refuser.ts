/** Answers everything with one constant refusal: the lowest cost of refusing on this machine. */

import { createServer, type AddressInfo } from "node:net"

const body = '{"error":{"code":"ASSESSMENT_UNAVAILABLE","retryable":true}}'
const refusal =
  "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 1\r\n" +
  `content-length: ${body.length}\r\n\r\n${body}`

/** The generator's requests are small and end with their body's brace, each alone on its connection. */
const endsRequest = (chunk: Buffer): boolean => chunk.at(-1) === 0x7d

export const startRefuser = (): Promise<{ readonly url: string } & Disposable> =>
  new Promise((resolve) => {
    const server = createServer({ noDelay: true }, (socket) => {
      socket.on("data", (chunk) => (endsRequest(chunk) ? socket.write(refusal) : undefined))
      socket.on("error", () => socket.destroy())
    })
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resolve({ url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => server.close() })
    })
  })
