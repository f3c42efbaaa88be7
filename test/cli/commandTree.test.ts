import { describe, expect, it } from "vitest"
import { commandTree } from "../../src/cli/commandTree.ts"

const namesIn = async (...words: ReadonlyArray<string>) =>
  (await commandTree(...words)).subcommands.flatMap(({ commands }) => commands.map(({ name }) => name))

const all = await namesIn()

describe("the command tree", () => {
  it.each(all)("loads only %s where it comes first", async (name) => {
    expect(await namesIn(name)).toEqual([name])
  })

  it("loads only one verb where its noun and its name come first", async () => {
    const [{ commands: [rules] } = { commands: [] }] = (await commandTree("rules", "show")).subcommands
    expect(rules?.subcommands.flatMap(({ commands }) => commands.map(({ name }) => name))).toEqual(["show"])
  })

  it("loads none for the version", async () => {
    expect(await namesIn("--version")).toEqual([])
  })

  it.each([undefined, "", "--help", "serv", "constructor", "list"])(
    "is whole where %o comes first",
    async (first) => {
      expect(all.length).toBe(18)
      expect(await (first === undefined ? namesIn() : namesIn(first))).toEqual(all)
    }
  )
})
