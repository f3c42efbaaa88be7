/** The output of the commands for auditors, 80 columns wide, about frozen rules and fixed requests. */

import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { plainTerminal } from "../../../src/cli/Terminal.ts"
import { readRequestFile } from "../../../src/cli/operatorFiles.ts"
import { explain, renderExplanation } from "../../../src/cli/rules/explain.ts"
import { renderFacts } from "../../../src/cli/rules/facts.ts"
import { renderRuleList } from "../../../src/cli/rules/list.ts"
import { renderRuleFile } from "../../../src/cli/rules/show.ts"
import { casesTable } from "../../../src/cli/rules/test.ts"
import { releaseRuleGroups, type Rulebook } from "../../../src/rules/Rulebook.ts"
import {
  catalogueFactors,
  catalogueTypologies,
  factCatalogue,
  ruleFileDetails
} from "../../../src/rules/explain/catalogue.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { newestVersion } from "../../support/newestRelease.ts"
import { openedRulebook } from "../../support/openedRulebook.ts"

const screen = plainTerminal(80)
const book = openedRulebook(newestVersion)

const file = (name: string) => join(packageRoot, `test/golden/cli/${name}.txt`)

/** The content of a golden file. Fails if a line is wider than the page. */
const page = (text: string): string => {
  const tooWide = text.split("\n").filter((line) => line.length > screen.width)
  if (tooWide.length > 0) throw new Error(`wider than ${screen.width} columns:\n${tooWide.join("\n")}`)
  return `${text}\n`
}

const explanationOf = async (request: string, rulebook: Rulebook) => {
  const file = join(packageRoot, "examples/requests", `${request}.json`)
  const { action } = await Effect.runPromise(readRequestFile(file).pipe(Effect.provide(NodeServices.layer)))
  return explain(rulebook, action, undefined)
}

const explained = async (request: string, rulebook = book) =>
  renderExplanation(screen, await explanationOf(request, rulebook), false)

describe("the newest release", () => {
  it("is listed as in its golden file", async () => {
    const list = renderRuleList(screen, catalogueFactors(book.release), catalogueTypologies(book.release))
    await expect(page(list)).toMatchFileSnapshot(file("rules-list"))
  })

  it.each(["NOVEL_DESTINATION", "sensitive-export-to-novel-destination"])(
    "shows %s as it did",
    async (code) => {
      const one = ruleFileDetails(packageRoot, book.release, [], code)
      if (one === null) throw new Error(`${code} is not there`)
      const shown = renderRuleFile(screen, { ...one, releases: [] })
      await expect(page(shown)).toMatchFileSnapshot(file(`rules-show-${code}`))
    }
  )

  it("explains an export as in its golden file", async () => {
    await expect(page(await explained("salesforce-export"))).toMatchFileSnapshot(file("rules-explain"))
  })
})

describe("a request under the working files", () => {
  it("is explained with its reading, its assumptions, and each dimension", async () => {
    const draft = openedRulebook("draft")
    const { response } = await explanationOf("shell-in-production", draft)
    const lines = page(await explained("shell-in-production", draft)).split("\n")
    const below = (title: string) => {
      const from = lines.indexOf(title) + 1
      return from === 0 ? [] : lines.slice(from, lines.indexOf("", from))
    }
    const first = (cells: string) => cells.trim().split(" ", 1)[0]
    expect(response.assumptions.length).toBeGreaterThan(3)
    expect(below("Assumed for fields that were left out").map(first)).toEqual(
      response.assumptions.map(({ field }) => field)
    )
    expect(below("How it was read").map((line) => line.trim().split(/ {2,}/))).toEqual(
      Object.entries(response.reading)
    )
    // One line for each dimension, and one for all together.
    expect(below("Blast radius")).toHaveLength(7)
  })
})

describe("the facts", () => {
  it("fit the width, each with what it says", () => {
    const facts = factCatalogue(releaseRuleGroups(book.release))
    const text = renderFacts(screen, facts)
    for (const { fact } of facts) expect(page(text)).toContain(`  ${fact} `)
  })
})

describe("a table of cases", () => {
  it("names what fails and what is not reached", () => {
    const report = {
      ok: false,
      findings: [],
      cases: { total: 12, failed: 1 },
      groups: [
        { of: "HIGH_ENTITY_COUNT", file: "", cases: 8, failed: 1 },
        { of: "calibration", file: "", cases: 4, failed: 0 }
      ],
      coverage: {
        codes: [{ code: "HIGH_ENTITY_COUNT", file: "", reachable: 15, reached: 14, percent: 93 }],
        gaps: [],
        reachable: 15,
        reached: 14,
        percent: 93
      }
    }
    expect(casesTable(screen, report)).toEqual([
      "cases beside       cases  failed        reached",
      "HIGH_ENTITY_COUNT      8       1  93 %  14 of 15",
      "calibration            4       0",
      "together              12       1  93 %  14 of 15"
    ])
  })
})
