/** Opens a connection to a receiver (DNS, TCP, TLS), and checks its address before the first byte is sent. */

import { Effect, Schema, type Scope } from "effect"
import { Resolver } from "node:dns/promises"
import { connect, type Socket } from "node:net"
import { connect as startTls } from "node:tls"
import {
  webhookAddressesMax,
  webhookAddressMs,
  webhookConnectMs,
  webhookOtherKindMs,
  webhookResolveMs,
  webhookResolveTries
} from "../../limits.ts"
import { type EgressOptions, isPermittedLoopback, literalAddress, reachableAddresses } from "./checkUrl.ts"

/** The connection closes with the scope. */
export const openConnection = (
  network: Network,
  url: URL,
  options: EgressOptions
): Effect.Effect<Socket, PostFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const mayReach = reachableAddresses(url, options)
    const addresses = (yield* addressesOf(network, url, options)).filter(mayReach)
    if (addresses.length === 0) return yield* new PostFailed({ reason: "address_refused" })
    const socket = yield* connectToFirst(network, addresses, portOf(url))
    // The address of the open socket is checked too, because the system may have connected to another one.
    if (!mayReach(socket.remoteAddress ?? "")) return yield* new PostFailed({ reason: "address_refused" })
    return url.protocol === "https:" ? yield* startTlsOver(socket, url, network.roots) : socket
  }).pipe(
    Effect.timeoutOrElse({
      duration: webhookConnectMs,
      orElse: () => Effect.fail(new PostFailed({ reason: "timeout" }))
    })
  )

const portOf = (url: URL): number => Number(url.port || (url.protocol === "https:" ? 443 : 80))

const addressesOf = (
  network: Network,
  url: URL,
  options: EgressOptions
): Effect.Effect<ReadonlyArray<string>, PostFailed> => {
  const literal = literalAddress(url)
  if (literal !== null) return Effect.succeed([literal])
  if (isPermittedLoopback(url, options)) return Effect.succeed(["127.0.0.1", "::1"])
  return network.resolve(url.hostname).pipe(
    Effect.filterOrFail(
      (addresses) => addresses.length > 0,
      () => new PostFailed({ reason: "unresolved" })
    )
  )
}

/** Tries one address after the other, so that a dead address or a missing IPv6 route does not make a receiver unreachable. */
const connectToFirst = (network: Network, addresses: ReadonlyArray<string>, port: number) =>
  Effect.firstSuccessOf(
    addresses.map((address, index) =>
      Effect.acquireRelease(
        Effect.sync(() => network.open(address, port)),
        (socket) => Effect.sync(() => socket.destroy())
      ).pipe(
        Effect.flatMap((socket) => whenReady(socket, "connect", "connect")),
        Effect.timeoutOrElse({
          duration: index < addresses.length - 1 ? webhookAddressMs : webhookConnectMs,
          orElse: () => Effect.fail(new PostFailed({ reason: "timeout" }))
        })
      )
    )
  )

const startTlsOver = (socket: Socket, url: URL, roots: string | undefined) => {
  const address = literalAddress(url)
  return Effect.acquireRelease(
    Effect.sync(() =>
      startTls({
        socket,
        // The certificate must be valid for the host of the URL. TLS server names cannot be IP addresses (RFC 6066).
        host: address ?? url.hostname,
        servername: address === null ? url.hostname : "",
        ALPNProtocols: ["http/1.1"],
        // Stated explicitly, because an environment variable can turn the default off.
        rejectUnauthorized: true,
        ca: roots
      })
    ),
    (secured) => Effect.sync(() => secured.destroy())
  ).pipe(Effect.flatMap((secured) => whenReady(secured, "secureConnect", "tls")))
}

const whenReady = <S extends Socket>(
  socket: S,
  event: "connect" | "secureConnect",
  reason: "connect" | "tls"
) =>
  Effect.callback<S, PostFailed>((resume) => {
    socket.once(event, () => resume(Effect.succeed(socket)))
    // Not `once`: a later error without a listener would end the process. The user of the connection gets the error as well.
    socket.on("error", (cause) => resume(Effect.fail(new PostFailed({ reason, cause }))))
    socket.once("close", () => resume(Effect.fail(new PostFailed({ reason }))))
  })

/** Resolves names and opens connections. Tests pass their own. */
export interface Network {
  /** All addresses of a name, IPv4 first; empty if there are none. */
  readonly resolve: (name: string) => Effect.Effect<ReadonlyArray<string>>
  /** Starts a connection to exactly this address. */
  readonly open: (address: string, port: number) => Socket
  /** The root certificates in PEM; undefined means those of Node. */
  readonly roots: string | undefined
}

/**
 * Queries the configured DNS servers directly. The system's resolver would block one of a few threads for as long as a hostile server
 * likes, and it reads the machine's hosts file. Once the addresses of one kind (IPv4 or IPv6) are known, waits only briefly for the other
 * kind, because some servers never answer for a kind without addresses.
 */
export const resolveWith =
  (makeResolver: () => Resolver) =>
  (name: string): Effect.Effect<ReadonlyArray<string>> =>
    Effect.suspend(() => {
      const resolver = makeResolver()
      const queries = [resolver.resolve4(name), resolver.resolve6(name)]
      const answers = Effect.promise(() => Promise.allSettled(queries))
      // A kind without addresses is a rejection, so it does not start the short wait for the other kind.
      const firstAnswer = Effect.promise(() => Promise.any(queries).catch(() => undefined))
      return firstAnswer.pipe(
        Effect.andThen(Effect.timeoutOption(answers, webhookOtherKindMs)),
        Effect.ensuring(Effect.sync(() => resolver.cancel())),
        // The cancellation has rejected the queries that had no answer.
        Effect.andThen(answers),
        Effect.map((ended) =>
          ended
            .flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
            .slice(0, webhookAddressesMax)
        )
      )
    })

export const internet: Network = {
  resolve: resolveWith(() => new Resolver({ timeout: webhookResolveMs, tries: webhookResolveTries })),
  open: (address, port) => connect({ host: address, port, autoSelectFamily: false }),
  roots: undefined
}

/** The reasons why a request to a receiver got no HTTP status. */
const postFailedReasons = [
  /** The URL is no longer allowed. It was registered under other settings. */
  "url_refused",
  /** The host name has no address, or no DNS server returned one in time. */
  "unresolved",
  /** Every address is outside the public internet, or the socket was connected to such an address. */
  "address_refused",
  "connect",
  /** The receiver has no TLS, or its certificate is not valid for the host. */
  "tls",
  /** No connection or no status in time. */
  "timeout",
  /** The connection was closed before a status arrived. */
  "closed",
  /** The answer is not HTTP/1.1. */
  "protocol",
  /** The status and its headers exceed the limit. */
  "too_large"
] as const
export type PostFailedReason = (typeof postFailedReasons)[number]

export class PostFailed extends Schema.TaggedError<PostFailed>()("PostFailed", {
  reason: Schema.Literals(postFailedReasons),
  cause: Schema.optional(Schema.Defect())
}) {}
