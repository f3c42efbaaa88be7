/**
 * The README's first picture: the attack in the demo, as a reviewer sees it. `npm run picture` takes it again. The test
 * fails where the page no longer has the structure that the picture shows.
 */

import { Effect, ManagedRuntime } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { playStory, storyMode } from "../../src/cli/service/playStory.ts"
import { AppConfig } from "../../src/config.ts"
import { ConsoleListener } from "../../src/console/ConsoleListener.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { cookiesOf, launchChromium } from "../support/consoleBrowser.ts"
import { consoleService } from "../support/consoleVisitor.ts"
import { newKey, newOrganization } from "../support/fullService.ts"

const picture = join(packageRoot, "docs/images/console.png")
const bytesMax = 200_000
const viewport = { width: 1360, height: 880 }

const runtime = ManagedRuntime.make(consoleService)
let browser: Browser
let page: Page

const prepare = Effect.gen(function* () {
  const owner = yield* newOrganization("northwind")
  const key = yield* newKey(owner, storyMode, ["read", "reviews", "explain", "rules", "webhooks"])
  const caller = {
    organizationId: owner.id,
    organization: owner.slug,
    mode: storyMode,
    keyId: owner.id,
    keyName: null,
    scopes: ["assess"],
    environments: null,
    policySet: owner.policySet
  } as const
  yield* playStory(caller, Date.now(), () => {})
  return { key, url: (yield* ConsoleListener).url ?? "" }
}).pipe(Effect.provide(AppConfig.layerFrom({})))

beforeAll(async () => {
  const { key, url } = await runtime.runPromise(prepare)
  browser = await launchChromium()
  // One page fades into the next, and the picture shows none of the first.
  const context = await browser.newContext({ viewport, colorScheme: "light", reducedMotion: "reduce" })
  await context.addCookies(await cookiesOf(browser, url, key))
  page = await context.newPage()
  await page.goto(`${url}/${storyMode}/reviews`)
  await page.click("text=stripe.payouts.create")
  await page.waitForSelector("text=Blast radius")
})
afterAll(async () => {
  await browser?.close()
  await runtime.dispose()
})

/** The elements that the picture shows, with their classes; what is inside a drawing is left out. */
const structure = `(() => {
  const lines = []
  const walk = (element, depth) => {
    if (element.getBoundingClientRect().top > innerHeight) return
    const id = element.id === "" ? "" : "#" + element.id
    lines.push("  ".repeat(depth) + element.tagName.toLowerCase() + id + [...element.classList].map((name) => "." + name).join(""))
    if (element.tagName !== "svg") for (const child of element.children) walk(child, depth + 1)
  }
  walk(document.body, 0)
  return lines.join("\\n") + "\\n"
})()`

/** Width and height of a PNG are at fixed places of its first chunk. */
const sizeOf = (png: Buffer) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) })

it("shows the page as it is built today", async () => {
  await expect(await page.evaluate(structure)).toMatchFileSnapshot("../golden/console/readme-picture.txt")
  if (process.env["TAKE_PICTURE"] === "1") await page.screenshot({ path: picture })
  const taken = readFileSync(picture)
  expect(sizeOf(taken)).toEqual(viewport)
  expect(taken.length).toBeLessThan(bytesMax)
})

it("shows at a glance what is wrong", async () => {
  expect(await page.textContent("h1")).toBe("stripe.payouts.create")
  expect(await page.textContent(".score")).toMatch(/critical/i)
  expect(await page.textContent("main")).toContain(
    "differs by a letter or digit from one that the organization uses"
  )
})
