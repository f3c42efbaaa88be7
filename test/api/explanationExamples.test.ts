/** The worked examples of explanations are what the service answers about the worked example. */

import { describe, expect, it } from "vitest"
import {
  exampleExplanation,
  exampleReplay,
  exampleWhatIf,
  exampleWhatIfRequest
} from "../../src/api/examples/explanationExamples.ts"
import { runServer } from "../support/runServer.ts"
import { keys, storedId, testServer } from "../support/TestServer.ts"

const { url } = runServer(testServer())

const ask = async (method: string, path: string, body?: object) => {
  const answer = await fetch(`${url()}/api/v1/assessments/${storedId}/${path}`, {
    method,
    headers: { authorization: `Bearer ${keys.test}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const got = (await answer.json()) as { readonly rules?: ReadonlyArray<object> }
  return { ...got, request_id: exampleWhatIf.request_id }
}

describe("the worked examples", () => {
  it("of what if and replay are the answers about the worked assessment", async () => {
    expect(await ask("POST", "what-if", exampleWhatIfRequest)).toEqual(exampleWhatIf)
    expect(await ask("POST", "replay")).toEqual(exampleReplay)
  })

  it("of an explanation shows one of the rules that it names", async () => {
    const { rules, ...rest } = await ask("GET", "explanation")
    const {
      rules: [shown],
      ...head
    } = exampleExplanation
    expect(rest).toEqual(head)
    expect(rules).toContainEqual(shown)
  })
})
