/** `action-risk outcomes`: records what became of assessed actions, and says what it shows about the answers. */

import { Command } from "effect/cli"
import { exportCommand, labels } from "./read.ts"
import { record } from "./record.ts"
import { report } from "./report.ts"

export const outcomesCommand = Command.make("outcomes").pipe(
  Command.withDescription("Record what became of assessed actions, and compare the answers with it"),
  Command.withSubcommands([record, report, labels, exportCommand])
)
