/** The organizations that are served, made by the operator alone. */

import { Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import { ControlSql } from "./sql/Sql.ts"
import { classifyDatabaseFailure } from "./storageErrors.ts"

export interface Organization {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** `none` has no rules. */
  readonly policySet: string
  readonly createdAt: Date
}

export class OrganizationExists extends Schema.TaggedError<OrganizationExists>()("OrganizationExists", {
  slug: Schema.String
}) {}

export class OrganizationNotFound extends Schema.TaggedError<OrganizationNotFound>()("OrganizationNotFound", {
  slug: Schema.String
}) {}

interface Row {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly policy_set: string
  readonly created_at: Date
}

export class Organizations extends Context.Service<
  Organizations,
  {
    readonly create: (
      organization: Pick<Organization, "slug" | "name" | "policySet">
    ) => Effect.Effect<Organization, OrganizationExists | SqlError.SqlError>
    readonly bySlug: (slug: string) => Effect.Effect<Organization, OrganizationNotFound | SqlError.SqlError>
    /** In force for every key of the organization once the caches of authentication have lapsed. */
    readonly setPolicySet: (
      slug: string,
      policySet: string
    ) => Effect.Effect<Organization, OrganizationNotFound | SqlError.SqlError>
    /** By slug. */
    readonly list: Effect.Effect<ReadonlyArray<Organization>, SqlError.SqlError>
  }
>()("action-risk/storage/Organizations") {
  static readonly layer = Layer.effect(
    Organizations,
    Effect.gen(function* () {
      const sql = yield* ControlSql

      const create = Effect.fn("Organizations.create")(function* (
        organization: Pick<Organization, "slug" | "name" | "policySet">
      ) {
        const { name, policySet, slug } = organization
        const [row] = yield* sql<Row>`
          INSERT INTO organizations (id, slug, name, policy_set)
          VALUES (${randomUUID()}, ${slug}, ${name}, ${policySet})
          RETURNING *
        `.pipe(
          Effect.catchIf(
            (error) => classifyDatabaseFailure(error) === "unique",
            () => Effect.fail(new OrganizationExists({ slug }))
          )
        )
        return organizationOf(yield* Effect.fromNullishOr(row).pipe(Effect.orDie))
      })

      const bySlug = Effect.fn("Organizations.bySlug")(function* (slug: string) {
        const [row] = yield* sql<Row>`SELECT * FROM organizations WHERE slug = ${slug}`
        return row === undefined ? yield* new OrganizationNotFound({ slug }) : organizationOf(row)
      })

      const setPolicySet = Effect.fn("Organizations.setPolicySet")(function* (
        slug: string,
        policySet: string
      ) {
        const [row] = yield* sql<Row>`
          UPDATE organizations SET policy_set = ${policySet} WHERE slug = ${slug} RETURNING *
        `
        return row === undefined ? yield* new OrganizationNotFound({ slug }) : organizationOf(row)
      })

      const list = Effect.map(sql<Row>`SELECT * FROM organizations ORDER BY slug`, (rows) =>
        rows.map(organizationOf)
      ).pipe(Effect.withSpan("Organizations.list"))

      return Organizations.of({ create, bySlug, setPolicySet, list })
    })
  )
}

const organizationOf = (row: Row): Organization => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  policySet: row.policy_set,
  createdAt: row.created_at
})
