import fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import { describe, expect, it } from "vitest"
import { historyLineBytesMax } from "../../../src/limits.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { readBlock } from "../../../src/rules/history/readBlock.ts"
import { wholeLines } from "../../../src/rules/history/wholeLines.ts"
import { loadPolicySet } from "../../../src/rules/policies/loadPolicySet.ts"
import { tries } from "../../support/depth.ts"
import { model } from "../../support/draft.ts"
import { historyLine } from "../../support/historyLine.ts"

const { policySet } = loadPolicySet(packageRoot, "none")

const line = (actionType: string, description = ""): string =>
  historyLine(
    {
      action: { actionType, environment: "staging", actionDescription: description },
      behavior: "unavailable"
    },
    1,
    model,
    policySet
  )

async function* inPieces(bytes: Uint8Array, sizes: ReadonlyArray<number>): AsyncGenerator<Uint8Array> {
  let at = 0
  for (let i = 0; at < bytes.length; i++) {
    const end = at + (sizes[i % sizes.length] ?? 1)
    yield bytes.subarray(at, end)
    at = end
  }
}

/** Everything that is read, with its line. */
const readAll = async (bytes: Uint8Array, sizes: ReadonlyArray<number>, blockBytes: number) => {
  const seen: Array<readonly [line: number, what: string]> = []
  for await (const block of wholeLines(inPieces(bytes, sizes), blockBytes)) {
    readBlock(block, {
      record: ({ action }, at) => seen.push([at, action.actionType]),
      unreadable: (message, at) => seen.push([at, message])
    })
  }
  return seen
}

const tooLong = "is longer than 1,048,576 bytes"

describe("a block of lines", () => {
  it("skips erased assessments", async () => {
    const erased = `{"erased":{"at":"2026-11-22T00:00:00.000Z"},"assessment_id":"a"}`
    const bytes = Buffer.from([erased, line("a.b"), erased, "{}"].join("\n"))
    expect(await readAll(bytes, [7], 100)).toEqual([
      [2, "a.b"],
      [4, "has no assessment_id"]
    ])
  })
})

describe("a history in blocks", () => {
  const lines = [
    line("a.read"),
    "",
    `${line("b.read", "ünï — 漢字 🙂")}\r`,
    "nonsense",
    line("c.read", "\u2028 is no line break"),
    line("d.read")
  ]
  const expected = [
    [1, "a.read"],
    [3, "b.read"],
    [4, "is not JSON"],
    [5, "c.read"],
    [6, "d.read"]
  ]

  it("is read line by line, with or without a line break at its end", async () => {
    for (const end of ["", "\n", "\n\n"]) {
      expect(await readAll(Buffer.from(lines.join("\n") + end), [1e6], 1e6)).toStrictEqual(expected)
    }
  })

  it("has the same lines whatever the sizes of its chunks and blocks", async () => {
    const bytes = Buffer.from(lines.join("\n"))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 30_000 }),
        async (sizes, blockBytes) => isDeepStrictEqual(await readAll(bytes, sizes, blockBytes), expected)
      ),
      { numRuns: tries(300) }
    )
  })

  it("loses no line because of an invalid byte in another line", async () => {
    const broken = Buffer.concat([
      Buffer.from(`${lines[0]}\n{"x":"`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(`"}\n${lines[5]}\n`)
    ])
    for (const blockBytes of [10, 1e6]) {
      expect(await readAll(broken, [700], blockBytes)).toStrictEqual([
        [1, "a.read"],
        [2, "is not UTF-8"],
        [3, "d.read"]
      ])
    }
  })

  it("refuses a line that is too long, whatever the size of a block, and reads the lines after it", async () => {
    const endless = `"${"é".repeat(historyLineBytesMax)}"`
    const bytes = Buffer.from(`${lines[0]}\n${endless}\n${lines[5]}\n`)
    for (const blockBytes of [1_000, 1e6, 1e8]) {
      expect(await readAll(bytes, [65_536], blockBytes)).toStrictEqual([
        [1, "a.read"],
        [2, tooLong],
        [3, "d.read"]
      ])
    }
  })

  it("accepts a line of exactly the maximum length", async () => {
    const description = "x".repeat(historyLineBytesMax - Buffer.byteLength(line("long.read")))
    const longest = line("long.read", description)
    expect(Buffer.byteLength(longest)).toBe(historyLineBytesMax)
    for (const blockBytes of [1_000, 1e8]) {
      expect(await readAll(Buffer.from(`${longest}\n`), [65_536], blockBytes)).toStrictEqual([
        [1, "long.read"]
      ])
      expect(await readAll(Buffer.from(`${longest} \n`), [65_536], blockBytes)).toStrictEqual([[1, tooLong]])
    }
  })
})
