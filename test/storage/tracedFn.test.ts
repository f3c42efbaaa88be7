import { expect, it } from "@effect/vitest"
import { Effect, References } from "effect"
import { tracedFn } from "../../src/storage/tracedFn.ts"

const spanName = Effect.match(Effect.currentSpan, { onSuccess: ({ name }) => name, onFailure: () => null })
const work = tracedFn("Room.work")((text: string) => Effect.map(spanName, (name) => [text, name]))

it.effect("work has a span while tracing is enabled, and none otherwise", () =>
  Effect.gen(function* () {
    expect(yield* work("traced")).toEqual(["traced", "Room.work"])
    const quiet = Effect.provideService(work("quiet"), References.TracerEnabled, false)
    expect(yield* quiet).toEqual(["quiet", null])
  })
)
