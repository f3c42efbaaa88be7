/** Chromium on the console of a separate service, with reviews to read; its errors are recorded. */

import { Effect, ManagedRuntime } from "effect"
import { existsSync, mkdirSync } from "node:fs"
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
import { laterReleases, rulesAt } from "./changedRules.ts"
import { assessed, consoleServiceOf } from "./consoleVisitor.ts"
import { newKey, newOrganization } from "./fullService.ts"
import { Seals, sealUnsealed } from "../../src/evidence/Seals.ts"
import { ListeningServer } from "../../src/server/HttpServer.ts"
import { facets } from "../../src/storage/facets/facetTables.ts"
import { SealFollower } from "../../src/storage/facets/followSeals.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"

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

const webhook = {
  url: "https://hooks.example.com/risk?to=<script>",
  events: ["assessment.high", "assessment.critical", "ping"],
  description: `"'></p><img src=x onerror=alert(4)> pager\u202e`
}

/** Possible final states of deliveries; nothing is sent in these tests. */
const variety = [
  ["delivered", 204],
  ["failed", 500],
  ["dead", null]
] as const

interface Made {
  readonly url: string
  readonly key: string
  /** A key for assessing. */
  readonly agent: string
  /** Assessments that wait for a review, newest first. */
  readonly open: ReadonlyArray<string>
  readonly hostile: string
  readonly endpoint: string
  /** An assessment of an unknown tool. */
  readonly unknown: string
}

const prepare = Effect.gen(function* () {
  const { url } = yield* ConsoleListener
  const owner = yield* newOrganization("acme")
  const agent = yield* newKey(owner, "test", ["assess", "webhooks"])
  const endpoint = yield* madeEndpoint(agent)
  const ids: Array<string> = []
  for (const request of [hostile, risky, { ...risky, agent_id: "other" }, { ...risky, agent_id: "third" }])
    ids.unshift((yield* assessed(agent, request)).assessment_id)
  yield* assessed(agent, { action_type: "calendar.events.list", environment: "development" })
  const unknown = yield* assessed(agent, { action_type: "wms.slots.reshuffle", environment: "staging" })
  const key = yield* newKey(owner, "test", ["read", "reviews", "explain", "rules", "webhooks"])
  const sql = (yield* ModeSql).for("test")
  for (const [status, code] of variety)
    yield* sql`
      UPDATE webhook_deliveries SET status = ${status}, attempts = 1, last_status = ${code}, next_attempt_at = CASE WHEN ${status} = 'failed' THEN next_attempt_at END
      WHERE delivery_id = (SELECT delivery_id FROM webhook_deliveries WHERE status = 'pending' ORDER BY delivery_id LIMIT 1)
    `
  yield* sealUnsealed("test").pipe(Effect.provide(Seals.layer))
  yield* SealFollower.use(({ follow }) => follow(facets, "test", [owner.id])).pipe(
    Effect.provide(SealFollower.layer)
  )
  return {
    url: url ?? "",
    key,
    agent,
    open: ids.slice(0, 3),
    hostile: ids.at(-1) ?? "",
    endpoint,
    unknown: unknown.assessment_id
  } satisfies Made
})

const madeEndpoint = Effect.fnUntraced(function* (key: string) {
  const { url } = yield* ListeningServer
  const answer = yield* Effect.promise(() =>
    fetch(`${url}/api/v1/webhook-endpoints`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(webhook)
    })
  )
  const { id } = (yield* Effect.promise(() => answer.json())) as { readonly id: string }
  return id
})

export interface OpenPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors and warnings of the browser, dialogs, and violations of the content security policy. */
  readonly complaints: ReadonlyArray<string>
}

/** A session may ask for 120 pages a minute, and a fast machine runs more of these tests than that. */
const sessions = 4

/** Generous, for a busy machine. */
const launchMs = 90_000

/** Fails with instructions if there is no browser, because a console without a browser is untested. */
export const launchChromium = async (): Promise<Browser> => {
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium"
  if (!existsSync(executablePath))
    throw new Error(
      `there is no Chromium at ${executablePath}: apt-get install --no-install-recommends chromium fonts-dejavu-core, or name one with CHROMIUM`
    )
  return await chromium.launch({ executablePath, args: switches, timeout: launchMs })
}

/** Chromium rejects one of its promises if a page closes or appears before it fades in, which people do not notice. */
const noFade = /^Transition was (?:aborted|skipped)/

/** Errors of a browser from now on. */
export const complaintsOf = (page: Page): ReadonlyArray<string> => {
  const complaints: Array<string> = []
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text())
  })
  page.on("pageerror", ({ message }) => {
    if (!noFade.test(message)) complaints.push(message)
  })
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return complaints
}

/** Signs in with a key, and returns the cookies. */
export const cookiesOf = async (browser: Browser, url: string, key: string) => {
  const context = await browser.newContext({})
  const page = await context.newPage()
  await page.goto(`${url}/sign-in`)
  await page.fill("#key", key)
  await page.click("button.primary")
  await page.waitForURL(/reviews/)
  const cookies = await context.cookies()
  await context.close()
  return cookies
}

export const consoleBrowser = () => {
  const runtime = ManagedRuntime.make(consoleServiceOf(rulesAt(laterReleases("1.1.0"))))
  let made: Made = { url: "", key: "", agent: "", open: [], hostile: "", endpoint: "", unknown: "" }
  let browser: Browser | undefined
  const cookies: Array<Awaited<ReturnType<BrowserContext["cookies"]>>> = []
  let contexts = 0

  /** One more review, sealed as the service would a second later. */
  const oneMore = () =>
    runtime.runPromise(
      Effect.andThen(
        assessed(made.agent, { ...risky, agent_id: "late" }),
        sealUnsealed("test").pipe(Effect.provide(Seals.layer))
      )
    )

  const opened = async (options: BrowserContextOptions): Promise<OpenPage> => {
    if (browser === undefined) throw new Error("the browser was not started")
    const context = await browser.newContext(options)
    context.setDefaultTimeout(launchMs)
    await context.addCookies(cookies[contexts++ % sessions] ?? [])
    const page = await context.newPage()
    return { page, context, complaints: complaintsOf(page) }
  }

  beforeAll(async () => {
    mkdirSync(screenshots, { recursive: true })
    made = await runtime.runPromise(prepare)
    browser = await launchChromium()
    while (cookies.length < sessions) cookies.push(await cookiesOf(browser, made.url, made.key))
  })
  afterAll(async () => {
    await browser?.close()
    await runtime.dispose()
  })

  return {
    made: () => made,
    oneMore,
    /** A page of a visitor who is signed in. */
    opened,
    at: (path: string) => `${made.url}/test/${path}`,
    /** Saved for people; nothing compares them. */
    picture: (page: Page, name: string) =>
      page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true })
  }
}
