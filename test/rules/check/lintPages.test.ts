import { Result } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { type LintId, lints, type LocatedFinding } from "../../../src/rules/Finding.ts"
import { openPolicyRulebook, openRulebook } from "../../../src/rules/Rulebook.ts"
import { runCases, runPolicyCases } from "../../../src/rules/cases/runCases.ts"
import { checkPolicies, checkRules } from "../../../src/rules/check/checkFiles.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { cleanRules } from "../../support/cleanRules.ts"
import { readLintPage, spoilBy } from "./LintPage.ts"

const root = cleanRules()()

const ids = Object.keys(lints) as ReadonlyArray<LintId>

/** Pages about more than the text of one file; other tests raise their lints. */
const inWords: ReadonlyArray<LintId> = [
  "unreadable-file",
  "misplaced-file",
  "duplicate-code",
  "too-many-rules",
  "no-cases",
  "surviving-mutant",
  "class-too-far",
  "expired-entry",
  "milder-than-general",
  "payment-of-nothing",
  "edited-release",
  "missing-release",
  "evaluators-differ",
  "missing-changelog",
  "could-score-lower",
  "version-not-raised"
]

const tested = (file: string): ReadonlyArray<LocatedFinding> =>
  file.startsWith("rules/")
    ? runCases(root, Result.getOrThrow(openRulebook(root, "draft")), { coverage: true }).findings
    : runPolicyCases(root, Result.getOrThrow(openPolicyRulebook(root, "house", "draft")), { coverage: true })
        .findings

const found = (id: LintId, file: string): ReadonlyArray<LocatedFinding> => {
  if (id === "failing-case" || id === "uncovered") return tested(file)
  return (file.startsWith("rules/") ? checkRules(root) : checkPolicies(root)).findings
}

describe("the pages of the lints", () => {
  it("exist for every lint and for nothing else", () => {
    const pages = readdirSync(join(packageRoot, "docs/lints")).filter((file) => file !== "README.md")
    expect(pages.toSorted()).toEqual(ids.map((id) => `${id}.md`).toSorted())
  })

  it("are all in the index, with a description", () => {
    const index = readFileSync(join(packageRoot, "docs/lints/README.md"), "utf8")
    const rows = [...index.matchAll(/^\| \[([a-z-]+)\]\(\1\.md\) +\| (.+?) +\|$/gm)]
    expect(Object.fromEntries(rows.map(([, id, says]) => [id, says]))).toEqual(
      Object.fromEntries(
        Object.entries(lints).map(([id, { says, severity }]) => [
          id,
          `${says.charAt(0).toUpperCase()}${says.slice(1)}${severity === "warning" ? " (warning)" : ""}`
        ])
      )
    )
  })

  it.each(ids)("%s describes its findings and has a bad example, a good example and a reason", (id) => {
    const { sections, summary, title } = readLintPage(id)
    expect(title).toBe(id)
    expect(summary.toLowerCase()).toBe(`${lints[id].says}.`.toLowerCase())
    expect(sections).toEqual(["Bad", "Good", "Why"])
  })

  it.each(ids.filter((id) => !inWords.includes(id)))(
    "%s: the bad example raises it and nothing else, and the good one raises nothing",
    (id) => {
      const { example } = readLintPage(id)
      if (example === null) throw new Error(`docs/lints/${id}.md has no example that can be tried`)
      const path = join(root, example.file)
      const clean = readFileSync(path, "utf8")
      expect(found(id, example.file)).toEqual([])
      writeFileSync(path, spoilBy(clean, example))
      const findings = found(id, example.file)
      writeFileSync(path, clean)
      expect(findings.map(({ rule }) => rule)).toEqual([id])
      expect(findings.map(({ message }) => message)).toEqual([example.says])
    }
  )
})
