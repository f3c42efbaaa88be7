/** The health of the service, for everyone (specification 4.4). */

import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  errorAssessmentUnavailable,
  errorMalformedJson,
  errorMethodNotAllowed,
  errorRateLimited
} from "./errors.ts"
import { ServiceStatus } from "./ServiceStatus.ts"

const getStatus = HttpApiEndpoint.get("getStatus", "/api/public/v1/status", {
  success: ServiceStatus,
  error: [errorMalformedJson, errorMethodNotAllowed, errorRateLimited, errorAssessmentUnavailable]
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getStatus",
    summary: "Get the status of the service",
    description: "Component status; 200 whatever the health. Needs no key."
  })
)

export const Status = HttpApiGroup.make("status")
  .add(getStatus)
  .annotateMerge(OpenApi.annotations({ title: "Status", description: "The health of the service." }))
