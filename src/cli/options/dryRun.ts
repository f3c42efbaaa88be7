/** `--dry-run`: everything but the writing. */

import { Flag } from "effect/cli"

export const dryRun = Flag.Boolean("dry-run").pipe(
  Flag.withDescription("Pass the gates and write nothing"),
  Flag.withDefault(false),
  Flag.withoutNegation
)
