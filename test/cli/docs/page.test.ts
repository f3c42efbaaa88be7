/** docs/cli.md cannot become wrong: it is generated from the commands, and each command accepts its examples. */

import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { jsonSchemas } from "../../../src/cli/docs/jsonSchemas.ts"
import { cliPage, everyCommand, exitOneReasons, settingsOfCommand } from "../../../src/cli/docs/page.ts"
import { variables } from "../../../src/config.ts"
import { usageProblem } from "../../support/commandLine.ts"

const commands = await Effect.runPromise(everyCommand)
const names = commands.map(({ words }) => words.join(" "))

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
  const withJson = commands.filter(({ help }) => help.flags.some(({ name }) => name === "json"))

  it("that takes --json has the shape of what it prints registered, and no other has", () => {
    expect(Object.keys(jsonSchemas).toSorted()).toEqual(
      withJson.map(({ words }) => words.join(" ")).toSorted()
    )
  })

  it("documents its reasons for exit code 1", () => {
    expect(Object.keys(exitOneReasons).filter((name) => !names.includes(name))).toEqual([])
    expect(names.filter((name) => exitOneReasons[name] === undefined)).toEqual([])
  })

  it("listens to variables that there are, and those that have settings are commands", () => {
    const known = Object.values(variables).map(({ name }) => name)
    const named = Object.values(settingsOfCommand).flatMap(
      (text) => text.match(/[A-Z]+(?:_[A-Z]+)+|\bHOST\b|\bPORT\b/g) ?? []
    )
    expect(named.filter((name) => !known.includes(name) && name !== "README")).toEqual([])
    expect(Object.keys(settingsOfCommand).filter((name) => !names.includes(name))).toEqual([])
  })

  it.each(commands)("describes itself, its arguments and its flags: $words", ({ help }) => {
    expect(help.description).toMatch(/^[A-Z].+[^.]$/)
    const parts = [...(help.args ?? []), ...help.flags]
    expect(parts.filter(({ description }) => description._tag === "None").map(({ name }) => name)).toEqual([])
    expect(help.examples ?? []).not.toEqual([])
  })

  const examples = commands.flatMap(({ help }) => (help.examples ?? []).map(({ command }) => command))

  it.each(examples)("takes its own example: %s", async (example) => {
    expect(await usageProblem(example)).toBeNull()
  })

  it("would notice an example that it does not take", async () => {
    expect(await usageProblem("action-risk assess request.json --ruless draft")).toContain("--ruless")
    expect(await usageProblem("action-risk keys create --org acme --mode prod")).toContain("prod")
  })
})
