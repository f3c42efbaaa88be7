/** The complete opinions on twelve examples. `npm run golden` rewrites them; review the difference like code. */

import { NodeServices } from "@effect/platform-node"
import { ConfigProvider, Effect, Layer, ManagedRuntime } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { Scorer } from "../../src/assessment/Scorer.ts"
import { assessOffline } from "../../src/cli/assessOffline.ts"
import { readRequestFile } from "../../src/cli/operatorFiles.ts"
import { AppConfig } from "../../src/config.ts"
import { openedRules } from "../support/openedRules.ts"

const root = join(import.meta.dirname, "../..")

const names = [
  "aws-iam-admin-policy",
  "aws-s3-get-object",
  "google-calendar-meeting",
  "hubspot-newsletter",
  "kubernetes-delete",
  "mcp-write-file",
  "netsuite-restlet",
  "salesforce-export",
  "shell-in-production",
  "slack-post",
  "sql-drop-table",
  "stripe-payout"
]

const settings = AppConfig.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({}))))
const services = Layer.merge(Scorer.layer.pipe(Layer.provide([settings, openedRules])), NodeServices.layer)

/** Ids, times and digests differ between runs or are not part of the opinion. */
const unlike = new Set([
  "assessment_id",
  "action_id",
  "request_id",
  "timing",
  "processing_time_ms",
  "created_at",
  "risk_engine_version",
  "policy_version"
])

const opinionOn = Effect.fnUntraced(function* (name: string) {
  const { action } = yield* readRequestFile(join(root, "examples/requests", `${name}.json`))
  const response = yield* assessOffline(action, { mode: "test", policySet: "none" })
  return Object.fromEntries(Object.entries(response).filter(([field]) => !unlike.has(field)))
})

const runtime = ManagedRuntime.make(services)
afterAll(() => runtime.dispose())

describe("the opinion on", () => {
  it.each(names)("%s is unchanged", async (name) => {
    const text = `${JSON.stringify(await runtime.runPromise(opinionOn(name)), null, 2)}\n`
    await expect(text).toMatchFileSnapshot(join(root, "test/golden/assessments", `${name}.json`))
  })
})

describe("examples/README.md", () => {
  const readme = readFileSync(join(root, "examples/README.md"), "utf8")
  const described = [...readme.matchAll(/^- \[`([^`]+)\.json`\]\([^)]+\) (\w+):/gm)]

  it("describes every request by one line", () => {
    const files = readdirSync(join(root, "examples/requests")).toSorted()
    expect(described.map(([, name]) => `${name}.json`)).toEqual(files)
  })

  it.each(described.map(([, name = "", level = ""]) => ({ name, level })))(
    "says rightly that $name is $level",
    async ({ level, name }) => {
      expect(await runtime.runPromise(opinionOn(name))).toMatchObject({ action_risk: { level } })
    }
  )
})
