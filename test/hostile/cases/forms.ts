/** Bodies whose declared form is not plain JSON. */

import { request } from "../../support/rawHttp.ts"
import { type Case, assess, json, key, valid, malformedBody, posting } from "./Case.ts"

export const forms: ReadonlyArray<Case> = [
  [
    "text/plain",
    request({ path: assess, headers: [key, "Content-Type: text/plain"], body: valid }),
    malformedBody
  ],
  [
    "a form type",
    request({ path: assess, headers: [key, "Content-Type: application/x-www-form-urlencoded"], body: valid }),
    malformedBody
  ],
  [
    "a multipart type",
    request({ path: assess, headers: [key, "Content-Type: multipart/form-data; boundary=x"], body: valid }),
    malformedBody
  ],
  [
    "a type that only starts like JSON",
    request({ path: assess, headers: [key, "Content-Type: application/json-patch+json"], body: valid }),
    malformedBody
  ],
  [
    "an empty content type",
    request({ path: assess, headers: [key, "Content-Type:"], body: valid }),
    malformedBody
  ],
  [
    "two content types",
    request({ path: assess, headers: [key, json, "Content-Type: text/plain"], body: valid }),
    malformedBody
  ],
  [
    "another character set",
    request({ path: assess, headers: [key, "Content-Type: application/json; charset=utf-16"], body: valid }),
    malformedBody
  ],
  ["gzip", posting(valid, "Content-Encoding: gzip"), malformedBody],
  ["identity", posting(valid, "Content-Encoding: identity"), malformedBody]
]
