/** docs/guards.md and docs/incidents.md show the levels that the rules give: `npm run golden` writes them. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { actionRisk } from "../support/inProcess.ts"
import { levelPages, levelQuestions, levelsPage } from "./levelTables.ts"

it.each(levelPages)("the levels of commands are those of the rules: %s", async (file) => {
  const page = readFileSync(join(import.meta.dirname, "../..", file), "utf8")
  const questions = levelQuestions(page)
  expect(questions.split("\n").length).toBeGreaterThan(15)
  const { code, stdout } = await actionRisk(["assess", "--batch", "-"], { input: questions })
  expect(code).toBe(0)
  expect(levelsPage(page, stdout)).toBe(page)
})
