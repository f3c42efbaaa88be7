/** Requests that typed clients cannot send: every refusal has the envelope and every header. */

import { describe, expect, it } from "vitest"
import { testServer } from "../support/TestServer.ts"
import { expectRefusal } from "../support/expectRefusal.ts"
import { sendRaw } from "../support/rawHttp.ts"
import { runServer } from "../support/runServer.ts"
import { bodies } from "./cases/bodies.ts"
import { forms } from "./cases/forms.ts"
import { schemas } from "./cases/schemas.ts"
import { credentials } from "./cases/credentials.ts"
import { paths } from "./cases/paths.ts"
import { queries } from "./cases/queries.ts"
import { reviews } from "./cases/reviews.ts"
import { transport } from "./cases/transport.ts"
import { webhooks } from "./cases/webhooks.ts"

const { port } = runServer(testServer())

const suites = { bodies, forms, schemas, credentials, paths, queries, reviews, transport, webhooks }

describe("the edge", () => {
  it("is tried with at least 130 hostile inputs", () => {
    expect(Object.values(suites).flat().length).toBeGreaterThanOrEqual(130)
  })

  for (const [suite, cases] of Object.entries(suites)) {
    describe(`refuses in the envelope: ${suite}`, () => {
      it.each(cases)("%s", async (_name, bytes, expected) => {
        const responses = await sendRaw(port(), bytes)
        expect(responses).toHaveLength(1)
        expectRefusal(responses[0], expected)
      })
    })
  }
})
