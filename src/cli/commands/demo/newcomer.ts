/** A new organization in the demo's own database, and a test key of it. */

import { Effect } from "effect"
import { ApiKeys } from "../../../storage/ApiKeys.ts"
import { Organizations } from "../../../storage/Organizations.ts"

export const newcomer = Effect.fn("demo.newcomer")(function* (slug: string) {
  const organization = yield* Organizations.use(({ create }) =>
    create({ slug, name: slug, policySet: "none" })
  )
  const { key } = yield* ApiKeys.use(({ create }) =>
    create(organization, { mode: "test", scopes: ["assess"], environments: null, expiresAt: null })
  )
  return key
})
