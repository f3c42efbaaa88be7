/** A receiver on this machine that answers every delivery and reports whether its signature holds. */

import { Clock, Effect, Redacted } from "effect"
import type { Json } from "effect/Schema"
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import { Webhook } from "standardwebhooks"
import { receivedBytesMax, receivedIdsMax } from "../../limits.ts"
import { createNodeServer, listen } from "../../server/nodeServer.ts"

interface Receiver {
  /** 0 picks a free one. */
  readonly port: number
  /** Null verifies nothing. */
  readonly secret: Redacted.Redacted | null
  /** The status that deliveries are answered with; one that does not verify is answered 401. */
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

/** Whether an id was met before, among the last ones. */
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

/** Listens until its scope closes; the address is `http://127.0.0.1:PORT` with the real port. */
export const receive = Effect.fn("webhooks.receive")(function* (
  { answer, port, secret }: Receiver,
  tell: (arrival: ReceivedDelivery) => Effect.Effect<void>
) {
  const wasMet = recentIds()

  const take = Effect.fnUntraced(function* ({ headers }: IncomingMessage, body: Buffer) {
    const problem = verificationProblem(secret, headers, body)
    const eventId = headers["webhook-id"]
    const refused = secret !== null && problem !== null
    const arrival: ReceivedDelivery = {
      receivedAt: new Date(yield* Clock.currentTimeMillis),
      eventId: typeof eventId === "string" ? eventId : null,
      again: !refused && typeof eventId === "string" && wasMet(eventId),
      verified: secret === null ? null : !refused,
      problem,
      answered: refused ? 401 : answer,
      event: jsonOf(body)
    }
    yield* tell(arrival)
    return arrival.answered
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

/** A delivery as it reached `webhooks listen`, and what came of verifying it. */
export interface ReceivedDelivery {
  readonly receivedAt: Date
  /** The header `webhook-id`: the event's id. */
  readonly eventId: string | null
  /** Whether a delivery with this id came before. */
  readonly again: boolean
  /** Null where there is no secret to verify with. */
  readonly verified: boolean | null
  /** Why it is not verified; null where it is. */
  readonly problem: string | null
  /** The status that it was answered with. */
  readonly answered: number
  /** The body as JSON; null where it is none. */
  readonly event: Json
}

/** Whether a delivery was signed with a secret, by the same public package that a receiver would use. */
const headerNames = ["webhook-id", "webhook-timestamp", "webhook-signature"]

/** Null where it was, within the last five minutes; else why not. */
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

/**
 * What a request brought, byte for byte.
 * Null where it is more than any delivery, or was broken off.
 */
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
