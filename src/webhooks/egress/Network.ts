/** How names become addresses and addresses connections; tests bring their own. */

import { Effect } from "effect"
import { Resolver } from "node:dns/promises"
import { connect, type Socket } from "node:net"
import { webhookAddressesMax, webhookResolveMs, webhookResolveTries } from "../../Limits.ts"

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
 * hostile server likes, and reads the machine's hosts file.
 */
export const resolveWith =
  (makeResolver: () => Resolver) =>
  (name: string): Effect.Effect<ReadonlyArray<string>> =>
    Effect.callback((resume) => {
      const resolver = makeResolver()
      void Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]).then((answers) =>
        resume(
          Effect.succeed(
            answers
              .flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
              .slice(0, webhookAddressesMax)
          )
        )
      )
      return Effect.sync(() => resolver.cancel())
    })

export const internet: Network = {
  resolve: resolveWith(() => new Resolver({ timeout: webhookResolveMs, tries: webhookResolveTries })),
  open: (address, port) => connect({ host: address, port, autoSelectFamily: false }),
  roots: undefined
}
