import { describe, expect, it } from "vitest"
import { commandTree } from "../../src/cli/commandTree.ts"

const namesIn = async (first?: string) =>
  (await commandTree(first)).subcommands.flatMap(({ commands }) => commands.map(({ name }) => name))

const all = await namesIn()

describe("the command tree", () => {
  it.each(all)("loads %s alone where it comes first", async (name) => {
    expect(await namesIn(name)).toEqual([name])
  })

  it("loads none for the version", async () => {
    expect(await namesIn("--version")).toEqual([])
  })

  it.each([undefined, "", "--help", "serv", "constructor", "list"])(
    "is whole where %o comes first",
    async (first) => {
      expect(all.length).toBe(17)
      expect(await namesIn(first)).toEqual(all)
    }
  )
})
