import { Readable } from "node:stream"
import fc from "fast-check"
import { expect, it } from "vitest"
import { hearLines } from "../../../src/agents/mcp/messageLines.ts"
import { propertyRuns } from "../../support/depth.ts"

const heardFrom = (chunks: ReadonlyArray<Uint8Array>) =>
  new Promise<ReadonlyArray<string>>((resolve) => {
    const heard: Array<string> = []
    hearLines(
      Readable.from(chunks),
      (line) => heard.push(line),
      () => resolve(heard)
    )
  })

const message = fc.record({
  text: fc.string({ unit: fc.constantFrom("a", "ü", "𝔸", "\u2028", "\u2029", "\u0085") })
})

it("reads each message as it was written, wherever its bytes are cut and whatever ends its line", async () => {
  const cases = fc.record({
    messages: fc.array(message, { maxLength: 5 }),
    end: fc.constantFrom("\n", "\r\n"),
    size: fc.integer({ min: 1, max: 9 })
  })
  const property = fc.asyncProperty(cases, async ({ end, messages, size }) => {
    const bytes = Buffer.from(messages.map((each) => JSON.stringify(each) + end).join(""))
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size)
    )
    expect((await heardFrom(chunks)).map((line) => JSON.parse(line))).toEqual(messages)
  })
  await fc.assert(property, { numRuns: propertyRuns })
})
