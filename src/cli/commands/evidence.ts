/** `action-risk evidence`: what is kept of assessments, taken out of the database for others to read. */

import { Command } from "effect/cli"
import { checkpoint } from "./evidence/checkpoint.ts"
import { erase } from "./evidence/erase.ts"
import { exportCommand } from "./evidence/export.ts"
import { publicKey } from "./evidence/public-key.ts"
import { replay } from "./evidence/replay.ts"
import { verify } from "./evidence/verify.ts"

export const evidence = Command.make("evidence").pipe(
  Command.withDescription(
    "Export stored assessments with their evidence, and verify that nothing of it was changed"
  ),
  Command.withSubcommands([exportCommand, verify, checkpoint, publicKey, replay, erase])
)
