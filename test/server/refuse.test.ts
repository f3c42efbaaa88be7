/** Refusals that are spelled once for many requests. */

import { describe, expect, it } from "vitest"
import { tooMany } from "../../src/server/inFlight.ts"
import { refuse, refuseAlike } from "../../src/server/refuse.ts"
import { requestId } from "../../src/server/requestId.ts"

describe("a refusal that is spelled once", () => {
  it("is the one that would be spelled for each request and address", () => {
    const refuseTooMany = refuseAlike(tooMany)
    const ids = [requestId(1), requestId(2), requestId(3)]
    for (const baseUrl of ["http://127.0.0.1:0", "https://risk.example", "https://risk.example/svc"]) {
      for (const id of ids) expect(refuseTooMany(id, baseUrl)).toEqual(refuse(tooMany, id, baseUrl))
    }
  })
})
