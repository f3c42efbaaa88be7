/**
 * A receiver of webhooks: it verifies each delivery, handles each event once, and answers.
 *
 *     WEBHOOK_SECRET=whsec_… npx node examples/webhook-receiver/receiver.ts
 *
 * What it does with an event is in `hear`. The rest is what every receiver needs.
 */

import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { verifyWithLibrary } from "./verifyWithLibrary.ts"

const secret = process.env["WEBHOOK_SECRET"] ?? ""
const port = Number(process.env["PORT"] ?? 4000)

/** An event is under 20 KB. */
const bodyBytesMax = 65_536
const rememberedMax = 10_000

/** A part of what events hold: docs/webhooks.md shows all of it. */
interface Event {
  readonly id: string
  readonly type: string
  readonly data: {
    readonly normalized_action_type?: string
    readonly environment?: string
    readonly action_risk?: { readonly score: number; readonly level: string }
    readonly recommended_control?: { readonly type: string }
    readonly links?: { readonly assessment: string }
  }
}

/** Yours tells a person, opens a ticket, pages someone. If that takes long, keep the event and do it after the answer. */
const hear = ({ data, id, type }: Event): void => {
  const { action_risk: risk, environment, links, normalized_action_type: action } = data
  console.log(`${type} ${id}`)
  if (risk === undefined) return
  console.log(`  ${risk.level} ${risk.score}: ${action} in ${environment}`)
  console.log(`  ${data.recommended_control?.type}, see ${links?.assessment}`)
}

/**
 * An event comes again where our answer to it was lost. Yours keeps these ids in a database, written in the transaction of
 * what `hear` changes: this set is gone when the process ends.
 */
const heard = new Set<string>()

const hearOnce = (event: Event): void => {
  if (heard.has(event.id)) return console.log(`${event.type} ${event.id} came again and was left alone`)
  hear(event)
  heard.add(event.id)
  const [oldest = ""] = heard
  if (heard.size > rememberedMax) heard.delete(oldest)
}

/** The body, byte for byte; null if it is longer than an event. */
const bodyOf = async (request: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Array<Buffer> = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const verified = ({ headers }: IncomingMessage, body: Buffer): Event | null => {
  try {
    return verifyWithLibrary(secret, headers, body) as Event
  } catch (cause) {
    console.error(`not verified: ${cause instanceof Error ? cause.message : String(cause)}`)
    return null
  }
}

/** The status to answer with. Only 2xx within 15 s means that the event was received; after any other answer it is sent again. */
const receive = async (request: IncomingMessage): Promise<number> => {
  if (request.method !== "POST") return 405
  const body = await bodyOf(request)
  if (body === null) return 413
  const event = verified(request, body)
  if (event === null) return 401
  hearOnce(event)
  return 204
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status, { connection: "close" }).end(),
    (cause: unknown) => {
      console.error(cause)
      response.writeHead(500, { connection: "close" }).end()
    }
  )
})

if (!secret.startsWith("whsec_")) {
  console.error("WEBHOOK_SECRET is not set: it is shown once, when the endpoint is created")
  process.exit(2)
}
server.listen(port, "127.0.0.1", () => {
  console.log(`receiver listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
