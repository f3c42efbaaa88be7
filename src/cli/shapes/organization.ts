/** An organization as `--json` prints it. */

import { Schema } from "effect"
import { IsoMillis } from "../../api/Scalars.ts"

export const organizationShape = Schema.Struct({
  organization: Schema.String.annotate({ description: "The slug." }),
  name: Schema.String,
  policies: Schema.String.annotate({
    description: "The policy set that adds to its opinions; `none` has no rules."
  }),
  created_at: IsoMillis
})
