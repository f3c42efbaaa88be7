/** `action-risk policies`: the same questions about the policy sets of customers. */

import { Command } from "effect/cli"

export const policies = Command.make("policies").pipe(
  Command.withDescription("Read, check, compare and release the policy sets"),
  Command.withSubcommands([])
)
