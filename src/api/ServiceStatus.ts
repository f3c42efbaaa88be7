/** What the public status endpoint says of the service and its components (contract 3.3). */

import { Schema } from "effect"
import { IsoMillis } from "./Scalars.ts"

/** Healthiest first: the service is as healthy as its unhealthiest component. */
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
