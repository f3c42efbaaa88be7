/** `action-risk evidence`: what is kept of assessments, taken out of the database for others to read. */

import { Command } from "effect/cli"
import { checkpointCommand, publicKeyCommand } from "./checkpoint.ts"
import { eraseCommand } from "./erase.ts"
import { exportCommand } from "./export.ts"
import { replayCommand } from "./replay.ts"
import { verifyCommand } from "./verify.ts"

export const evidenceCommand = Command.make("evidence").pipe(
  Command.withDescription(
    "Export stored assessments with their evidence, and verify that nothing of it was changed"
  ),
  Command.withSubcommands([
    exportCommand,
    verifyCommand,
    checkpointCommand,
    publicKeyCommand,
    replayCommand,
    eraseCommand
  ])
)
