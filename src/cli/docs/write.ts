/** `npm run docs:cli`: writes docs/cli.md. */

import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { packageRoot } from "../../rules/files/readTree.ts"
import { cliPage, everyCommand } from "./page.ts"

writeFileSync(join(packageRoot, "docs/cli.md"), cliPage(await Effect.runPromise(everyCommand)))
