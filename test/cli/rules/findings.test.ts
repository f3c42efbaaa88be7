import { Ajv } from "ajv"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { plainTerminal } from "../../../src/cli/Terminal.ts"
import { formats } from "../../../src/cli/flags.ts"
import { type FindingsPage, renderFindings } from "../../../src/cli/rules/findings.ts"
import type { LocatedFinding } from "../../../src/rules/Finding.ts"
import { sarifSchema } from "./sarifSchema.ts"

const root = mkdtempSync(join(tmpdir(), "action-risk-findings-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const file = "rules/factors/volume/X.json"
const long = `    "all": [{ "fact": "confidence_percent_missing", "operator": "greaterThan", "value": 50, "path": "$.x" }]`
mkdirSync(dirname(join(root, file)), { recursive: true })
writeFileSync(join(root, file), `{\n  "lifecyle": "stable",\n${long}\n}\n`)

const misspelt: LocatedFinding = {
  rule: "unknown-key",
  severity: "error",
  file,
  line: 2,
  column: 3,
  message: "unknown key `lifecyle`, did you mean `lifecycle`?",
  suggestion: "lifecycle"
}
const farRight: LocatedFinding = {
  rule: "uncovered",
  severity: "warning",
  file,
  line: 3,
  column: long.indexOf(`"path"`) + 1,
  message: "100 % of this | is *new*,\nto `a|b`: <all>"
}
const unlisted: LocatedFinding = {
  rule: "level-falls",
  severity: "error",
  file: "rules/my factor.json",
  line: 9,
  column: 1,
  message: "a level falls"
}

const page = (...findings: ReadonlyArray<LocatedFinding>): FindingsPage => ({
  command: "rules check",
  findings,
  scope: "3 files"
})

const rendered = (format: (typeof formats)[number], ...findings: ReadonlyArray<LocatedFinding>) =>
  renderFindings(format, page(...findings), root, plainTerminal(80))

describe("findings for people", () => {
  it("show the place, the line with a mark, what to write, the lint's page, and how many there are", () => {
    expect(rendered("pretty", misspelt, unlisted).split("\n")).toEqual([
      `${file}:2:3 error unknown-key`,
      "  unknown key `lifecyle`, did you mean `lifecycle`?",
      `    "lifecyle": "stable",`,
      `    ^^^^^^^^^^`,
      "  write lifecycle",
      "  see docs/lints/unknown-key.md",
      "",
      "rules/my factor.json:9:1 error level-falls",
      "  a level falls",
      "",
      "3 files, 2 errors"
    ])
  })

  it("cut a long line so that the token stays visible, with the mark below", () => {
    const lines = rendered("pretty", farRight).split("\n")
    const [shown = "", marks = ""] = lines.slice(2, 4)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(shown).toMatch(/^ {4}… /)
    expect(shown.slice(marks.indexOf("^"), marks.lastIndexOf("^") + 1)).toBe(`"path"`)
  })

  it("say that there are none", () => {
    expect(rendered("pretty")).toBe("3 files, no findings")
    expect(rendered("pretty", farRight)).toMatch(/\n\n3 files, 1 warning$/)
    expect(rendered("pretty", misspelt, farRight)).toMatch(/\n\n3 files, 1 error and 1 warning$/)
  })
})

describe("findings for GitHub", () => {
  it("are workflow commands, one a line, with everything escaped that could end one early", () => {
    expect(rendered("github", misspelt, farRight, { ...unlisted, file: "a,b:c.json" }).split("\n")).toEqual([
      "::error file=rules/factors/volume/X.json,line=2,col=3,title=unknown-key::unknown key `lifecyle`, did you mean `lifecycle`? (write: lifecycle)",
      `::warning file=rules/factors/volume/X.json,line=3,col=${farRight.column},title=uncovered::100 %25 of this | is *new*,%0Ato \`a|b\`: <all>`,
      "::error file=a%2Cb%3Ac.json,line=9,col=1,title=level-falls::a level falls",
      "action-risk rules check: 3 files, 2 errors and 1 warning"
    ])
  })
})

describe("findings as Markdown", () => {
  it("are a table whose cells no text can break", () => {
    expect(rendered("markdown", misspelt, farRight, unlisted).split("\n")).toEqual([
      "### action-risk rules check",
      "",
      "|   | Lint | Where | What |",
      "| - | - | - | - |",
      `| error | [unknown-key](docs/lints/unknown-key.md) | \`${file}:2:3\` | unknown key \`lifecyle\`, did you mean \`lifecycle\`?<br>write \`lifecycle\` |`,
      `| warning | [uncovered](docs/lints/uncovered.md) | \`${file}:3:${farRight.column}\` | 100 % of this \\| is \\*new\\*, to \`a\\|b\`: \\<all\\> |`,
      "| error | level-falls | `rules/my factor.json:9:1` | a level falls |",
      "",
      "3 files, 2 errors and 1 warning."
    ])
  })

  it("are one sentence where there are none", () => {
    expect(rendered("markdown")).toBe("### action-risk rules check\n\n3 files, no findings.")
  })
})

describe("findings as SARIF", () => {
  const validate = new Ajv({ strict: true }).compile(sarifSchema)

  it.each([[[]], [[misspelt]], [[misspelt, farRight, unlisted, misspelt]]])("are valid: %#", (findings) => {
    validate(JSON.parse(rendered("sarif", ...findings)))
    expect(validate.errors).toBeNull()
  })

  it("name place, lint and what to write; each lint once, with its page", () => {
    const { runs } = JSON.parse(rendered("sarif", misspelt, unlisted, misspelt))
    const [{ columnKind, results, tool }] = runs
    expect(columnKind).toBe("utf16CodeUnits")
    expect(tool.driver.rules).toEqual([
      { id: "level-falls" },
      {
        id: "unknown-key",
        shortDescription: { text: "an object has a key that is not defined there" },
        defaultConfiguration: { level: "error" },
        help: {
          text: "bad and good examples: docs/lints/unknown-key.md",
          markdown: "Bad and good examples: [docs/lints/unknown-key.md](docs/lints/unknown-key.md)"
        },
        properties: { category: "shape" }
      }
    ])
    expect(results).toHaveLength(3)
    expect(results[0]).toEqual({
      ruleId: "unknown-key",
      ruleIndex: 1,
      level: "error",
      message: { text: "unknown key `lifecyle`, did you mean `lifecycle`? (write: lifecycle)" },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: file, uriBaseId: "SRCROOT" },
            region: { startLine: 2, startColumn: 3 }
          }
        }
      ]
    })
    expect(results[1].locations[0].physicalLocation.artifactLocation.uri).toBe("rules/my%20factor.json")
  })
})
