/** Exported traces contain names, codes and places in the code, and never a message, a statement or a value. */

import { expect, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, References, Tracer } from "effect"
import { telemetry } from "../../../src/cli/service/Service.ts"
import { redactingTracer } from "../../../src/cli/service/telemetryExport.ts"
import { AppConfig } from "../../../src/config.ts"

const secret = "kanarie"

/** The spans that ended, as an exporter sees them. */
const recording = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const text = () =>
    JSON.stringify(
      spans.map(({ attributes, events, name, status }) => ({
        name,
        attributes: [...attributes],
        events,
        failure:
          status._tag === "Ended" && Exit.isFailure(status.exit)
            ? Cause.prettyErrors(status.exit.cause).map(({ message, name, stack }) => ({
                message,
                name,
                stack
              }))
            : null
      })),
      (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)
    )
  return { layer: Layer.succeed(Tracer.Tracer, redactingTracer(tracer)), text }
}

const failing = Effect.die(new TypeError(`duplicate key (${secret})`)).pipe(
  Effect.tapCause(() => Effect.annotateCurrentSpan({ "db.query.text": secret, "http.route": "/a/{id}" })),
  Effect.withSpan("failing", { attributes: { [secret]: 1, "db.namespace": "live" } })
)

it.effect("a span keeps the kind of a failure and its place, our attributes, and nothing else", () =>
  Effect.gen(function* () {
    const { layer, text } = recording()
    yield* Effect.exit(Effect.provide(failing, layer))
    yield* Effect.exit(Effect.provide(Effect.withSpan(Effect.die(new Error(secret)), "dying"), layer))
    expect(text()).not.toContain(secret)
    expect(text()).toContain("TypeError")
    expect(text()).toContain("telemetryExport.test.ts")
    expect(text()).toContain('[["db.namespace","live"],["http.route","/a/{id}"]]')
  })
)

it.effect.each([{}, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_SDK_DISABLED: "true" }])(
  "with %j nothing is traced",
  (env: Record<string, string>) =>
    Effect.gen(function* () {
      expect(yield* References.TracerEnabled).toBe(false)
    }).pipe(Effect.provide(telemetry.pipe(Layer.provide(AppConfig.layerFrom(env)))))
)
