/** `action-risk webhooks`: hearing deliveries on this machine, and the operator's view of endpoints and deliveries. */

import { Command } from "effect/cli"
import { listWebhooks } from "./webhooks/list.ts"
import { listen } from "./webhooks/listen.ts"
import { redeliver } from "./webhooks/redeliver.ts"
import { testWebhook } from "./webhooks/test.ts"

export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("Receive webhooks on this machine, and see and repeat what the service sends"),
  Command.withSubcommands([listen, listWebhooks, redeliver, testWebhook])
)
