#!/usr/bin/env node
/** The process: `action-risk` on the command line. */

import { enableCompileCache } from "node:module"
import { join } from "node:path"
import { keepNewSpaceSmall } from "./runtimeTuning.ts"

keepNewSpaceSmall()
// Nearly half of a command's time would go into compiling what has not changed since the last one.
enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/action-risk"))

const { run } = await import("./cli/run.ts")
await run()
