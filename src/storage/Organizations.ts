/** The organizations that this service serves. Only the operator creates them. */

import { Context, Effect, Layer, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { ControlSql } from "./sql/Sql.ts"
import { decodeRows } from "./sql/rows.ts"
import { classifyDatabaseFailure } from "./storageErrors.ts"

const OrganizationRow = Schema.Struct({
  id: Schema.String,
  slug: Schema.String,
  name: Schema.String,
  /** The name of a policy set. The set `none` has no rules. */
  policySet: Schema.String,
  createdAt: Schema.Date
})

export type Organization = typeof OrganizationRow.Type

const decodeOrganizations = decodeRows(OrganizationRow)

export class OrganizationExists extends Schema.TaggedError<OrganizationExists>()("OrganizationExists", {
  slug: Schema.String
}) {}

export class OrganizationNotFound extends Schema.TaggedError<OrganizationNotFound>()("OrganizationNotFound", {
  slug: Schema.String
}) {}

export class Organizations extends Context.Service<Organizations>()("action-risk/storage/Organizations", {
  make: Effect.gen(function* () {
    const sql = yield* ControlSql

    const create = Effect.fn("Organizations.create")(function* (
      organization: Pick<Organization, "slug" | "name" | "policySet">
    ) {
      const { name, policySet, slug } = organization
      const inserting = sql`
          INSERT INTO organizations (id, slug, name, policy_set)
          VALUES (${randomUUID()}, ${slug}, ${name}, ${policySet})
          RETURNING *
        `.pipe(
        Effect.catchIf(
          (error) => classifyDatabaseFailure(error) === "unique",
          () => Effect.fail(new OrganizationExists({ slug }))
        )
      )
      const [created] = yield* decodeOrganizations(inserting)
      return yield* Effect.fromNullishOr(created).pipe(Effect.orDie)
    })

    const bySlug = Effect.fn("Organizations.bySlug")(function* (slug: string) {
      const [found] = yield* decodeOrganizations(sql`SELECT * FROM organizations WHERE slug = ${slug}`)
      return found ?? (yield* new OrganizationNotFound({ slug }))
    })

    /** Applies to every key of the organization as soon as the cached entries of authentication expire. */
    const setPolicySet = Effect.fn("Organizations.setPolicySet")(function* (slug: string, policySet: string) {
      const [updated] = yield* decodeOrganizations(sql`
          UPDATE organizations SET policy_set = ${policySet} WHERE slug = ${slug} RETURNING *
        `)
      return updated ?? (yield* new OrganizationNotFound({ slug }))
    })

    /** Sorted by slug. */
    const list = decodeOrganizations(sql`SELECT * FROM organizations ORDER BY slug`).pipe(
      Effect.withSpan("Organizations.list")
    )

    return { create, bySlug, setPolicySet, list }
  })
}) {
  static readonly layer = Layer.effect(Organizations, Organizations.make)
}
