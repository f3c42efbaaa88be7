/** Part of `npm run golden`: writes the outputs that documents show, and the files that docs/webhooks.md shows, as they are now. */

import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { webhooksPage } from "../docs/webhooksPage.ts"
import { documents, refreshed } from "./shownOutput.ts"

const webhooks = "docs/webhooks.md"
const read = (path: string): string => readFileSync(path, "utf8")

const run = (command: string): string => execFileSync("bash", ["-c", command], { encoding: "utf8" })

for (const file of documents) writeFileSync(file, refreshed(read(file), run))
writeFileSync(webhooks, webhooksPage(read(webhooks), read))
