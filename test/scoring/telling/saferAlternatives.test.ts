/** Each entry of `rules/lexicon/alternatives.json` is suggested for its cases, and never for a call that no person reviews. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { firstOpinionOn } from "../../support/opine.ts"

interface Entry {
  readonly say: string
  readonly cases: ReadonlyArray<string>
}

const { alternatives } = JSON.parse(
  readFileSync(join(packageRoot, "rules/lexicon/alternatives.json"), "utf8")
) as { readonly alternatives: ReadonlyArray<Entry> }

/** A command if it has a space, else the name of an action. */
const actionOf = (text: string) =>
  text.includes(" ") ? { actionType: "claude_code.Bash", targetResource: text } : { actionType: text }

const cases = alternatives.flatMap(({ cases, say }) => cases.map((text) => [text, say] as const))

describe("what would be safer", () => {
  it.each(cases)("than `%s` is said", (text, say) => {
    const { saferAlternatives } = firstOpinionOn({ ...actionOf(text), environment: "production" })
    expect(saferAlternatives).toEqual([say])
  })

  it.each(["git status", "rm -rf node_modules", "npm test"])("than `%s` is nothing", (command) => {
    const { saferAlternatives } = firstOpinionOn({ ...actionOf(command), environment: "development" })
    expect(saferAlternatives).toEqual([])
  })
})
