/** `action-risk outcomes`: records what became of assessed actions, and says what it shows about the answers. */

import { Command } from "effect/cli"
import { exportOutcomesCommand, labels } from "./read.ts"
import { recordOutcome } from "./record.ts"
import { report } from "./report.ts"

export const outcomesCommand = Command.make("outcomes").pipe(
  Command.withDescription("Record what became of assessed actions, and compare the answers with it"),
  Command.withSubcommands([recordOutcome, report, labels, exportOutcomesCommand])
)
