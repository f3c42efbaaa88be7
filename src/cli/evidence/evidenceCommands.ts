/** `action-risk evidence`: exports, verifies, signs, replays and erases stored assessments. */

import { Command } from "effect/cli"
import { checkpointCommand, publicKeyCommand } from "./checkpoint.ts"
import { eraseCommand } from "./erase.ts"
import { exportCommand } from "./export.ts"
import { replayCommand } from "./replay.ts"
import { verifyCommand } from "./verify.ts"

export const evidenceCommand = Command.make("evidence").pipe(
  Command.withDescription(
    "Export stored assessments with their evidence, and verify that nothing was changed"
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
