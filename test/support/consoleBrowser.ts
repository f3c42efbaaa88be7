/** Chromium on the console of a service of its own, with reviews to look at; what it complains about is kept. */

import { Effect, ManagedRuntime } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page
} from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import { ConsoleListener } from "../../src/console/ConsoleListener.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { assessed, consoleService } from "./consoleVisitor.ts"
import { newKey, newOrganization } from "./fullService.ts"

const screenshots = join(packageRoot, ".screenshots")

/** Nothing that Chromium does by itself may reach the network. As root it needs --no-sandbox. */
const switches = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

const risky = {
  action_type: "hubspot.contacts.export",
  environment: "production",
  agent_id: "crm-cleaner",
  target_resource: "list 118, newsletter subscribers",
  destination: "sftp://files.partner.example/inc"
}

const hostile = {
  action_type: "files.upload\u202e<script>alert(1)</script>",
  environment: "production",
  agent_id: "\u001b[31mroot\u001b[0m",
  target_resource: `"'><svg onload=alert(3)> invoice\u202excod.exe \u2066hidden\u2069`,
  destination: `https://p\u0430yp\u0430l.example/${"x".repeat(180)}`,
  records_affected: 90_000
}

interface Made {
  readonly url: string
  readonly key: string
  /** Assessments that wait for a review, newest first. */
  readonly open: ReadonlyArray<string>
  readonly hostile: string
}

const prepare = Effect.gen(function* () {
  const { url } = yield* ConsoleListener
  const owner = yield* newOrganization("acme")
  const agent = yield* newKey(owner, "test", ["assess"])
  const ids: Array<string> = []
  for (const request of [hostile, risky, { ...risky, agent_id: "other" }, { ...risky, agent_id: "third" }])
    ids.unshift((yield* assessed(agent, request)).assessment_id)
  yield* assessed(agent, { action_type: "calendar.events.list", environment: "development" })
  const key = yield* newKey(owner, "test", ["read", "reviews", "explain"])
  return { url: url ?? "", key, open: ids.slice(0, 3), hostile: ids.at(-1) ?? "" } satisfies Made
})

export interface OpenPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors and warnings of the browser, dialogs, and violations of the content security policy. */
  readonly complaints: ReadonlyArray<string>
}

export const consoleBrowser = () => {
  const runtime = ManagedRuntime.make(consoleService)
  let made: Made = { url: "", key: "", open: [], hostile: "" }
  let browser: Browser | undefined
  let cookies: Awaited<ReturnType<BrowserContext["cookies"]>> = []

  const opened = async (options: BrowserContextOptions): Promise<OpenPage> => {
    if (browser === undefined) throw new Error("the browser was not started")
    const context = await browser.newContext(options)
    await context.addCookies(cookies)
    const page = await context.newPage()
    const complaints: Array<string> = []
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text())
    })
    page.on("pageerror", ({ message }) => complaints.push(message))
    page.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    return { page, context, complaints }
  }

  beforeAll(async () => {
    mkdirSync(screenshots, { recursive: true })
    made = await runtime.runPromise(prepare)
    browser = await chromium.launch({
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: switches
    })
    const { context, page } = await opened({})
    await page.goto(`${made.url}/sign-in`)
    await page.fill("#key", made.key)
    await page.click("button.primary")
    await page.waitForURL(/reviews/)
    cookies = await context.cookies()
    await context.close()
  })
  afterAll(async () => {
    await browser?.close()
    await runtime.dispose()
  })

  return {
    made: () => made,
    /** A page of somebody who is signed in. */
    opened,
    at: (path: string) => `${made.url}/test/${path}`,
    /** Kept for people to look at; nothing compares them. */
    picture: (page: Page, name: string) =>
      page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true })
  }
}
