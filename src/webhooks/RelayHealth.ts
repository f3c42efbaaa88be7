/** Whether deliveries go out in time, for the public status: what receivers do to them is not counted. */

import { Context } from "effect"
import type { Health } from "../api/ServiceStatus.ts"

/** Operational where no relay runs. */
export class RelayHealth extends Context.Reference<{ readonly read: () => Health }>(
  "action-risk/webhooks/RelayHealth",
  { defaultValue: () => ({ read: () => "operational" }) }
) {}
