/** How names become addresses and addresses connections; tests bring their own. */

import { Effect } from "effect"
import { Resolver } from "node:dns/promises"
import { connect, type Socket } from "node:net"
import {
  webhookAddressesMax,
  webhookOtherKindMs,
  webhookResolveMs,
  webhookResolveTries
} from "../../Limits.ts"

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
