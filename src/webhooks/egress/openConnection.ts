/** A connection to a receiver whose address is checked before a byte is sent: DNS, TCP, TLS, and why it failed. */

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

/** Closes with the scope. */
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
    // What the system connected to counts, not what it was asked for.
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

/** One after the other: a receiver without a way over IPv6, or with a dead address, is still reached over its others. */
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
        // A certificate is for the host of the URL; TLS names no addresses (RFC 6066).
        host: address ?? url.hostname,
        servername: address === null ? url.hostname : "",
        ALPNProtocols: ["http/1.1"],
        // Said, because an environment variable can turn the default off.
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
    // Stays for the connection's life: what goes wrong later is seen by who uses it.
    socket.on("error", (cause) => resume(Effect.fail(new PostFailed({ reason, cause }))))
    socket.once("close", () => resume(Effect.fail(new PostFailed({ reason }))))
  })

/** How names become addresses and addresses connections; tests bring their own. */
export interface Network {
  /** All addresses of a name, IPv4 first; empty where there are none. */
  readonly resolve: (name: string) => Effect.Effect<ReadonlyArray<string>>
  /** A connection that is being made, to this very address. */
  readonly open: (address: string, port: number) => Socket
  /** The roots that certificates must lead to; undefined means Node's. */
  readonly roots: string | undefined
}

/**
 * Asks the configured servers of names itself: the system's own resolver blocks one of few threads for as long as a
 * hostile server likes, and reads the machine's hosts file. Once there are addresses of one kind, those of the other are
 * waited for only briefly: some servers never answer for a kind that they have nothing of.
 */
export const resolveWith =
  (makeResolver: () => Resolver) =>
  (name: string): Effect.Effect<ReadonlyArray<string>> =>
    Effect.suspend(() => {
      const resolver = makeResolver()
      const asked = [resolver.resolve4(name), resolver.resolve6(name)]
      const answers = Effect.promise(() => Promise.allSettled(asked))
      // Having no address is a rejection, so that it ends no wait for the other kind.
      const some = Effect.promise(() => Promise.any(asked).catch(() => undefined))
      return some.pipe(
        Effect.andThen(Effect.timeoutOption(answers, webhookOtherKindMs)),
        Effect.ensuring(Effect.sync(() => resolver.cancel())),
        // What was not answered has failed by being cancelled.
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

/** Why a request to a receiver got no status. */
const postFailedReasons = [
  /** The URL is not one that a webhook may have; it was registered under other settings. */
  "url_refused",
  /** The name has no address, or no server of names told one in time. */
  "unresolved",
  /** Every address is inside a network, or the connection ended at one that is. */
  "address_refused",
  "connect",
  /** No TLS, or a certificate that is not valid for the host. */
  "tls",
  /** No connection or no status in time. */
  "timeout",
  /** The connection ended before a status came. */
  "closed",
  /** What came is not HTTP/1.1. */
  "protocol",
  /** More came than a status and its headers may have. */
  "too_large"
] as const
export type PostFailedReason = (typeof postFailedReasons)[number]

export class PostFailed extends Schema.TaggedError<PostFailed>()("PostFailed", {
  reason: Schema.Literals(postFailedReasons),
  cause: Schema.optional(Schema.Defect())
}) {}
