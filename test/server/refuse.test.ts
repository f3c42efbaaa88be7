/** Refusals that are spelled once for many requests. */

import { describe, expect, it } from "vitest"
import { overloadFailure } from "../../src/server/concurrency.ts"
import { requestId } from "../../src/server/Exchange.ts"
import { errorResponse, errorResponseTemplate } from "../../src/server/respond.ts"

describe("a refusal that is spelled once", () => {
  it("is the one that would be spelled for each request and address", () => {
    const refuseTooMany = errorResponseTemplate(overloadFailure)
    const ids = [requestId(1), requestId(2), requestId(3)]
    for (const baseUrl of ["http://127.0.0.1:0", "https://risk.example", "https://risk.example/svc"]) {
      for (const id of ids)
        expect(refuseTooMany(id, baseUrl)).toEqual(errorResponse(overloadFailure, id, baseUrl))
    }
  })
})
