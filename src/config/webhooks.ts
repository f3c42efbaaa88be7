/** The variables of webhooks: where they may go in development, and what `webhooks listen` verifies with. */

import { Effect, Option, type Redacted } from "effect"
import { oneOf, webhookSecret } from "./readers.ts"
import { readVariable, type Variable } from "./variable.ts"

export interface WebhookSettings {
  readonly webhookAllowInsecure: "loopback" | null
  /** Null means that `webhooks listen` does not verify. */
  readonly webhookSecret: Redacted.Redacted | null
}

export const webhookVariables = {
  webhookAllowInsecure: {
    name: "WEBHOOK_ALLOW_INSECURE",
    accepted: "loopback, or leave it unset",
    read: oneOf(["loopback"])
  },
  webhookSecret: {
    name: "WEBHOOK_SECRET",
    accepted: "the secret of a webhook endpoint, like whsec_…, as it was shown once",
    read: webhookSecret,
    secret: true
  }
} satisfies { readonly [Name in keyof WebhookSettings]: Variable<NonNullable<WebhookSettings[Name]>> }

export const webhookSettings = Effect.gen(function* () {
  const { webhookAllowInsecure, webhookSecret } = webhookVariables
  return {
    webhookAllowInsecure: Option.getOrNull(yield* readVariable(webhookAllowInsecure)),
    webhookSecret: Option.getOrNull(yield* readVariable(webhookSecret))
  } satisfies WebhookSettings
})
