/** `action-risk webhooks`: hearing deliveries on this machine, and the operator's view of endpoints and deliveries. */

import { Command } from "effect/cli"
import { listWebhooks } from "./list.ts"
import { listenCommand } from "./listen.ts"
import { redeliverCommand, testWebhook } from "./redeliver.ts"

export const webhooksCommand = Command.make("webhooks").pipe(
  Command.withDescription("Receive webhooks on this machine, and see and repeat what the service sends"),
  Command.withSubcommands([listenCommand, listWebhooks, redeliverCommand, testWebhook])
)
