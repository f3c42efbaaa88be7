/** The report as a comment: complete tables, closed `<details>`, and no caller text becomes formatting. */

import { describe, expect, it } from "vitest"
import { fencedCode, inlineCode, markdownText, reportMarkdown } from "../../../src/cli/report/markdown.ts"
import { exampleReport } from "./exampleReport.ts"
import { hostileReport } from "./hostileReport.ts"

const benign = reportMarkdown(exampleReport)
const hostile = reportMarkdown(hostileReport)

/** The number of unescaped bars in each line of a table. */
const bars = (markdown: string): ReadonlyArray<number> =>
  markdown
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.match(/(?<!\\)\|/g)?.length ?? 0)

/** The text without blocks of code and without inline code. */
const outsideCode = (markdown: string): string =>
  markdown.replace(/^(`{3,})[\s\S]*?^\1$/gm, "").replace(/(?<!\\)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, "")

describe("the comment", () => {
  it("answers the five questions first", () => {
    const [heading = "", , , , ...rows] = benign.split("\n")
    expect(heading).toBe("## Risk rules: `1.0.0` → `draft`")
    expect(rows.slice(0, 5).map((row) => /\*\*(.+)\*\*/.exec(row)?.[1])).toEqual([
      "Are the files sound?",
      "Do the cases hold?",
      "Looser or stricter?",
      "Can a score or a control fall?",
      "What would it have changed?"
    ])
  })

  it("lists what is looser before what is stricter", () => {
    expect(benign.indexOf("`LOOKALIKE_DESTINATION` | looser")).toBeGreaterThan(0)
    expect(benign.indexOf("| looser |")).toBeLessThan(benign.indexOf("| stricter |"))
  })

  it("shows of a change that moves scores both ways one request for each way", () => {
    expect(benign).toContain("70 → **52** (−18), 44 → **71** (+27)")
    expect(benign).toContain('"entities_affected": 100')
  })

  it.each([
    ["of anybody", benign],
    ["of a hostile author", hostile]
  ])("closes every fold that it opens, %s", (_whose, markdown) => {
    expect(markdown.match(/^<details>/gm)).toHaveLength(markdown.match(/^<\/details>$/gm)?.length ?? 0)
  })

  it("keeps its tables whole, whatever a name or a message holds", () => {
    expect(bars(hostile)).toEqual(bars(benign))
  })

  it("lets no name or message become a tag, a link, a mention or an address", () => {
    const text = outsideCode(hostile)
    expect(text).not.toMatch(/<script|(?<!\\)\]\(|@everyone|www\.|:\/\//)
    expect(text.replaceAll(/<\/?(?:details|summary)>/g, "")).not.toMatch(/<[a-z/]/i)
  })
})

describe("code", () => {
  it("is fenced by more backticks than it contains", () => {
    expect(inlineCode("plain")).toBe("`plain`")
    expect(inlineCode("a`b``c")).toBe("``` a`b``c ```")
    expect(fencedCode("json", "```\n````")).toBe("`````json\n```\n````\n`````")
  })
})

describe("plain text", () => {
  it("keeps code and loses all other formatting", () => {
    expect(markdownText("there is no fact `a|b`: *see* [x](y) <b> @me")).toBe(
      String.raw`there is no fact ${"`"}a\|b${"`"}: \*see\* \[x\](y) &lt;b> &#64;me`
    )
  })
})
