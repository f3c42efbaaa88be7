/** `action-risk webhooks`: receives deliveries on this machine, and shows, repeats and tests what the service sends. */

import { Command } from "effect/cli"
import { listWebhooks } from "./list.ts"
import { listenCommand } from "./listen.ts"
import { redeliverCommand, testWebhook } from "./redeliver.ts"

export const webhooksCommand = Command.make("webhooks").pipe(
  Command.withDescription("Receive webhooks on this machine, and show and repeat what the service sends"),
  Command.withSubcommands([listenCommand, listWebhooks, redeliverCommand, testWebhook])
)
