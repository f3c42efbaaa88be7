/** An OpenTelemetry collector that keeps what it receives. */

import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface Collected {
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Buffer
}

export const collector = async () => {
  const collected: Array<Collected> = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    collected.push({ path: request.url ?? "", headers: request.headers, body })
    response.end("{}")
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    collected,
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
