/** A connection to a receiver that is known to end where it may, before a byte is sent over it. */

import { Effect, type Scope } from "effect"
import type { Socket } from "node:net"
import { connect as startTls } from "node:tls"
import { webhookAddressMs, webhookConnectMs } from "../../Limits.ts"
import type { Network } from "./Network.ts"
import { PostFailed } from "./PostFailed.ts"
import { type EgressOptions, isPermittedLoopback, literalAddress, reachable } from "./reachable.ts"

/** Closes with the scope. */
export const openConnection = (
  network: Network,
  url: URL,
  options: EgressOptions
): Effect.Effect<Socket, PostFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const mayReach = reachable(url, options)
    const addresses = (yield* addressesOf(network, url, options)).filter(mayReach)
    if (addresses.length === 0) return yield* new PostFailed({ reason: "address_refused" })
    const socket = yield* connectToFirst(network, addresses, portOf(url))
    // What the system connected to counts, not what it was asked for.
    if (!mayReach(socket.remoteAddress ?? "")) return yield* new PostFailed({ reason: "address_refused" })
    return url.protocol === "https:" ? yield* secure(socket, url, network.roots) : socket
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
        Effect.flatMap((socket) => ready(socket, "connect", "connect")),
        Effect.timeoutOrElse({
          duration: index < addresses.length - 1 ? webhookAddressMs : webhookConnectMs,
          orElse: () => Effect.fail(new PostFailed({ reason: "timeout" }))
        })
      )
    )
  )

const secure = (socket: Socket, url: URL, roots: string | undefined) => {
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
  ).pipe(Effect.flatMap((secured) => ready(secured, "secureConnect", "tls")))
}

const ready = <S extends Socket>(socket: S, event: "connect" | "secureConnect", reason: "connect" | "tls") =>
  Effect.callback<S, PostFailed>((resume) => {
    socket.once(event, () => resume(Effect.succeed(socket)))
    // Stays for the connection's life: what goes wrong later is seen by who uses it.
    socket.on("error", (cause) => resume(Effect.fail(new PostFailed({ reason, cause }))))
    socket.once("close", () => resume(Effect.fail(new PostFailed({ reason }))))
  })
