/** Processes that send webhooks, and a third-party receiver, shared by the tests of a file. */

import { Context, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { type ReceiverProcess, receiverProcess } from "./receiverProcess.ts"
import { TestDatabase } from "./TestDatabase.ts"
import { type WebhookReplicas, webhookReplicas } from "./webhookReplicas.ts"

/** On a busy machine some are incomplete, because their history did not arrive in time. */
const assessed = ["assessment.completed", "assessment.incomplete"]

export class WebhookStage extends Context.Service<
  WebhookStage,
  WebhookReplicas & {
    readonly receiver: ReceiverProcess
    /** Creates an endpoint for every assessment at this path of the receiver, and gives the receiver its secret. Returns its id. */
    readonly listenAt: (path: string) => Promise<string>
    /** Requests one assessment, stored once. Retries if there is no answer in time, as on a busy machine. */
    readonly assess: () => Promise<void>
    readonly remove: (endpointId: string) => Promise<void>
  }
>()("action-risk/test/WebhookStage") {
  static readonly layer = (replicas: number) =>
    Layer.effect(
      WebhookStage,
      Effect.gen(function* () {
        const receiver = yield* receiverProcess
        const stage = yield* webhookReplicas(replicas)
        return WebhookStage.of({
          ...stage,
          receiver,
          listenAt: async (path) => {
            const wanted = { url: receiver.url + path, events: assessed }
            const { id, secret } = await stage.createEndpoint(wanted)
            await receiver.tell({ path, secret })
            return id
          },
          assess: async () => {
            const key = { "idempotency-key": randomUUID() }
            const action = { action_type: "customer.read", environment: "staging" }
            for (let tries = 0; tries < 30; tries++) {
              const answer = await stage.ask("POST", "/actions/assess", action, key)
              await answer?.text()
              if (answer?.status === 200) return
              await sleep(200)
            }
            throw new Error("nothing is assessed")
          },
          remove: async (id) => {
            await stage.ask("DELETE", `/webhook-endpoints/${id}`)
          }
        })
      })
    ).pipe(Layer.provideMerge(TestDatabase.layer))
}
