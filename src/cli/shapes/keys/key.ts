/** What `--json` says of every API key; never the key itself. */

import { Schema } from "effect"
import { IsoMillis, Uuid } from "../../../api/Scalars.ts"
import { environments } from "../../../domain/Action.ts"
import { modes } from "../../../domain/Mode.ts"
import { scopes } from "../../../domain/Scope.ts"

export const keyFields = {
  key_id: Uuid,
  organization: Schema.String.annotate({ description: "The slug." }),
  mode: Schema.Literals(modes),
  scopes: Schema.Array(Schema.Literals(scopes)),
  environments: Schema.NullOr(Schema.Array(Schema.Literals(environments))).annotate({
    description: "The environments it may assess actions in; null for all."
  }),
  expires_at: Schema.NullOr(IsoMillis).annotate({ description: "Null where it never expires." })
}
