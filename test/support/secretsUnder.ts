/** Encrypts webhook secrets under a test's own peppers. */

import { Layer, Redacted } from "effect"
import { Secrets } from "../../src/storage/Secrets.ts"
import { WebhookSecrets } from "../../src/storage/webhooks/WebhookSecrets.ts"

/** Newest first. */
export const secretsUnder = (newest: string, ...older: ReadonlyArray<string>) => {
  const keyPeppers = [Redacted.make(newest), ...older.map((pepper) => Redacted.make(pepper))] as const
  return Layer.fresh(WebhookSecrets.layer).pipe(Layer.provide(Layer.succeed(Secrets, { keyPeppers })))
}
