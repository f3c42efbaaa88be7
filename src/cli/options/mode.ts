/** `--mode live|test`: which of the two worlds a command is about. */

import { Flag } from "effect/cli"
import { modes } from "../../domain/Mode.ts"

export const mode = Flag.Literals("mode", modes).pipe(Flag.withDescription("Which of the two worlds"))
