/** Paths and methods that are not exactly those of the contract. */

import { request } from "../../support/rawHttp.ts"
import { storedId } from "../../support/TestServer.ts"
import { type Case, assess, key, valid, notFound, wrongMethod } from "./Case.ts"

export const paths: ReadonlyArray<Case> = [
  ...[
    "/",
    "/api",
    "/api/v1",
    "/API/v1/actions/assess",
    "/api/v1/actions/Assess",
    "/api/v1/actions/assess/",
    "//api/v1/actions/assess",
    "/api/v1//actions/assess",
    "/api/v1/actions/assess;v=1",
    "/api/v1/actions;/assess",
    "/api/v1/./actions/assess",
    "/api/v1/x/../actions/assess",
    "/api/v1/actions/%61ssess",
    "/api/v1/actions%2Fassess",
    "/api/v1/actions/",
    "/api/v2/actions/assess",
    "/api/v1/assessments",
    "/api/v1/assessments/",
    `/api/v1/assessments/${storedId}/`,
    `/api/v1/assessments/${storedId}/x`,
    `/api/v1/assessments/${storedId};x`,
    "/docs/",
    "/openapi.yaml",
    "/healthz",
    "/metrics",
    "*"
  ].map((path): Case => [path, request({ method: "GET", path, headers: [key] }), notFound]),
  ["an id that is none", request({ method: "GET", path: "/api/v1/assessments/1", headers: [key] }), notFound],
  [
    "an id that is unknown",
    request({
      method: "GET",
      path: "/api/v1/assessments/00000000-0000-7000-8000-000000000000",
      headers: [key]
    }),
    notFound
  ],
  [
    "an id with an encoded slash",
    request({ method: "GET", path: "/api/v1/assessments/..%2f..%2fetc", headers: [key] }),
    notFound
  ],
  ...["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY"].map((method): Case => [
    `${method} assess`,
    request({ method, path: assess, headers: [key] }),
    { ...wrongMethod, opinion: "none" }
  ]),
  ["POST status", request({ path: "/api/public/v1/status", body: "{}" }), wrongMethod],
  [
    "DELETE an assessment",
    request({ method: "DELETE", path: `/api/v1/assessments/${storedId}` }),
    wrongMethod
  ],
  ["POST the list", request({ path: "/api/v1/actions", headers: [key], body: valid }), wrongMethod],
  ["PUT openapi.json", request({ method: "PUT", path: "/openapi.json", body: "{}" }), wrongMethod]
]
