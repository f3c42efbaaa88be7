/** What `action-risk orgs list --json` prints. */

import { Schema } from "effect"
import { organizationShape } from "../organization.ts"

export const orgsListShape = Schema.Struct({
  organizations: Schema.Array(organizationShape).annotate({ description: "By slug." })
})
