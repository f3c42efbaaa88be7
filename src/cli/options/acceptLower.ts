/** `--accept-lower <code>`, once for each: what may score lower than before, with a reason in the changelog. */

import { Flag } from "effect/cli"

export const acceptLower = Flag.String("accept-lower").pipe(
  Flag.withDescription("A code that may score lower than before, once for each; the changelog says why"),
  Flag.withMetavar("code"),
  Flag.atLeast(0)
)
