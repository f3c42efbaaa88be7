/** Long work on one organization's history does not block other requests. */

import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { connect, createServer } from "node:net"
import { prepareLookalikes } from "../../../src/scoring/names/lookalike.ts"
import { inSteps } from "../../../src/storage/behavior/BaselineWindow.ts"

/** Counts the round trips on a socket until it closes. */
const roundTrips = Effect.acquireRelease(
  Effect.callback<{ count: number; readonly end: () => void }>((resume) => {
    const server = createServer((socket) => socket.on("error", () => undefined).pipe(socket)).listen(
      0,
      "127.0.0.1",
      () => {
        const address = server.address()
        const socket = connect(typeof address === "object" ? (address?.port ?? 0) : 0, "127.0.0.1")
        const end = () => {
          socket.destroy()
          server.close()
        }
        const trips = { count: 0, end }
        socket.on("data", () => {
          trips.count += 1
          socket.write("x")
        })
        socket.write("x", () => resume(Effect.succeed(trips)))
      }
    )
  }),
  ({ end }) => Effect.sync(end)
)

it.live("a socket is answered all the while thousands of long destinations are prepared", () =>
  Effect.gen(function* () {
    // Each is a destination of 240 characters, as its key spells it.
    const expanded = "\ufdfa".repeat(235).normalize("NFKC")
    const established = Array.from({ length: 400 }, (_, i) => `${expanded}${i}`)
    const trips = yield* roundTrips
    const before = trips.count
    const isImitation = yield* inSteps(prepareLookalikes(established, 0))
    expect(trips.count - before).toBeGreaterThan(20)
    expect([isImitation(`${expanded}x399`), isImitation(`${expanded}xyz9`)]).toEqual([true, false])
  }).pipe(Effect.scoped)
)
