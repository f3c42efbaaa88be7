import { describe, expect, it } from "vitest"
import { type InputLine, inputLines } from "../../src/cli/operatorFiles.ts"

async function* chunks(...texts: ReadonlyArray<string>) {
  for (const text of texts) yield Buffer.from(text)
}

const shown = ({ bytes, number }: InputLine) => `${number} ${Buffer.from(bytes).toString()}`

const allOf = async (source: AsyncIterable<Uint8Array>): Promise<ReadonlyArray<string>> => {
  const lines: Array<string> = []
  for await (const read of inputLines(source)) lines.push(...read.lines.map(shown))
  return lines
}

describe("the lines of an input", () => {
  it.each([
    [["a\nb\n"], ["1 a", "2 b"]],
    [
      ["a\n", "\n", "c"],
      ["1 a", "2 ", "3 c"]
    ],
    [["a\r\n\r\nb\r"], ["1 a", "2 ", "3 b"]],
    [
      ["a", "b", "c\nd"],
      ["1 abc", "2 d"]
    ],
    [["", "\n"], ["1 "]],
    [[""], []]
  ])("%j are %j", async (texts, lines) => {
    expect(await allOf(chunks(...texts))).toEqual(lines)
  })

  it("keep their numbers where they come some at a time", async () => {
    const all = Array.from({ length: 1_000 }, (_, at) => `${at + 1} line`)
    expect(await allOf(chunks(`${all.map(() => "line").join("\n")}\n`))).toEqual(all)
  })

  it("are given as soon as they are whole, while the input stays open", async () => {
    const later = Promise.withResolvers<void>()
    const source = (async function* () {
      yield Buffer.from("first\nsec")
      await later.promise
      yield Buffer.from("ond\n")
    })()
    const reading = inputLines(source)
    expect((await reading.next()).value?.lines.map(shown)).toEqual(["1 first"])
    later.resolve()
    expect((await reading.next()).value?.lines.map(shown)).toEqual(["2 second"])
  })
})
