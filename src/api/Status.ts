/** Schema and endpoint for the public health of the service and its components (specification 4.4). */

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { operationErrors } from "./Failures.ts"
import { IsoMillis } from "./Scalars.ts"

/** In order from healthy to unhealthy. */
export const healths = ["operational", "degraded_performance", "partial_outage", "major_outage"] as const
export type Health = (typeof healths)[number]

const componentNames = ["api", "risk_engine", "database", "webhooks"] as const
export type ComponentName = (typeof componentNames)[number]

export const ServiceStatus = Schema.Struct({
  status: Schema.Literals(healths),
  components: Schema.Array(
    Schema.Struct({ name: Schema.Literals(componentNames), status: Schema.Literals(healths) })
  ),
  api_version: Schema.Literal("v1"),
  risk_engine_version: Schema.String,
  updated_at: IsoMillis
}).annotate({ identifier: "ServiceStatus" })
export type ServiceStatus = typeof ServiceStatus.Encoded

const getStatus = HttpApiEndpoint.get("getStatus", "/api/public/v1/status", {
  success: ServiceStatus,
  error: [...operationErrors]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getStatus",
    summary: "Get the status of the service",
    description: "Component status; 200 whatever the health. Needs no key."
  })
)

export const StatusGroup = HttpApiGroup.make("status")
  .add(getStatus)
  .annotateMerge(OpenApi.annotations({ title: "Status", description: "The health of the service." }))
