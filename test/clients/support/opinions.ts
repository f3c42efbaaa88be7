/** The answers that the service could give about a call. */

import { exampleResponse } from "../../../src/api/examples/examples.ts"
import type { Script } from "../../support/scriptedService.ts"

export const opinion =
  (level: string, type: string): Script =>
  (response) => {
    const { action_risk: risk, recommended_control: control } = exampleResponse
    const body = {
      ...exampleResponse,
      action_risk: { ...risk, level },
      recommended_control: { ...control, type }
    }
    response.writeHead(200, { "svc-risk-opinion": "full" }).end(JSON.stringify(body))
  }

export const low = opinion("low", "NO_ADDITIONAL_CONTROL_RECOMMENDED")
export const high = opinion("high", "HUMAN_REVIEW_RECOMMENDED")
