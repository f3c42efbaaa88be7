/**
 * The same agent with the typed client that is derived from the contract in `src/api`: the compiler checks requests,
 * answers and every error.
 *
 *     ACTION_RISK_KEY=svc_test_… npx node examples/agents/typed-client.ts
 *
 * Exit code: 0 after an answer of the service, 1 when no service answers.
 */

import { NodeRuntime } from "@effect/platform-node"
import { Config, Console, Effect, Layer } from "effect"
import { FetchHttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { randomUUID } from "node:crypto"
import { Api } from "../../src/api/Api.ts"
import { Authorization } from "../../src/api/Authorization.ts"

const bearer = HttpApiMiddleware.layerClient(
  Authorization,
  Effect.fnUntraced(function* ({ next, request }) {
    const key = yield* Effect.orDie(Config.String("ACTION_RISK_KEY").pipe(Config.withDefault("")))
    return yield* next(HttpClientRequest.bearerToken(request, key))
  })
)

/** The innermost cause: `connect ECONNREFUSED 127.0.0.1:3000`. */
const reasonOf = (error: Error): string =>
  error.cause instanceof Error ? reasonOf(error.cause) : error.message

/** Whatever else is recommended asks for a person, also where the level is low. */
const controlsWithoutPerson: ReadonlySet<string> = new Set([
  "NO_ADDITIONAL_CONTROL_RECOMMENDED",
  "ENHANCED_LOGGING_RECOMMENDED",
  "CONTEXT_COMPLETION_RECOMMENDED",
  "STAGED_EXECUTION_RECOMMENDED"
])

const agent = Effect.gen(function* () {
  const baseUrl = yield* Config.String("ACTION_RISK_URL").pipe(Config.withDefault("http://127.0.0.1:3000"))
  const client = yield* HttpApiClient.make(Api, { baseUrl })

  const step = yield* client.actions
    .assessAction({
      // Strict: an incomplete opinion arrives as AssessmentIncomplete, so that success is always a full one.
      headers: { "idempotency-key": randomUUID(), prefer: "handling=strict" },
      payload: {
        action_type: "hubspot.contacts.export",
        environment: "production",
        agent_id: "typed-agent",
        entities_affected: 300,
        destination: "sftp://partner.example/incoming",
        data_classification: "confidential"
      }
    })
    .pipe(
      Effect.tap(({ action_risk: risk, recommended_control: control }) =>
        Console.log(`${risk.level} (${risk.score} of 100), ${control.type}: ${control.because[0]}`)
      ),
      Effect.map(({ action_risk: risk, recommended_control: control }) =>
        risk.level === "low" && controlsWithoutPerson.has(control.type) ? "go ahead" : "hand over to a human"
      ),
      Effect.catchTag("ValidationFailed", ({ details }) =>
        Console.log(
          "The request is wrong:",
          ...details.map(({ field, message }) => `${field} ${message};`)
        ).pipe(Effect.as("mend the agent, and hand over to a human"))
      ),
      // The request never reached a service, or its answer never came back.
      Effect.catchIf(
        (error) => error._tag === "HttpClientError" && error.reason._tag === "TransportError",
        (error) =>
          Console.error(
            `no service answers at ${baseUrl} (${reasonOf(error)}): start one with \`npm start\``
          ).pipe(Effect.andThen(Effect.sync(() => (process.exitCode = 1))), Effect.as("hand over to a human"))
      ),
      // Every other error means that there is no opinion. The risk then counts as unknown, never as low.
      Effect.catch((error) =>
        Console.log(`No opinion: ${error.message}`).pipe(Effect.as("hand over to a human"))
      )
    )
  yield* Console.log(`Next: ${step}.`)
})

agent.pipe(
  Effect.provide(Layer.merge(FetchHttpClient.layer, bearer.pipe(Layer.provide(FetchHttpClient.layer)))),
  NodeRuntime.runMain
)
