/** What is answered where the HTTP itself is at fault: MALFORMED_JSON, under the status and the words of its own. */

import { MalformedJson } from "./Failures.ts"

export const transportFailures = {
  400: new MalformedJson({ message: "the bytes received are not a valid HTTP/1.1 request" }),
  408: new MalformedJson({
    httpStatus: 408,
    message: "the request took too long to arrive; send it again"
  }),
  417: new MalformedJson({
    httpStatus: 417,
    message: "the only expectation that can be met is 100-continue"
  }),
  431: new MalformedJson({ httpStatus: 431, message: "the request's header fields are too large" })
} as const
