/** `action-risk evidence`: what is kept of assessments, taken out of the database for others to read. */

import { Command } from "effect/cli"
import { exportCommand } from "./evidence/export.ts"

export const evidence = Command.make("evidence").pipe(
  Command.withDescription("Export stored assessments with their evidence"),
  Command.withSubcommands([exportCommand])
)
