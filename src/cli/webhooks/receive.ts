/** A receiver on this machine: answers every delivery, and reports whether its signature is valid. */

import { Clock, Effect, Redacted } from "effect"
import type { Json } from "effect/Schema"
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import { Webhook } from "standardwebhooks"
import { receivedBytesMax, receivedIdsMax } from "../../limits.ts"
import { createNodeServer, listen } from "../../server/nodeServer.ts"

interface Receiver {
  /** 0 picks a free port. */
  readonly port: number
  /** Null: signatures are not verified. */
  readonly secret: Redacted.Redacted | null
  /** The status of every answer, except that a delivery with a wrong signature gets 401. */
  readonly answer: number
}

const host = "127.0.0.1"

const jsonOf = (body: Buffer): Json => {
  try {
    return JSON.parse(body.toString("utf8"))
  } catch {
    return null
  }
}

/** A function that returns whether it has seen an id before, among the newest `receivedIdsMax`. */
const recentIds = () => {
  const ids = new Set<string>()
  return (id: string): boolean => {
    if (ids.has(id)) return true
    ids.add(id)
    const [oldest = id] = ids
    if (ids.size > receivedIdsMax) ids.delete(oldest)
    return false
  }
}

/** Listens until its scope closes, and calls `report` for each delivery. Gives `http://127.0.0.1:PORT` with the real port. */
export const receive = Effect.fnUntraced(function* (
  { answer, port, secret }: Receiver,
  report: (delivery: ReceivedDelivery) => Effect.Effect<void>
) {
  const seenBefore = recentIds()

  const take = Effect.fnUntraced(function* ({ headers }: IncomingMessage, body: Buffer) {
    const problem = verificationProblem(secret, headers, body)
    const eventId = headers["webhook-id"]
    const refused = secret !== null && problem !== null
    const delivery: ReceivedDelivery = {
      receivedAt: new Date(yield* Clock.currentTimeMillis),
      eventId: typeof eventId === "string" ? eventId : null,
      again: !refused && typeof eventId === "string" && seenBefore(eventId),
      verified: secret === null ? null : !refused,
      problem,
      answered: refused ? 401 : answer,
      event: jsonOf(body)
    }
    yield* report(delivery)
    return delivery.answered
  })

  const reply = (response: ServerResponse, status: number) =>
    Effect.sync(() => response.writeHead(status, { connection: "close" }).end())

  const context = yield* Effect.context<never>()
  const server = createNodeServer()
  server.on("request", (request, response) => {
    const status =
      request.method === "POST"
        ? Effect.flatMap(readDeliveryBody(request), (body) =>
            body === null ? Effect.succeed(413) : take(request, body)
          )
        : Effect.succeed(405)
    Effect.runForkWith(context)(Effect.flatMap(status, (known) => reply(response, known)))
  })
  const realPort = yield* Effect.acquireRelease(listen(server, host, port, "--port"), () =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  )
  return `http://${host}:${realPort}`
})

/** A delivery that `webhooks listen` received, with the result of its verification. */
export interface ReceivedDelivery {
  readonly receivedAt: Date
  /** The header `webhook-id`: the event's id. */
  readonly eventId: string | null
  /** Whether a delivery with this id was received before. */
  readonly again: boolean
  /** Null where there is no secret to verify with. */
  readonly verified: boolean | null
  /** Why the delivery is not verified; null where it is. */
  readonly problem: string | null
  /** The status of the answer. */
  readonly answered: number
  /** The body as JSON; null where it is not JSON. */
  readonly event: Json
}

const headerNames = ["webhook-id", "webhook-timestamp", "webhook-signature"]

/**
 * Verifies the signature with the public package that receivers use.
 * Null where the delivery was signed with the secret within the last five minutes; else the problem.
 */
const verificationProblem = (
  secret: Redacted.Redacted | null,
  headers: IncomingHttpHeaders,
  body: Buffer
): string | null => {
  if (secret === null) return "no secret to verify with"
  const given = headerNames.map((name) => [name, String(headers[name] ?? "")])
  const missing = given.find(([, value]) => value === "")
  if (missing !== undefined) return `the header ${missing[0]} is missing`
  try {
    new Webhook(Redacted.value(secret)).verify(body, Object.fromEntries(given), { jsonParse: false })
    return null
  } catch (cause) {
    return cause instanceof Error ? cause.message.toLowerCase() : "it cannot be verified"
  }
}

/** The body, byte for byte. Null where it is larger than any delivery, or where the connection broke. */
const readDeliveryBody = (request: IncomingMessage): Effect.Effect<Buffer | null> =>
  Effect.callback((resume) => {
    const chunks: Array<Buffer> = []
    let bytes = 0
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= receivedBytesMax) chunks.push(chunk)
      else resume(Effect.succeed(null))
    })
    request.once("end", () => resume(Effect.succeed(Buffer.concat(chunks))))
    request.once("close", () => resume(Effect.succeed(null)))
  })
