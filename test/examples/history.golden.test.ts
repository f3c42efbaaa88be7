import { expect, it } from "vitest"
import { sampleHistory } from "../support/sampleHistory.ts"

it("the sample history is what the first release says of December", async () => {
  const text = `${sampleHistory().join("\n")}\n`
  await expect(text).toMatchFileSnapshot("../../examples/history/december.ndjson")
})
