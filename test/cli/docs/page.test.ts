/** docs/cli.md is generated from the commands, and each command accepts its examples. */

import { describe, expect, it } from "vitest"
import { cliPage } from "../../../cliPage.ts"
import { variables } from "../../../src/config.ts"
import { usageProblem } from "../../support/commandLine.ts"
import { verbs as commands } from "../../support/verbs.ts"

describe("docs/cli.md", () => {
  it("links to a heading for each command", () => {
    const page = cliPage(commands)
    const anchors = [...page.matchAll(/^## `(.+)`$/gm)].map(([, heading = ""]) =>
      heading.replaceAll(" ", "-")
    )
    const links = [...page.matchAll(/\(#([\w-]+)\)/g)].map(([, link]) => link)
    expect(links).toEqual(anchors)
  })
})

describe("a command", () => {
  it("reads variables that exist", () => {
    const known = Object.values(variables).map(({ name }) => name)
    const named = commands.flatMap(
      ({ facts }) => facts.reads?.match(/[A-Z]+(?:_[A-Z]+)+|\bHOST\b|\bPORT\b/g) ?? []
    )
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((name) => !known.includes(name))).toEqual([])
  })

  it.each(commands)("describes itself, its arguments and its flags: $words", ({ help }) => {
    expect(help.description).toMatch(/^[A-Z].+[^.]$/)
    const parts = [...(help.args ?? []), ...help.flags]
    expect(parts.filter(({ description }) => description._tag === "None").map(({ name }) => name)).toEqual([])
    expect(help.examples ?? []).not.toEqual([])
  })

  const examples = commands.flatMap(({ help }) => (help.examples ?? []).map(({ command }) => command))

  it.each(examples)("accepts its own example: %s", async (example) => {
    expect(await usageProblem(example)).toBeNull()
  })

  it("would notice an invalid example", async () => {
    expect(await usageProblem("action-risk assess request.json --ruless draft")).toContain("--ruless")
    expect(await usageProblem("action-risk keys create --org acme --mode prod")).toContain("prod")
  })
})
