/** What Prometheus reads of the process, in its text format 0.0.4; nothing of any caller. */

import { Context } from "effect"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import type { ServiceStatus } from "../../api/ServiceStatus.ts"
import { prometheusName } from "../../Metrics.ts"
import type { Answer } from "../Answer.ts"

const gauge = (name: string, help: string, value: number, labels = ""): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name}${labels} ${value}\n`

export const metrics = ({ risk_engine_version, status }: ServiceStatus): Answer => {
  const version = `{api_version="v1",risk_engine_version="${risk_engine_version}"}`
  const up = status === "major_outage" ? 0 : 1
  const startedAt = (performance.timeOrigin / 1_000).toFixed(3)
  return {
    status: 200,
    headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
    body: [
      gauge("action_risk_up", "1 while assessments can be served, 0 while the database is away.", up),
      gauge("action_risk_build_info", "Always 1; the labels say what is running.", 1, version),
      gauge("process_start_time_seconds", "When the process started, in Unix seconds.", Number(startedAt)),
      gauge("process_uptime_seconds", "How long the process has been running.", process.uptime()),
      gauge("process_resident_memory_bytes", "Memory that the process holds.", process.memoryUsage.rss()),
      PrometheusMetrics.formatUnsafe(Context.empty(), { metricNameMapper: prometheusName })
    ].join("")
  }
}
