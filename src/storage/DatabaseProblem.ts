/** Why the database cannot be used, in one sentence that tells the operator what to do. */

import { Schema } from "effect"

export class DatabaseProblem extends Schema.TaggedError<DatabaseProblem>()("DatabaseProblem", {
  message: Schema.String,
  /** It will pass by itself within moments: trying again is worth while. */
  passing: Schema.optional(Schema.Boolean),
  cause: Schema.optional(Schema.Defect())
}) {}
