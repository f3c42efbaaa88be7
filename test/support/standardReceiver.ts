/** A receiver as a third party would write it: node:http and the public `standardwebhooks` library, in a process of its own. */

import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"

/** The first part of its path says what a receiver does: /good/1, /slow/1, /hang/1, /held/1. */
const slowMs = 100

/** From the parent: the one secret for this path from now on, or the order to answer held requests. */
export type ToReceiver = { readonly path: string; readonly secret: string } | { readonly letGo: true }

export interface Received {
  readonly path: string
  readonly id: string
  readonly verified: boolean
  readonly body: string
  readonly atMs: number
  /** Requests to this path that are not answered yet, this one included. */
  readonly inFlight: number
}

const secrets = new Map<string, string>()
const inFlight = new Map<string, number>()
const held: Array<ServerResponse> = []

const verifies = (path: string, body: string, headers: Record<string, string>): boolean => {
  try {
    new Webhook(secrets.get(path) ?? "").verify(body, headers)
    return true
  } catch {
    return false
  }
}

const server = createServer(async (request, response) => {
  const path = request.url ?? ""
  const now = (inFlight.get(path) ?? 0) + 1
  inFlight.set(path, now)
  response.once("close", () => inFlight.set(path, (inFlight.get(path) ?? 0) - 1))
  const body = Buffer.concat(await request.toArray()).toString()
  const headers = request.headers as Record<string, string>
  const verified = verifies(path, body, headers)
  const received: Received = {
    path,
    id: headers["webhook-id"] ?? "",
    verified,
    body,
    atMs: Date.now(),
    inFlight: now
  }
  process.send?.(received)
  response.statusCode = verified ? 204 : 400
  if (path.startsWith("/good/")) response.end()
  if (path.startsWith("/slow/")) setTimeout(() => response.end(), slowMs)
  if (path.startsWith("/held/")) held.push(response)
})

process.on("message", (message: ToReceiver) => {
  if ("letGo" in message) for (const response of held.splice(0)) response.end()
  else secrets.set(message.path, message.secret)
  process.send?.({ done: message })
})
process.once("disconnect", () => process.exit())

server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }))
