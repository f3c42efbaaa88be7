#!/usr/bin/env node
/** The process: `action-risk` on the command line. */

import { join } from "node:path"
import { enableCompileCacheIn, limitNewSpaceGrowth } from "./runtimeTuning.ts"

limitNewSpaceGrowth()
enableCompileCacheIn(join(import.meta.dirname, "../node_modules/.cache/action-risk"))

const { run } = await import("./cli/run.ts")
await run()
