/** What a newcomer gets from an empty embedded database: an organization `demo` and one test key, shown once. */

import { Clock, Effect } from "effect"
import { testKeyExpiryMs } from "../../../Limits.ts"
import { ApiKeys } from "../../../storage/ApiKeys.ts"
import { Database } from "../../../storage/Database.ts"
import { Organizations } from "../../../storage/Organizations.ts"

export interface FirstKey {
  readonly organization: string
  readonly key: string
}

/** Null where organizations exist, and always on an external database: there only the operator gives access. */
export const firstKey = Effect.gen(function* () {
  const organizations = yield* Organizations
  const { kind } = yield* Database
  if (kind === "external" || (yield* organizations.list).length > 0) return null
  const organization = yield* organizations.create({ slug: "demo", name: "Demo", policySet: "none" })
  const now = yield* Clock.currentTimeMillis
  const { key } = yield* Effect.flatMap(ApiKeys, ({ create }) =>
    create(organization, {
      mode: "test",
      scopes: ["assess", "read"],
      environments: null,
      expiresAt: new Date(now + testKeyExpiryMs)
    })
  )
  const made: FirstKey = { organization: organization.slug, key }
  return made
})
