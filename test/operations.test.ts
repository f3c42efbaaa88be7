/** docs/operations.md names existing metrics, in its table and in its alerts. */

import { Context, Effect } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import * as Limits from "../src/limits.ts"
import * as Metrics from "../src/metrics.ts"
import { registerProcessMetrics } from "../src/metrics.ts"
import { measurePool } from "../src/storage/sql/roleClient.ts"

const text = readFileSync(join(import.meta.dirname, "../docs/operations.md"), "utf8")

/** Every series once, as a scrape would show it. */
const scraped = Effect.gen(function* () {
  Metrics.requestAnswered("/a/{id}", "GET", 503, 1)
  Metrics.requestAnswered("/a/{id}", "GET", null, 1)
  Metrics.rateLimited("live")
  Metrics.overloadRejected()
  Metrics.assessed("live", "low", false)
  Metrics.replayed("live")
  Metrics.stageTook("scoring", 1)
  Metrics.batchSent("a", 1)
  Metrics.policyReloadFailed()
  Metrics.webhookAttempted("live", "postponed")
  Metrics.webhookAnswered("live", 1)
  Metrics.webhookEndpointDisabled("live", "gone")
  yield* registerProcessMetrics
  yield* measurePool("live")
  return PrometheusMetrics.formatUnsafe(Context.empty(), { metricNameMapper: Metrics.prometheusName })
}).pipe(Effect.scoped)

it("an alert on an increase uses a series that exists before anything was counted", async () => {
  const atStart = await Effect.runPromise(
    Effect.gen(function* () {
      yield* registerProcessMetrics
      return PrometheusMetrics.formatUnsafe(Context.empty(), { metricNameMapper: Metrics.prometheusName })
    }).pipe(Effect.scoped)
  )
  const increases = [...text.matchAll(/^increase\((\w+)(?:\{(.*)\})?\[\w+\]\) > 0$/gm)]
  expect(increases.length).toBeGreaterThan(0)
  for (const [, name = "", labels = ""] of increases)
    expect(atStart.split("\n").filter((line) => line.startsWith(name) && line.includes(labels))).not.toEqual(
      []
    )
})

/** Metrics that are written elsewhere: by the admin page itself, the sealer and the webhook outbox. */
const elsewhere = [
  "action_risk_webhook_waiting",
  "action_risk_webhook_due",
  "action_risk_webhook_oldest_due_seconds",
  "action_risk_webhook_late_seconds",
  "action_risk_up",
  "action_risk_build_info",
  "action_risk_seals_waiting",
  "process_resident_memory_bytes"
]

it("the metrics of the table and of the alerts are those that are served", async () => {
  const served = await Effect.runPromise(scraped)
  const families = [...served.matchAll(/^# TYPE (\w+) /gm)].map(([, name = ""]) => name)
  const prefix = /\b(?:action_risk_(?!live|test|control)|http_server_|db_client_|nodejs_|process_|v8js_)\w+/g
  const told = [...new Set(text.match(prefix) ?? [])].map((name) =>
    name.replace(/_(?:bucket|count|sum)$/, "")
  )
  const known = new Set([...families, ...elsewhere].map((name) => name.replace(/_count$/, "")))
  expect(told.filter((name) => !known.has(name))).toEqual([])
  expect([...known].filter((name) => !told.includes(name))).toEqual([])
})

it("an alert names labels that the metrics have", async () => {
  const served = await Effect.runPromise(scraped)
  const alerts = /```promql\n([\s\S]+?)```/.exec(text)?.[1] ?? ""
  const labels = [...alerts.matchAll(/[{,](\w+)="/g)].map(([, name = ""]) => name)
  expect(labels.length).toBeGreaterThan(2)
  for (const label of labels) expect(served).toContain(`${label}="`)
})

it("the connections of a process are told as many as its pools may open", () => {
  const ofModes = 2 * (Limits.resourceConnectionsMax + Limits.webhookConnectionsMax)
  const all = Limits.controlConnectionsMax + Limits.liveConnectionsMax + Limits.testConnectionsMax + ofModes
  expect(text).toContain(`opens at most ${all} connections`)
  expect(text).toContain(`| ${2 * all} `)
  expect(text.match(/\d+ × processes/g)).toEqual([`${all} × processes`, `${all} × processes`])
  const [, perServer, replicas] = /`max_connections` of (\d+) is enough for (\d+) replicas/.exec(text) ?? []
  expect(Number(replicas) * (all + 1)).toBeLessThan(Number(perServer))
})
