/** The metrics of the service under OpenTelemetry's names. Every label has a closed set of values, none of which comes from a caller. */

import { Context, Effect, Metric } from "effect"
import { type Mode, modes } from "./domain/Caller.ts"
import type { ActionRiskLevel } from "./domain/Opinion.ts"

type Labels = Readonly<Record<string, string>>

/** The registry of the process, read by the Prometheus page and the OTLP exporter. */
const registry = Context.empty()

/** Prometheus names end in the unit or in `_total`; OpenTelemetry names do not. */
const suffixes = new Map<string, string>()
export const prometheusName = (id: string): string => id + (suffixes.get(id) ?? "")

/** One series per set of labels, created at its first update. `key` identifies the labels, so an update costs one look-up. */
const metricFamily = <Input>(
  id: string,
  suffix: string,
  make: (labels: Labels) => Metric.Metric<Input, unknown>
) => {
  suffixes.set(id, suffix)
  const series = new Map<string, Metric.Metric<Input, unknown>>()
  return (key: string, input: Input, labels: () => Labels): void => {
    let metric = series.get(key)
    if (metric === undefined) series.set(key, (metric = make(labels())))
    metric.updateUnsafe(input, registry)
  }
}

const counter = (id: string, description: string) =>
  metricFamily<number>(id, "_total", (attributes) =>
    Metric.counter(id, { description, attributes, incremental: true })
  )

const histogram = (id: string, description: string, boundaries: ReadonlyArray<number>) =>
  metricFamily<number>(id, "", (attributes) => Metric.histogram(id, { description, attributes, boundaries }))

const timer = (id: string, description: string, boundaries: ReadonlyArray<number>) => {
  const observe = histogram(id, description, boundaries)
  suffixes.set(id, "_seconds")
  return (key: string, ms: number, labels: () => Labels) =>
    observe(key, ms / 1_000, () => ({ ...labels(), unit: "seconds" }))
}

/** A gauge for a number in memory, which `read` returns at each export, until the scope closes. */
export const registerGauge = (
  id: string,
  description: string,
  labels: Labels,
  read: () => number,
  suffix = ""
) => {
  suffixes.set(id, suffix)
  const unit = suffix.startsWith("_") ? { unit: suffix.slice(1) } : {}
  const gauge = Metric.gauge(id, { description, attributes: { ...labels, ...unit } })
  const ignore = () => undefined
  const hooks = { get: () => ({ value: read() }), update: ignore, modify: ignore }
  return Effect.acquireRelease(
    Effect.sync(() => Metric.registerUnsafe(gauge, registry, hooks)),
    (registration) => Effect.sync(() => registration.remove())
  )
}

/** OpenTelemetry's boundaries for requests, with finer ones at the low end, because a response takes a few milliseconds. */
const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 10]
const stageSeconds = [
  0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.15, 0.5, 1, 2.5
]
const batchSizes = [1, 2, 4, 8, 16, 32, 64, 128, 256, 1_000]

const requests = timer("http.server.request.duration", "How long requests took to answer.", requestSeconds)

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"])

/** `route`: the template that matched; null if none did. `status`: null if the client left before the response. */
export const requestAnswered = (
  route: string | null,
  method: string,
  status: number | null,
  ms: number
): void => {
  const known = methods.has(method) ? method : "_OTHER"
  requests(`${known} ${status} ${route}`, ms, () => ({
    "http.request.method": known,
    ...(route !== null && { "http.route": route }),
    ...(status === null ? { "error.type": "aborted" } : { "http.response.status_code": String(status) })
  }))
}

const refusals = counter("action_risk.rate_limited", "Requests refused because their window was used up.")
export const rateLimited = (who: Mode | "anonymous"): void => refusals(who, 1, () => ({ subject: who }))

const overloads = counter("action_risk.crowded", "Requests refused because too many others were in progress.")
export const overloadRejected = (): void => overloads("", 1, () => ({}))

const assessments = counter("action_risk.assessments", "Assessments stored and answered, without replays.")
export const assessed = (mode: Mode, level: ActionRiskLevel, complete: boolean): void =>
  assessments(`${mode} ${level} ${complete}`, 1, () => ({
    mode,
    level,
    completeness: complete ? "complete" : "incomplete"
  }))

const replays = counter("action_risk.replays", "Answers that repeated a stored assessment.")
export const replayed = (mode: Mode): void => replays(mode, 1, () => ({ mode }))

const stages = timer(
  "action_risk.assessment.stage.duration",
  "How long each part of an assessment took.",
  stageSeconds
)
export const stageTook = (stage: "behavior" | "scoring" | "policy" | "storage", ms: number): void =>
  stages(stage, ms, () => ({ stage }))

const batches = histogram(
  "action_risk.statement.batch_size",
  "Requests that shared one statement.",
  batchSizes
)
export const batchSent = (statement: string, items: number): void =>
  batches(statement, items, () => ({ statement }))

const brokenPolicies = counter("action_risk.policy_reload.failures", "Policy sets that could not be loaded.")
export const policyReloadFailed = (): void => brokenPolicies("", 1, () => ({}))

const attempts = counter("action_risk.webhook.attempts", "Attempts to deliver a webhook, by result.")
/** `failed`: another attempt follows. `lost`: the attempt took so long that another process made it too. */
export const webhookAttempted = (
  mode: Mode,
  outcome: "delivered" | "failed" | "dead" | "postponed" | "lost"
): void => attempts(`${mode} ${outcome}`, 1, () => ({ mode, outcome }))

const exchanges = timer(
  "action_risk.webhook.attempt.duration",
  "How long receivers took to answer.",
  requestSeconds
)
export const webhookAnswered = (mode: Mode, ms: number): void => exchanges(mode, ms, () => ({ mode }))

const disabledEndpoints = counter(
  "action_risk.webhook.endpoints_disabled",
  "Endpoints that were disabled for failing."
)
export const webhookEndpointDisabled = (mode: Mode, reason: "gone" | "failing"): void =>
  disabledEndpoints(`${mode} ${reason}`, 1, () => ({ mode, reason }))

/** Prometheus sees no increase in a series that starts at 1, so series in which a single event is an alarm start at 0. */
const beginAtZero = (): void => {
  brokenPolicies("", 0, () => ({}))
  for (const mode of modes) attempts(`${mode} postponed`, 0, () => ({ mode, outcome: "postponed" }))
}

/** Memory and processor time of the process, how busy its main thread is, and alarm counters starting at 0. */
export const registerProcessMetrics = Effect.gen(function* () {
  beginAtZero()
  let before = performance.eventLoopUtilization()
  /** The utilization since the last export, not since startup. */
  const utilization = () => {
    const now = performance.eventLoopUtilization()
    const since = performance.eventLoopUtilization(now, before)
    before = now
    return since.utilization
  }
  const cpuSeconds = () => {
    const { system, user } = process.cpuUsage()
    return (system + user) / 1_000_000
  }
  const heapBytes = () => process.memoryUsage().heapUsed
  yield* registerGauge(
    "nodejs.eventloop.utilization",
    "Share of time the thread was busy, 0 to 1.",
    {},
    utilization
  )
  yield* registerGauge("v8js.memory.heap.used", "Memory of live and dead objects.", {}, heapBytes, "_bytes")
  yield* registerGauge("process.cpu.time", "Processor time used.", {}, cpuSeconds, "_seconds")
})
