/** Open pages of the console while its service restarts and while its database is down: typed text is kept, and no page reloads endlessly. */

import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ConsoleListener } from "../../src/console/ConsoleListener.ts"
import { Database } from "../../src/storage/Database.ts"
import { onCluster, TestDatabase } from "../support/TestDatabase.ts"
import { complaintsOf, cookiesOf, launchChromium } from "../support/consoleBrowser.ts"
import { assessed } from "../support/consoleVisitor.ts"
import { fullService, newKey, newOrganization } from "../support/fullService.ts"

const database = ManagedRuntime.make(TestDatabase.layer)

/** The whole service on the one database; the same port lets an open page find it again. */
const start = async (port: string) => {
  const shared = Layer.succeedContext(await database.context())
  const service = ManagedRuntime.make(fullService({ CONSOLE_PORT: port }, undefined, shared))
  await service.context()
  return service
}

let service: Awaited<ReturnType<typeof start>>
let browser: Browser
let page: Page
let complaints: ReadonlyArray<string> = []
let url = ""
let id = ""

const prepare = Effect.gen(function* () {
  const owner = yield* newOrganization("acme")
  const agent = yield* newKey(owner, "test", ["assess"])
  const { assessment_id } = yield* assessed(agent, {
    action_type: "hubspot.contacts.export",
    environment: "production",
    destination: "sftp://files.partner.example/inc"
  })
  const key = yield* newKey(owner, "test", ["read", "reviews", "explain", "rules", "webhooks"])
  const console = (yield* ConsoleListener).url ?? ""
  return { id: assessment_id, key, url: console }
})

beforeAll(async () => {
  service = await start("0")
  const made = await service.runPromise(prepare)
  ;({ id, url } = made)
  browser = await launchChromium()
  const context = await browser.newContext()
  await context.addCookies(await cookiesOf(browser, url, made.key))
  page = await context.newPage()
  complaints = complaintsOf(page)
})
afterAll(async () => {
  await browser.close()
  await service.dispose()
  await database.dispose()
})

describe("an open page", () => {
  it("outlives a restart of the service: it says so, keeps what was typed, and goes on", async () => {
    await page.goto(`${url}/test/assessments/${id}`)
    let loads = 0
    page.on("load", () => loads++)
    await page.fill("#note", "half a thought")
    await service.dispose()
    await page.selectOption("#if-data_classification", "public")
    await page.waitForSelector("#what-if-head >> text=does not answer right now")
    await page.click("text=Replay")
    await page.waitForSelector("#replayed >> text=does not answer right now")
    service = await start(new URL(url).port)
    await page.selectOption("#if-data_classification", "internal")
    await page.waitForSelector("#what-if-head >> text=becomes")
    expect(await page.locator("#what-if-head >> text=does not answer").count()).toBe(0)
    await page.click("text=Replay")
    await page.waitForSelector("#replayed >> text=Equal, byte for byte.")
    expect([await page.inputValue("#note"), loads]).toEqual(["half a thought", 0])
    expect(complaints.filter((text) => !text.includes("Failed to load resource"))).toEqual([])
  })
})

const screens = ["reviews", "assessments", "evidence", "webhooks"]

describe("with the database away", () => {
  it("each page is one honest error that loads nothing again, and everything is back with the database", async () => {
    const name = new URL(Redacted.value((await database.runPromise(Database)).url)).pathname.slice(1)
    const allow = (allowed: boolean) =>
      Effect.runPromise(
        onCluster((sql) =>
          Effect.andThen(
            sql.unsafe(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allowed}`),
            sql`
              SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name} AND NOT ${allowed}::boolean
            `
          )
        )
      )
    await allow(false)
    let answers = 0
    page.on("response", (response) => (answers += response.url().includes("/test/") ? 1 : 0))
    for (const path of [...screens, `assessments/${id}`]) {
      const answer = await page.goto(`${url}/test/${path}`)
      expect([path, answer?.status()]).toEqual([path, 503])
      expect(await page.textContent("h1")).toBe("Nothing can be shown right now")
      expect(await page.locator(".level").count()).toBe(0)
    }
    expect(answers).toBe(screens.length + 1)
    await allow(true)
    for (const path of screens)
      await expect
        .poll(async () => (await page.goto(`${url}/test/${path}`))?.status(), { timeout: 20_000 })
        .toBe(200)
  })
})
