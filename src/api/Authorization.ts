/** Bearer authentication, which endpoints declare and the typed client supplies, and the scope required by an endpoint. */

import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import type { Scope } from "../domain/Caller.ts"
import {
  errorInsufficientScope,
  errorInvalidApiKey,
  errorMissingApiKey,
  errorSandboxExpired
} from "./Failures.ts"

export class RequiredScope extends Context.Service<RequiredScope, Scope>()("action-risk/api/RequiredScope") {}

export class Authorization extends HttpApiMiddleware.Service<Authorization>()(
  "action-risk/api/Authorization",
  {
    requiredForClient: true,
    security: {
      // In lower case, because OpenAPI tools compare it case-sensitively.
      bearer: HttpApiSecurity.http({ scheme: "bearer" }).pipe(
        HttpApiSecurity.annotateMerge(
          OpenApi.annotations({
            description:
              "A server-side key, `svc_test_…` or `svc_live_…`; its prefix is the mode it is bound to. Access is approval-only.",
            format: "svc_(test|live)_[0-9A-Za-z]{49}"
          })
        )
      )
    },
    error: [errorMissingApiKey, errorInvalidApiKey, errorSandboxExpired, errorInsufficientScope]
  }
) {}
