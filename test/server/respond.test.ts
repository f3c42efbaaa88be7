/** The template of a failure that answers many requests. */

import { describe, expect, it } from "vitest"
import { overloadFailure } from "../../src/server/concurrency.ts"
import { requestId } from "../../src/assessment/requestId.ts"
import { errorResponse, errorResponseTemplate } from "../../src/server/respond.ts"

describe("errorResponseTemplate", () => {
  it("gives the response that errorResponse gives for each id and base URL", () => {
    const overloadResponse = errorResponseTemplate(overloadFailure)
    const ids = [requestId(1), requestId(2), requestId(3)]
    for (const baseUrl of ["http://127.0.0.1:0", "https://risk.example", "https://risk.example/svc"]) {
      for (const id of ids)
        expect(overloadResponse(id, baseUrl)).toEqual(errorResponse(overloadFailure, id, baseUrl))
    }
  })
})
