/** docs/webhooks.md is correct: the test follows its five minutes against a real service, and compares what it shows. */

import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { reviewOutcomes } from "../../src/domain/Review.ts"
import { deliveryStatuses, webhookEventTypes } from "../../src/domain/WebhookEvent.ts"
import * as Limits from "../../src/limits.ts"
import { serving, type Serving } from "../support/actionRisk.ts"
import { usageProblem } from "../support/commandLine.ts"
import { removeDataDirectory } from "../support/dataDirectory.ts"
import { migratedDirectory } from "../support/migratedDirectory.ts"
import { freePort } from "../support/freePort.ts"
import { listening, type Listening } from "../support/listening.ts"
import { webhooksPage } from "./webhooksPage.ts"

const root = join(import.meta.dirname, "../..")
const read = (path: string) => readFileSync(join(root, path), "utf8")
const page = read("docs/webhooks.md")

/** A marked command of the page, in reading order. */
const steps = [
  ...page.matchAll(
    /^<!-- step (?<step>\d)(?:, prints: (?<prints>.+))? -->\n+```sh\n(?<command>[\s\S]+?)```$/gm
  )
].map(({ groups = {} }) => ({
  step: Number(groups["step"]),
  prints: groups["prints"] ?? "",
  command: (groups["command"] ?? "").trim()
}))

const dataDirectory = migratedDirectory()
let server: Serving
let ports: { readonly pretty: number; readonly json: number }
let pretty: Listening | undefined
let json: Listening | undefined

/** The variables that a reader exports on the way. */
const exported: Record<string, string> = {}

const type = async (command: string): Promise<string> => {
  const here = command
    .replaceAll(/http:\/\/127\.0\.0\.1:3000\b/g, server.url)
    .replaceAll(/http:\/\/127\.0\.0\.1:4000\b/g, `http://127.0.0.1:${ports.pretty}`)
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", here], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDirectory, FORCE_COLOR: undefined, ...exported }
  })
  return stdout
}

const stepOf = async (step: number): Promise<string> => {
  const { command = "", prints = "" } = steps.find((one) => one.step === step) ?? {}
  const printed = await type(command)
  expect(printed).toContain(prints)
  return printed
}

beforeAll(async () => {
  server = await serving({ env: { DATA_DIR: dataDirectory, WEBHOOK_ALLOW_INSECURE: "loopback" } })
  ports = { pretty: await freePort(), json: await freePort() }
}, 90_000)

afterAll(async () => {
  await Promise.all([pretty?.end(), json?.end()])
  server.signal("SIGTERM")
  await server.finished
  removeDataDirectory(dataDirectory)
}, 60_000)

const id = "01234567-89ab-7def-8123-456789abcdef"
const hex = id.replaceAll("-", "")

/** Ids and times differ between runs; the page shows obviously invented ones. */
const plainly = (text: string): string =>
  text
    .replaceAll(/^\d\d:\d\d:\d\d /gm, "12:00:00 ")
    .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"2026-12-01T12:00:00.000Z"')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, id)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, id.replace("-7", "-4"))
    .replaceAll(/evt_[0-9a-f]{32}/g, `evt_${hex}`)
    .replaceAll(/req_[0-9A-Z]{26}/g, "req_01ARZ3NDEKTSV4RRFFQ69G5FAV")

/** Each begins with its time; they come in any order. */
const deliveriesIn = (text: string): ReadonlyArray<string> =>
  plainly(text)
    .split(/^(?=\d\d:\d\d:\d\d )/m)
    .filter((part) => /^\d\d:/.test(part))
    .map((part) => part.trimEnd())
    .toSorted()

describe("the five minutes of docs/webhooks.md", { timeout: 60_000 }, () => {
  it("lead from an empty start to a verified event on the screen", async () => {
    const [key] = steps
    exported["ACTION_RISK_KEY"] = (await type(`${key?.command}; echo $ACTION_RISK_KEY`)).trim()
    const endpoint = JSON.parse(await stepOf(2))
    exported["ENDPOINT"] = endpoint.id
    exported["WEBHOOK_SECRET"] = endpoint.secret
    pretty = await listening([], { WEBHOOK_SECRET: endpoint.secret }, ports.pretty)
    await stepOf(3)
    await pretty.printed(/  ping\n.+ verified/)
    await stepOf(4)
    await pretty.printed(/_opened, verified/)
    const printed = await pretty.printed(/_critical, verified/)
    const [, told = ""] = /<!-- what the listener prints -->\n+```text\n([\s\S]+?)```/.exec(page) ?? []
    expect(deliveriesIn(printed)).toEqual(deliveriesIn(told))
  })

  it("continue with the results of deliveries, and with closed reviews", async () => {
    await stepOf(5)
    await stepOf(6)
    const [review] = JSON.parse(await stepOf(7)).data
    exported["REVIEW"] = review.id
    expect(JSON.parse(await stepOf(8))).toMatchObject({ id: review.id, outcome: "risk_rejected" })
  })

  it("leave no marked command out", () => {
    expect(steps.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })
})

describe("the payload of docs/webhooks.md", { timeout: 60_000 }, () => {
  it("is what the service sends", async () => {
    const create = steps[1]?.command.replace(":4000/", `:${ports.json}/`) ?? ""
    const { secret } = JSON.parse(await type(create))
    json = await listening(["--json"], { WEBHOOK_SECRET: secret }, ports.json)
    await stepOf(4)
    const [line = ""] = /^.*_critical.*$/m.exec(await json.printed(/_critical.*\n/)) ?? []
    const { event, verified } = JSON.parse(line)
    expect(verified).toBe(true)
    await expect(`${plainly(JSON.stringify(event, null, 2))}\n`).toMatchFileSnapshot(
      "../../examples/webhook-receiver/payload.json"
    )
  })
})

describe("docs/webhooks.md", () => {
  it("shows the files and the schedule as they are: `npm run golden` writes them", () => {
    expect(page).toBe(webhooksPage(page, read))
  })

  const firstCells = (heading: string): ReadonlyArray<string> => {
    const [, table = ""] = new RegExp(`\\| ${heading} +\\|.*\\n\\|[-| ]+\\n((?:\\|.*\\n)+)`).exec(page) ?? []
    return [...table.matchAll(/^\| `([\w.]+)`/gm)].map(([, cell = ""]) => cell)
  }

  it("lists every event, every status and every outcome", () => {
    expect(firstCells("`type`")).toEqual(webhookEventTypes)
    expect(firstCells("`status`").toSorted()).toEqual(deliveryStatuses.toSorted())
    expect(reviewOutcomes.filter((outcome) => !page.includes(`\`${outcome}\``))).toEqual([])
  })

  it("has the limits of the service", () => {
    const told = [
      `2xx within ${Limits.webhookTotalMs / 1_000} seconds`,
      `up to ${Limits.webhookRetryAfterSecondsMax / 3_600} hours`,
      `by up to ${Limits.webhookJitterPercent} %`,
      `For ${Limits.webhookSecretOverlapHours} hours`,
      `After ${{ 120: "five" }[Limits.webhookFailingHoursMax]} days`
    ]
    expect(told.filter((text) => !page.includes(text))).toEqual([])
    for (const status of ["delivered", "dead"])
      expect(page).toMatch(new RegExp(`\`${status}\`.* ${Limits.webhookKeptDays} days`))
  })

  const commands = [...page.matchAll(/npx (action-risk [^`\n)]+)/g)].map(([, command = ""]) => command)

  it.each(commands)("names an existing command: %s", async (command) => {
    const typed = command.replace("$ENDPOINT", "01a1faa8-096b-732a-8637-7ff3434a9d23")
    expect(await usageProblem(typed)).toBeNull()
  })
})
