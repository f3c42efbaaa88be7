/** The page of a report is complete, self-contained, readable with a screen reader, and no caller text becomes markup. */

import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import type { Report } from "../../../src/cli/report/Report.ts"
import { groupMoves } from "../../../src/cli/report/Report.ts"
import { reportPage } from "../../../src/cli/report/page.ts"
import { exampleReport } from "./exampleReport.ts"
import { hostileReport } from "./hostileReport.ts"

const page = reportPage(exampleReport)

const empty: Report = {
  ...exampleReport,
  date: null,
  check: { ok: true, files: 1, findings: [] },
  cases: { ok: true, findings: [], cases: { total: 1, failed: 0 }, groups: [] },
  diff: { from: "1.0.0", to: "draft", changes: [] },
  proof: { holds: true, covers: "Everything." },
  backtest: null,
  changelog: null
}

/** The tags in the order of the page: `main`, `/main`. Elements that close themselves are left out. */
const tagsOf = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/<(\/?[a-z][\w-]*)(?:"[^"]*"|[^">])*>/gi)]
    .filter(([tag]) => !tag.endsWith("/>"))
    .map(([, name = ""]) => name)

const unclosed = new Set(["meta"])

const values = (attribute: string, html = page): ReadonlyArray<string> =>
  [...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, "g"))].map(([, value = ""]) => value)

describe("the page", () => {
  it.each([
    ["with something in every part", page],
    ["with next to nothing", reportPage(empty)],
    ["of a hostile author", reportPage(hostileReport)]
  ])("closes every element that it opens, %s", (_which, html) => {
    const open: Array<string> = []
    const misplaced = tagsOf(html).filter((tag) => {
      if (tag.startsWith("/")) return open.pop() !== tag.slice(1)
      if (!unclosed.has(tag)) open.push(tag)
      return false
    })
    expect([misplaced, open]).toEqual([[], []])
  })

  it("needs nothing from outside: no script, no picture, no font, no address", () => {
    expect(page).not.toMatch(/<(?:script|link|img|iframe|object|embed|base|form)\b/i)
    expect(page).not.toMatch(/https?:|\bsrc=|url\(|@import|\son\w+=/i)
    expect(values("href").every((href) => href.startsWith("#"))).toBe(true)
  })

  it("has a policy that loads nothing and takes only its own style", () => {
    const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? []
    const digest = createHash("sha256").update(style).digest("base64")
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'">`.replaceAll(
        "'",
        "&#39;"
      )
    )
    expect(page.match(/<style/g)).toHaveLength(1)
    expect(values("style")).toEqual([])
  })

  it("names every part once, and every reference to a part is to one that is there", () => {
    const ids = values("id")
    expect(new Set(ids).size).toBe(ids.length)
    const referred = [
      ...values("aria-labelledby").flatMap((names) => names.split(" ")),
      ...values("href").map((href) => href.slice(1))
    ]
    expect(referred.filter((name) => !ids.includes(name))).toEqual([])
  })

  it("has charts that say what they show, each with its numbers as a table", () => {
    const figures = [...page.matchAll(/<figure>[\s\S]*?<\/figure>/g)].map(([figure]) => figure)
    expect(figures).toHaveLength(4)
    for (const figure of figures) {
      expect(figure).toMatch(/<svg [^>]*role="img" aria-label="[^"]+: [^"]+"/)
      expect(figure).toMatch(/<table>[\s\S]*<td class="number">/)
    }
    const graphics = page.match(/<svg [^>]*>/g) ?? []
    expect(graphics.filter((svg) => !/role="img"|aria-hidden="true"/.test(svg))).toEqual([])
  })

  it("draws charts in the colors of the page, so that light and dark are the reader's own", () => {
    const colours = [...values("fill"), ...values("stroke")]
    expect(colours.length).toBeGreaterThan(50)
    expect(colours.filter((colour) => colour !== "none" && !colour.startsWith("var(--"))).toEqual([])
    const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? []
    const used = new Set([...page.matchAll(/var\(--([\w-]+)/g)].map(([, name = ""]) => name))
    expect([...used].filter((name) => !style.includes(`--${name}:`))).toEqual([])
  })

  it("says the same for the same report, however often it is asked", () => {
    expect(reportPage(exampleReport)).toBe(page)
  })

  it("stays small", () => {
    expect(Buffer.byteLength(page)).toBeLessThan(60_000)
  })

  it("shows of a change that moves scores both ways one request for each way", () => {
    const card = page.slice(page.indexOf("NOVEL_DESTINATION"))
    expect(card.slice(0, card.indexOf("</article>"))).toMatch(/70<\/b> before[^]*44<\/b> before/)
  })

  it("shows falls in level before every other move", () => {
    expect(page.indexOf("Falls in level")).toBeGreaterThan(0)
    expect(page.indexOf("Falls in level")).toBeLessThan(page.indexOf("<figure>"))
    expect(page.indexOf("<figure>")).toBeLessThan(page.indexOf("The largest moves"))
  })
})

describe("moves of the same action by the same scores for the same reasons", () => {
  it("appear once, with how often they happen", () => {
    const [first, second] = exampleReport.backtest?.result.falls ?? []
    if (first === undefined || second === undefined) throw new Error("the example has two falls")
    const again = { ...first, line: 900, assessmentId: "another" }
    expect(groupMoves([first, second, again]).map(({ count, move }) => [move.line, count])).toEqual([
      [first.line, 2],
      [second.line, 1]
    ])
  })
})

describe("hostile text in names, messages and requests", () => {
  const hostile = reportPage(hostileReport)

  it("adds no element and no attribute to the page", () => {
    expect(tagsOf(hostile)).toEqual(tagsOf(page))
    const attributes = (html: string) =>
      [...html.matchAll(/<[a-z][^>]*>/gi)].map(([tag]) => tag.match(/ [\w-]+(?==")/g))
    expect(attributes(hostile)).toEqual(attributes(page))
  })

  it("is quoted letter by letter", () => {
    expect(hostile).toContain(
      "&lt;/code&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot; onload=&quot;x"
    )
    expect(hostile).not.toContain("<script")
  })

  it("cannot turn the direction of text: what cannot be seen is spelled out, in charts too", () => {
    expect(hostile).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    expect(hostile).toContain(String.raw`\u202e`)
  })
})
