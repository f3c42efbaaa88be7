/** `action-risk webhooks listen`: receives deliveries on this machine and prints each of them until a signal ends it. */

import { Clock, Console, Effect, Option, Redacted, Schema } from "effect"
import type { Json } from "effect/Schema"
import { CliError, Flag } from "effect/cli"
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import { Webhook } from "standardwebhooks"
import { IsoMillisDate } from "../../api/Scalars.ts"
import { AppConfig } from "../../config.ts"
import { actionRiskLevels } from "../../domain/Opinion.ts"
import { webhookSecret } from "../../environment.ts"
import { shownName } from "../../foreignText.ts"
import { quotedTextMax, receivedBytesMax, receivedIdsMax } from "../../limits.ts"
import { createNodeServer, listen } from "../../server/nodeServer.ts"
import { currentTerminal, levelStyle, lines, printable, type Terminal } from "../Terminal.ts"
import { endsBySignal } from "../exit.ts"
import { flagOr, integerFlag, textFlag } from "../flags.ts"
import { bool, documentOf, int, members, nullOr } from "../jsonShapes.ts"
import { verb } from "../verb.ts"

export const webhooksListenShape = members(
  {
    receivedAt: IsoMillisDate,
    eventId: nullOr(Schema.String, "The header webhook-id; null if it is missing."),
    again: bool("Whether a delivery with this id was received before."),
    verified: nullOr(Schema.Boolean, "Null without a secret."),
    problem: nullOr(Schema.String, "Why the delivery is not verified; null if it is."),
    answered: int("The status of the answer."),
    event: Schema.Unknown.annotate({
      description: "The body, as docs/webhooks.md describes it; null if it is not JSON."
    })
  },
  { eventId: "webhook_id" }
)

const secretFlag = textFlag("secret", "whsec_…").pipe(
  Flag.withDescription("The endpoint's secret, to verify with (default: the variable WEBHOOK_SECRET)"),
  Flag.mapEffect((given) => {
    const read = webhookSecret(given)
    // The message does not repeat the value, which may be a real secret with one letter missing.
    const wrong = {
      option: "secret",
      value: "…",
      expected: "a secret such as whsec_…",
      kind: "flag"
    } as const
    return read === undefined ? Effect.fail(new CliError.InvalidValue(wrong)) : Effect.succeed(read)
  }),
  Flag.withDefault(null)
)

export const listenForWebhooks = verb({
  about: "Receive webhooks on this machine and print them, verified if a secret is given",
  takes: {
    port: flagOr(
      integerFlag("port", 0, 65_535, "a port from 0 to 65535, where 0 picks a free one"),
      4000,
      "The port on 127.0.0.1; 0 picks a free one (default: 4000)"
    ),
    secret: secretFlag,
    answer: flagOr(
      integerFlag("answer", 200, 599, "a status from 200 to 599").pipe(Flag.withMetavar("status")),
      204,
      "The status to answer with, to rehearse failures (default: 204)"
    )
  },
  prints: webhooksListenShape,
  printsForEach: "delivery",
  fails: "the port is taken",
  reads: "`WEBHOOK_SECRET`",
  examples: {
    "WEBHOOK_SECRET=whsec_… action-risk webhooks listen":
      "On http://127.0.0.1:4000, with verification; other users of the machine can see --secret, but not a variable",
    "--answer 500": "To see how the service retries failed deliveries",
    "--json | jq .event.data.action_risk.level": "For scripts, one line for each delivery"
  },
  run: Effect.fnUntraced(
    function* (options) {
      const { webhookSecret } = yield* AppConfig
      const secret = options.secret ?? webhookSecret
      const screen = currentTerminal()
      const url = yield* receive({ port: options.port, secret, answer: options.answer }, (delivery) =>
        Console.log(
          options.json
            ? JSON.stringify(documentOf(webhooksListenShape, delivery))
            : renderReceivedDelivery(screen, delivery)
        )
      )
      const print = options.json ? Console.error : Console.log
      if (secret === null)
        yield* Console.error("deliveries are not verified: give --secret or WEBHOOK_SECRET")
      yield* print(`listening for webhooks on ${url}`)
      return yield* Effect.never
    },
    Effect.scoped,
    endsBySignal
  )
})

/** The members of an event that are printed. The sender is not trusted, so nothing else reaches the terminal. */
const ShownEvent = Schema.Struct({
  type: Schema.String,
  data: Schema.Struct({
    normalized_action_type: Schema.optionalKey(Schema.String),
    environment: Schema.optionalKey(Schema.String),
    action_risk: Schema.optionalKey(
      Schema.Struct({ score: Schema.Number, level: Schema.Literals(actionRiskLevels) })
    ),
    recommended_control: Schema.optionalKey(Schema.Struct({ type: Schema.String })),
    links: Schema.optionalKey(Schema.Struct({ assessment: Schema.String }))
  })
})
type ShownEvent = typeof ShownEvent.Type

const decodeShownEvent = Schema.decodeUnknownOption(ShownEvent)

const indent = " ".repeat(10)

const eventLines = ({ color }: Terminal, { data, type }: ShownEvent): ReadonlyArray<string> => {
  const { action_risk: risk, normalized_action_type: action, recommended_control: control } = data
  const shown = (name = "") => shownName(name, quotedTextMax)
  const head = lines(
    printable(type),
    risk !== undefined && color(levelStyle[risk.level], ` ${risk.level.toUpperCase()} ${risk.score} `),
    action !== undefined && `${shown(action)} in ${shown(data.environment)}`
  )
  const below = lines(control?.type, data.links?.assessment)
  return [head.join(" "), ...below.map((line) => indent + printable(line))]
}

const verificationLine = (
  { color }: Terminal,
  { again, answered, eventId, problem, verified }: ReceivedDelivery
): string => {
  const words = lines(
    eventId === null ? "without an id" : printable(eventId),
    problem === null
      ? color("green", "verified")
      : color(verified === null ? "yellow" : "red", `not verified: ${problem}`),
    again && color("yellow", "came before"),
    `answered ${answered}`
  )
  return indent + words.join(", ")
}

/** A delivery for people: the event first, then whether its signature was verified. */
const renderReceivedDelivery = (screen: Terminal, delivery: ReceivedDelivery): string => {
  const time = screen.color("dim", delivery.receivedAt.toISOString().slice(11, 19))
  const [first, ...more] = Option.match(decodeShownEvent(delivery.event), {
    onNone: () => ["something that is not an event of this service"],
    onSome: (event) => eventLines(screen, event)
  })
  return [`${time}  ${first}`, ...more, verificationLine(screen, delivery)].join("\n")
}

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

/** Listens until its scope closes, and calls `report` for each delivery. Returns `http://127.0.0.1:PORT` with the actual port. */
const receive = Effect.fnUntraced(function* (
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

type ReceivedDelivery = typeof webhooksListenShape.Type

const headerNames = ["webhook-id", "webhook-timestamp", "webhook-signature"]

/**
 * Verifies the signature with the public package that receivers use. Null if the delivery was signed with the secret within the last five
 * minutes; otherwise the problem.
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

/** The body, byte for byte. Null if it is larger than any delivery, or if the connection broke. */
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
