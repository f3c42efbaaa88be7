/** What a command of the operator works on: a migrated database and the stores above it. */

import { Layer } from "effect"
import { ApiKeys } from "../storage/ApiKeys.ts"
import { Database } from "../storage/Database.ts"
import { KeyHasher } from "../storage/KeyHasher.ts"
import { migrated } from "../storage/migrate.ts"
import { Organizations } from "../storage/Organizations.ts"
import { Secrets } from "../storage/Secrets.ts"
import { sqlLayer } from "../storage/Sql.ts"
import { WebhookSecrets } from "../storage/WebhookSecrets.ts"

/** On any database. */
export const storesOn = Layer.mergeAll(ApiKeys.layer, Organizations.layer).pipe(
  Layer.provideMerge(
    Layer.mergeAll(KeyHasher.layer, WebhookSecrets.layer).pipe(Layer.provide(Secrets.layer))
  ),
  Layer.provideMerge(sqlLayer),
  // The roles of `sqlLayer` exist once the schema does.
  Layer.provideMerge(migrated)
)

export const Stores = storesOn.pipe(Layer.provideMerge(Database.layer))
