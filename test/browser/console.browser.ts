/** The console as people use it, in Chromium: with and without script, with only the keyboard, in both themes, narrow and wide. */

import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { rewordedFactor } from "../support/changedRules.ts"
import { consoleBrowser } from "../support/consoleBrowser.ts"

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")
const { at, made, oneMore, opened, picture } = consoleBrowser()

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  const found = await page.evaluate(
    `axe.run({ runOnly: ${JSON.stringify(rules)} }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 160) + " " + (nodes[0].any[0]?.message ?? "")))`
  )
  return found as ReadonlyArray<string>
}

const pages = [
  ["sign-in", () => "../sign-in"],
  ["reviews", () => "reviews"],
  ["closed", () => "reviews?state=closed"],
  ["assessments", () => "assessments"],
  ["no assessments", () => "assessments?agent_id=nobody"],
  ["overview", () => "overview"],
  ["assessment", () => `assessments/${made().open[0]}`],
  ["what-if", () => `assessments/${made().open[0]}?if.records_affected=5&if.data_classification=public`],
  ["hostile", () => `assessments/${made().hostile}`],
  ["suggestion", () => `assessments/${made().unknown}/suggestion`],
  ["rules", () => "rules"],
  ["no rules", () => "rules?q=nobody+wrote+that"],
  ["rule", () => "rules/LOOKALIKE_DESTINATION"],
  ["policy", () => "rules/policies/new-payees-are-called-back"],
  ["compare", () => "rules/compare?from=1.0.0&to=1.1.0"],
  ["same release", () => "rules/compare?from=1.0.0&to=1.0.0"],
  ["evidence", () => "evidence?from=1&to=4"],
  ["webhooks", () => "webhooks"],
  ["webhook", () => `webhooks/${made().endpoint}`],
  ["no deliveries", () => `webhooks/${made().endpoint}?cursor=2020-01-01T00:00:00Z`],
  ["nowhere", () => "nowhere"]
] as const

/** Lists elements that moved without a user action, with the position before and after. */
const listShifts = `
  window.moved = []
  const place = ({ x, y, width, height }) => [x, y, width, height].join(" ")
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, sources } of list.getEntries())
      for (const { currentRect, node, previousRect } of hadRecentInput ? [] : sources)
        moved.push([node?.outerHTML ?? node?.textContent, place(previousRect), place(currentRect)])
  }).observe({ type: "layout-shift", buffered: true })
`

/** A page takes seconds, so Chromium draws it in parts unless it is told to wait. */
const slowNetwork = { offline: false, latency: 20, downloadThroughput: 12_000, uploadThroughput: 50_000 }

/** For pages that wait for a thread, on a busy machine. */
const settleMs = 180_000
const triesMax = 4

/** The browser itself logs that a page was not found, and that one was reloaded. */
const expected = /status of (?:404|503)/

/** Pages that wait for a thread reload themselves until they are complete. */
const settled = async (page: Page, url: string): Promise<void> => {
  // On an overloaded machine a page may be a genuine error, which people would reload.
  for (let tries = 1; (await page.goto(url))?.status() === 503; tries++)
    if (tries === triesMax) throw new Error(`${url} was answered 503, ${triesMax} times`)
  await page.waitForSelector("progress", { state: "detached", timeout: settleMs })
}

const looks = [390, 1360].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme }))
)

describe("every page", () => {
  it.each(pages.flatMap(([name, path]) => looks.map((look) => ({ name, path, ...look }))))(
    "$name is accessible and fits, $colorScheme at $width",
    async ({ colorScheme, name, path, width }) => {
      const { complaints, context, page } = await opened({
        viewport: { width, height: 900 },
        colorScheme,
        bypassCSP: true
      })
      await settled(page, at(path()))
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
      await picture(page, `${name}-${width}-${colorScheme}`)
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
      expect(complaints.filter((text) => !expected.test(text))).toEqual([])
      await context.close()
    }
  )
})

describe("every page as delivered", () => {
  // One context, and the policy in force: the checks above need it out of the way.
  it("violates no policy, logs no error and shifts no content", async () => {
    const { complaints, context, page } = await opened({ viewport: { width: 1360, height: 900 } })
    await page.addInitScript(listShifts)
    for (const [name, path] of pages) {
      await settled(page, at(path()))
      expect([name, await page.evaluate("window.moved")]).toEqual([name, []])
    }
    expect(complaints.filter((text) => !expected.test(text))).toEqual([])
    await context.close()
  })

  it("shifts no content while it arrives slowly", async () => {
    const { context, page } = await opened({ viewport: { width: 1360, height: 900 } })
    await page.addInitScript(listShifts)
    const session = await context.newCDPSession(page)
    await session.send("Network.emulateNetworkConditions", slowNetwork)
    for (const path of ["reviews", "overview", `webhooks/${made().endpoint}`]) {
      await settled(page, at(path))
      expect([path, await page.evaluate("window.moved")]).toEqual([path, []])
    }
    await context.close()
  })

  it("can be reached and left with only the keyboard, from the list of screens on", async () => {
    const { complaints, context, page } = await opened({})
    await page.goto(at("reviews"))
    for (const name of ["Assessments", "Overview", "Rules", "Evidence", "Webhooks"]) {
      await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name }).focus()
      await page.keyboard.press("Enter")
      await page.waitForSelector(`h1 >> text=${name}`)
    }
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await page.waitForSelector("text=Events it receives")
    await page
      .getByRole("button", { name: /Deliver again/ })
      .first()
      .focus()
    await page.keyboard.press("Enter")
    await page.waitForSelector("text=Queued.")
    expect(complaints).toEqual([])
    await context.close()
  })

  it("works without any script: rules are searched, releases compared, a range verified", async () => {
    const { context, page } = await opened({ javaScriptEnabled: false })
    await page.goto(at("rules"))
    await page.fill("#q", "one letter away")
    await page.click("text=Search")
    expect(await page.locator(".item.rule").count()).toBe(1)
    await page.goto(at(`rules/${rewordedFactor}`))
    await page.click(".past span a >> nth=0")
    await page.waitForSelector(`#${rewordedFactor}`, { timeout: settleMs })
    await page.goto(at("evidence"))
    await page.locator("#verify button").click()
    await page.waitForSelector("#verify >> text=are as they were sealed")
    expect(await page.textContent("#verify")).toContain("are as they were sealed")
    await context.close()
  })
})

describe("a reviewer", () => {
  it("asks what if while typing: the answer comes, the link follows, the field keeps the focus and nothing moves", async () => {
    const { complaints, context, page } = await opened({ viewport: { width: 1360, height: 900 } })
    await page.goto(at(`assessments/${made().open[0]}`))
    const top = () =>
      page.locator("#if-records_affected").evaluate((field) => field.getBoundingClientRect().top)
    const before = await page.locator("#what-if-head").textContent()
    const start = await top()
    await page.selectOption("#if-data_classification", "public")
    await page.waitForURL(/if\.data_classification=public/)
    expect(await page.locator("#what-if-head").textContent()).not.toBe(before)
    expect(await page.locator("#what-if-head svg").count()).toBeGreaterThan(1)
    expect(await top()).toBe(start)
    await page.focus("#if-records_affected")
    await page.keyboard.type("12.5")
    await page.waitForSelector("#what-if-head >> text=must be an integer")
    expect(await page.evaluate("document.activeElement?.id")).toBe("if-records_affected")
    const shown = async () => [
      await page.locator("#what-if-head").innerHTML(),
      await page.locator("#what-if-diff").innerHTML()
    ]
    const live = await shown()
    await page.reload()
    expect(await shown()).toEqual(live)
    expect(complaints).toEqual([])
    await context.close()
  })

  it("is told how many reviews are new while the rows stay where they are, and the mark leads to them", async () => {
    const { complaints, context, page } = await opened({})
    await page.goto(at("reviews"))
    const rows = await page.locator(".list").innerText()
    await oneMore()
    await page.waitForSelector("text=1 new")
    await oneMore()
    await page.waitForSelector("text=2 new")
    expect(await page.locator(".list").innerText()).toBe(rows)
    await page.click("text=2 new")
    await page.waitForSelector(".list >> text=late")
    expect(await page.locator(".list >> text=late").count()).toBe(2)
    expect(complaints).toEqual([])
    await context.close()
  })

  it("works with only the keyboard, and can turn single keys off", async () => {
    const { complaints, context, page } = await opened({})
    await page.goto(at("reviews"))
    const second = await page.locator(".list .item a").nth(1).getAttribute("href")
    await page.keyboard.press("j")
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await page.waitForURL(`**${second ?? "no review"}`)
    await page.keyboard.press("r")
    await page.waitForSelector("#replayed >> text=Equal, byte for byte.")
    await page.keyboard.press("3")
    expect(await page.isChecked("input[value=risk_rejected]")).toBe(true)
    await page.keyboard.press("Shift+?")
    await page.check("[data-keys-off]")
    await page.keyboard.press("Escape")
    await page.locator("h1").click()
    await page.keyboard.press("1")
    expect(await page.isChecked("input[value=acknowledged]")).toBe(false)
    expect(complaints).toEqual([])
    await context.close()
  })

  it("reads, asks, replays and closes without any script", async () => {
    const { context, page } = await opened({ javaScriptEnabled: false })
    const [, , third] = made().open
    await page.goto(at(`assessments/${third}`))
    await page.selectOption("#if-data_classification", "public")
    await page.click("text=Ask again")
    expect(await page.textContent("#what-if-head")).toContain("becomes")
    await page.click("text=Replay")
    expect(await page.textContent("#replayed")).toContain("Equal, byte for byte.")
    await page.check("input[value=acknowledged]")
    await page.fill("#note", "Planned.")
    await page.click("text=Close review")
    await page.waitForURL(/closed=/)
    await page.click("text=Look at it again")
    expect(await page.textContent("#review")).toContain("Acknowledged")
    await context.close()
  })
})

describe("another site", () => {
  it("cannot frame a page, send a form or read the session, and its links arrive signed in", async () => {
    const { context } = await opened({})
    const target = at(`assessments/${made().open[0]}`)
    const closing = at(`reviews/${made().open[0]}/close`)
    const evil = createServer((_request, response) => {
      response.setHeader("content-type", "text/html")
      response.end(
        `<a id="go" href="${target}">link</a><form id="form" method="post" action="${closing}"><input name="outcome" value="risk_accepted"></form><iframe src="${at("reviews")}"></iframe>`
      )
    }).listen(0)
    const { port } = evil.address() as AddressInfo
    try {
      // The same host on another port is the same site, but another origin.
      for (const host of ["localhost", "127.0.0.1"]) {
        const page = await context.newPage()
        await page.goto(`http://${host}:${port}/`)
        const framed = page.frames()[1]
        expect(await framed?.evaluate("document.body?.innerText ?? ''").catch(() => "")).not.toContain(
          "Reviews"
        )
        await page.click("#go")
        await page.waitForSelector("text=Blast radius")
        await page.goto(`http://${host}:${port}/`)
        const [answer] = await Promise.all([
          page.waitForResponse((response) => response.url() === closing),
          page.evaluate("document.getElementById('form').submit()")
        ])
        expect(answer.status()).toBe(403)
        await page.waitForURL(closing)
        await page.goto(target)
        expect(await page.evaluate("document.cookie")).toBe("")
        await page.close()
      }
    } finally {
      evil.close()
      await context.close()
    }
  })

  it("runs nothing through what an agent sent", async () => {
    const { complaints, context, page } = await opened({})
    const lists = ["reviews", "assessments", "evidence", "webhooks", `webhooks/${made().endpoint}`]
    for (const path of [
      ...lists,
      `assessments/${made().hostile}/suggestion`,
      `assessments/${made().hostile}`
    ]) {
      await page.goto(at(path))
      expect(
        await page.evaluate("document.querySelectorAll('main script, main img, main [onload]').length")
      ).toBe(0)
    }
    expect(await page.textContent("h1")).toContain(String.raw`\u202e<script>`)
    expect(complaints).toEqual([])
    await context.close()
  })
})
