/** `--json`: one JSON document on standard output and nothing else. */

import { Flag } from "effect/cli"

export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print one JSON document and nothing else"),
  Flag.withDefault(false),
  Flag.withoutNegation
)
