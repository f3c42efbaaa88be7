/** The stores used by operator commands, on a migrated database, and the organization and owner named by `--org` and `--mode`. */

import { Effect, Layer } from "effect"
import type { Mode } from "../domain/Caller.ts"
import type { Owner } from "../storage/assessments/AssessmentRecord.ts"
import { ApiKeys, KeyHasher } from "../storage/ApiKeys.ts"
import { ConsoleSessions } from "../storage/ConsoleSessions.ts"
import { OrganizationNotFound, Organizations } from "../storage/Organizations.ts"
import { migrated } from "../storage/migrate.ts"
import { databaseLayer, newDatabaseLayer } from "../storage/openDatabase.ts"
import { secretsLayer } from "../storage/openSecrets.ts"
import { sqlLayer } from "../storage/sql/Sql.ts"
import { WebhookSecrets } from "../storage/webhooks/WebhookSecrets.ts"
import { refuse } from "./commandFailures.ts"

/** The services that need the peppers. They fail to start with a pepper that the database does not know. */
export const pepperedStores = Layer.mergeAll(KeyHasher.layer, WebhookSecrets.layer).pipe(
  Layer.provide(secretsLayer)
)

/** The stores on any database that the caller provides. They need no pepper, so keys can be revoked even after it was lost. */
export const storesOn = Layer.mergeAll(ApiKeys.layer, ConsoleSessions.layer, Organizations.layer).pipe(
  Layer.provideMerge(sqlLayer),
  // Migrations run first, because they create the database roles used by `sqlLayer`.
  Layer.provideMerge(migrated)
)

export const Stores = storesOn.pipe(Layer.provideMerge(databaseLayer))

/** For the first command on a new database. */
export const NewStores = storesOn.pipe(Layer.provideMerge(newDatabaseLayer))

/** The message for an unknown slug, the same in every command. */
export const refuseUnknownOrganization =
  (slug: string) =>
  <A, E, R>(effect: Effect.Effect<A, E | OrganizationNotFound, R>) =>
    Effect.catchIf(
      effect,
      (error) => error instanceof OrganizationNotFound,
      () => refuse(`there is no organization \`${slug}\`: see action-risk orgs list`)
    )

export const organizationOf = (slug: string) =>
  Organizations.use(({ bySlug }) => bySlug(slug)).pipe(refuseUnknownOrganization(slug))

/** The owner of an organization's stored data in one mode. */
export const ownerOf = (slug: string, mode: Mode) =>
  Effect.map(organizationOf(slug), ({ id }): Owner => ({ organizationId: id, mode }))
