import { describe, expect, it } from "vitest"
import { plainTerminal } from "../../../src/cli/Terminal.ts"
import { documentIn, printedOf } from "../../support/verbs.ts"
import { diffShape, renderDiff } from "../../../src/cli/rules/diff.ts"
import { readCorpus } from "../../../src/rules/corpus/Corpus.ts"
import { callsOfLexicon } from "../../../src/rules/corpus/namedCalls.ts"
import { diffRulebooks } from "../../../src/rules/diff/diffRulebooks.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { editedBook, workingBook } from "../../support/rulebooks.ts"
import { spoken } from "../../support/spoken.ts"
import { newestVersion } from "../../support/newestRelease.ts"

const edited = editedBook(
  ["HIGH_ENTITY_COUNT", '"value":100000}', '"value":50000}'],
  ["SENSITIVE_DATA_EXPORT", '"severity":"critical"', '"severity":"high"'],
  ["UNFAMILIAR_AGENT", '"hazard_bp":600', '"hazard_bp":900'],
  ["DIFFICULT_TO_REVERSE", "Undoing the action", "To undo the action"]
)
const diff = diffRulebooks(workingBook, edited, {
  samples: readCorpus(packageRoot).samples.slice(0, 250),
  calls: callsOfLexicon
})

describe("a diff for people", () => {
  const page = renderDiff(plainTerminal(100), diff)

  it("shows looser changes first and reworded texts last", () => {
    const places = [
      "Looser",
      "SENSITIVE_DATA_EXPORT",
      "Stricter",
      "HIGH_ENTITY_COUNT",
      "Text only",
      "DIFFICULT"
    ]
    const found = places.map((text) => page.indexOf(text))
    expect(found).toEqual(found.toSorted((a, b) => a - b))
    expect(found).not.toContain(-1)
    expect(page).toMatch(/^draft → edited: 4 changes: 1 looser, 2 stricter, 1 text\n/)
  })

  it("says each change in a sentence and shows both scores of a request", () => {
    expect(page).toContain("    critical from 50,000 entities, was 100,000\n")
    expect(page).toMatch(/\n {4}\d+ → \d+ +\S.* in (?:development|staging|production)/)
  })

  it("stays within the width of the terminal", () => {
    expect(Math.max(...page.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  it("without changes says so", () => {
    expect(renderDiff(plainTerminal(100), { from: "1.0.0", to: "draft", changes: [] })).toBe(
      "1.0.0 → draft: nothing changed"
    )
  })
})

describe("a change whose first request keeps its score", () => {
  const request = { action_type: "email.send", environment: "staging" } as const
  const reported = (score: number) => ({ score, control: "HUMAN_CONFIRMATION_RECOMMENDED" }) as const
  const page = renderDiff(plainTerminal(100), {
    from: "1.0.0",
    to: "draft",
    changes: [
      {
        code: "ruleset.confidence",
        kind: "moved",
        file: "rules/ruleset.json",
        summary: "confidence 40, was 60",
        details: [],
        witness: { request, from: reported(25), to: reported(25) },
        risingWitness: {
          request,
          from: reported(53),
          to: { score: 70, control: "HUMAN_REVIEW_RECOMMENDED" }
        }
      }
    ]
  })

  it("says so of that request and not of the one that rises", () => {
    const places = [
      "25 → 25",
      "the score and the control stay the same",
      "53 → 70",
      "HUMAN_CONFIRMATION_RECOMMENDED → HUMAN_REVIEW_RECOMMENDED"
    ].map((text) => page.indexOf(text))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })
})

describe("a diff for scripts", () => {
  it("has its shape, witnesses and all", () => {
    const { changes } = documentIn(diffShape, JSON.stringify(printedOf(diffShape, diff)))
    expect(changes.map(({ witness }) => witness === undefined)).toEqual([true, false, false, false])
  })
})

describe("action-risk rules diff", () => {
  it("says of a release and itself that nothing changed, also for a pull request", async () => {
    const { code, stdout } = await spoken(
      "rules",
      "diff",
      newestVersion,
      newestVersion,
      "--format",
      "markdown"
    )
    expect(code).toBe(0)
    expect(stdout).toContain(`${newestVersion} → ${newestVersion}: nothing changed`)
    expect(stdout).not.toContain(": ,")
  })

  it("ends with 0 and prints one document under --json", async () => {
    const { code, stderr, stdout } = await spoken("rules", "diff", newestVersion, newestVersion, "--json")
    expect([code, stderr]).toEqual([0, []])
    expect(JSON.parse(stdout)).toEqual({ from: newestVersion, to: newestVersion, changes: [] })
  })

  it("treats an unknown release as wrong usage", async () => {
    const { code, stdout } = await spoken("rules", "diff", newestVersion, "9.9.9")
    expect([code, stdout]).toEqual([2, ""])
  })
})

describe("action-risk policies diff", () => {
  it.each([
    ["pretty", "starter@1.0.0 → starter@draft"],
    ["sarif", "sarif-2.1.0"]
  ])("ends with 0 whatever it finds, as %s", async (format, says) => {
    const args = ["policies", "diff", "starter", "1.0.0", "draft", "--format", format]
    const { code, stderr, stdout } = await spoken(...args)
    expect([code, stderr]).toEqual([0, []])
    expect(stdout).toContain(says)
  })

  it("treats an unknown version as wrong usage", async () => {
    const { code, stderr } = await spoken("policies", "diff", "starter", "1.0.0", "9.9.9")
    expect([code, stderr.length]).toEqual([2, 1])
    expect(stderr[0]).toContain("of starter one of 1.0.0")
  })
})
