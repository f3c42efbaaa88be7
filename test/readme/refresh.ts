/** Part of `npm run golden`: updates the outputs, levels and files that documents show. */

import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { lightCheckout } from "../support/checkout.ts"
import { levelPages, levelQuestions, levelsPage } from "../docs/levelTables.ts"
import { webhooksPage } from "../docs/webhooksPage.ts"
import { changesIn, comparesDraft, documents, refreshed } from "./shownOutput.ts"

const webhooks = "docs/webhooks.md"
const read = (path: string): string => readFileSync(path, "utf8")

const copy = lightCheckout(join(mkdtempSync(join(tmpdir(), "action-risk-readme-")), "copy"))
const shell = (command: string, cwd: string): string =>
  execFileSync("bash", ["-c", command.replaceAll("npx action-risk", "node bin/action-risk.js")], {
    cwd,
    encoding: "utf8"
  })

const run = (command: string): string => shell(command, comparesDraft(command) ? copy : process.cwd())

for (const command of new Set(documents.flatMap((file) => changesIn(read(file))))) shell(command, copy)

for (const file of documents) writeFileSync(file, refreshed(read(file), run))
writeFileSync(webhooks, webhooksPage(read(webhooks), read))

for (const file of levelPages) {
  const input = levelQuestions(read(file))
  const answers = execFileSync("node", ["bin/action-risk.js", "assess", "--batch", "-"], {
    input,
    encoding: "utf8"
  })
  writeFileSync(file, levelsPage(read(file), answers))
}
rmSync(dirname(copy), { recursive: true })
