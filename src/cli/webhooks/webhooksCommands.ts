/** `action-risk webhooks`: makes endpoints, receives deliveries on this machine, and shows, repeats and tests what the service sends. */

import { Command } from "effect/cli"
import { createWebhook } from "./create.ts"
import { listWebhooks } from "./list.ts"
import { listenCommand } from "./listen.ts"
import { redeliverCommand, testWebhook } from "./redeliver.ts"

export const webhooksCommand = Command.make("webhooks").pipe(
  Command.withDescription(
    "Make endpoints, receive webhooks on this machine, and show and repeat what the service sends"
  ),
  Command.withSubcommands([createWebhook, listenCommand, listWebhooks, redeliverCommand, testWebhook])
)
