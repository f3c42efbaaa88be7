/** `action-risk rules`: what auditors ask of the rule files and their releases. */

import { Command } from "effect/cli"

export const rules = Command.make("rules").pipe(
  Command.withDescription("Read, check, compare and release the rule files"),
  Command.withSubcommands([])
)
