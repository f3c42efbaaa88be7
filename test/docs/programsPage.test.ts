/** The program that docs/programs.md writes as its example, taken from the page: its cases hold. */

import { Result } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { openRulebook } from "../../src/rules/Rulebook.ts"
import { runCases } from "../../src/rules/cases/runCases.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { rulesFolder } from "../support/rulesFolder.ts"

const page = readFileSync(join(packageRoot, "docs/programs.md"), "utf8")
const blocks = [...page.matchAll(/```json\n([^`]*)```/g)].map(([, block = ""]) => block)
const blockOf = (schema: string): string =>
  blocks.find((block) => block.includes(`schemas/${schema}.schema.json`)) ?? "the page has no such block"

it("the example of the page is a program whose cases hold", () => {
  const { root, writeText } = rulesFolder()
  writeText("rules/lexicon/programs/acmectl.json", blockOf("program"))
  writeText("rules/lexicon/programs/acmectl.cases.json", blockOf("call-cases"))
  const { findings } = runCases(root, Result.getOrThrow(openRulebook(root, "draft")))
  expect(findings).toEqual([])
})
