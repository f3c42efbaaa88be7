/** README.md cannot lie: its commands are run, its table of variables is compared with Config.ts. */

import { ConfigProvider, Effect, Layer } from "effect"
import { execFile } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { AppConfig, variables } from "../src/config.ts"
import { orFound, shownOutputs } from "./readme/shownOutput.ts"
import { serving, type Serving } from "./support/actionRisk.ts"
import { freshDataDirectory, removeDataDirectory } from "./support/dataDirectory.ts"
import { freePort } from "./support/freePort.ts"

const root = join(import.meta.dirname, "..")
const readme = readFileSync(join(root, "README.md"), "utf8")

/** A marked command: `<!-- runs[ beside a server], prints: … -->` and the fenced block below it. */
const marked = [
  ...readme.matchAll(
    /^<!-- runs(?<server> beside a server)?, prints: (?<prints>.+) -->\n+```sh\n(?<command>[\s\S]+?)```$/gm
  )
].map(({ groups = {} }) => ({
  command: (groups["command"] ?? "").trim(),
  server: groups["server"] !== undefined,
  prints: groups["prints"] ?? ""
}))

const dataDirectory = freshDataDirectory()
let server: Serving | undefined
let key = ""

beforeAll(async () => {
  server = await serving({ env: { DATA_DIR: dataDirectory, WEBHOOK_ALLOW_INSECURE: "loopback" } })
  key = /svc_test_\w+/.exec(server.output().stdout)?.[0] ?? ""
})

afterAll(async () => {
  server?.signal("SIGTERM")
  await server?.finished
  removeDataDirectory(dataDirectory)
})

/** Standard output of a command typed in the checkout. `url` takes the place of the usual address. */
const type = async (command: string, url = server?.url ?? ""): Promise<string> => {
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", at(command, url)], {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: dataDirectory,
      ACTION_RISK_URL: url,
      ACTION_RISK_KEY: key,
      FORCE_COLOR: undefined
    }
  })
  return stdout
}

const at = (command: string, url: string): string => command.replaceAll("http://127.0.0.1:3000", url)

describe("a command in README.md", () => {
  it("is marked for each of the three kinds of user", () => {
    expect(marked.length + shownOutputs(readme).length).toBeGreaterThanOrEqual(9)
    expect(marked.some(({ server }) => server)).toBe(true)
  })

  it.each(marked)("works: $command", async ({ command, prints }) => {
    const printed = await type(command)
    expect(printed).toContain(prints)
    // The agents of examples/ hand over to a human also without an opinion, for instance where the key is wrong.
    expect(printed).not.toContain("No opinion")
  })

  it.each(marked.filter(({ server }) => server))(
    "fails where no service answers: $command",
    async ({ command }) => {
      await expect(type(command, `http://127.0.0.1:${await freePort()}`)).rejects.toThrow("Command failed")
    }
  )

  it.each(shownOutputs(readme))("prints what README.md shows: $command", async ({ command, output }) => {
    const printed = await type(orFound(command))
    expect(printed.slice(0, output.length)).toBe(output)
  })

  it("names scripts that package.json has", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    const named = [...readme.matchAll(/npm (?:run )?(?!ci\b)([a-z][a-z:]*)/g)].map(
      ([, script = ""]) => script
    )
    expect(named.length).toBeGreaterThan(3)
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named))
  })

  it("names files and folders that are there", () => {
    const paths = readme.match(/(?<![\w/])(?:src|test|docs|rules|policies|examples)\/[\w./-]*\w/g) ?? []
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})

describe("the table of variables in README.md", () => {
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` +\| (.+?) +\|/gm)].map(
    ([, name = "", fallback = ""]) => ({
      name,
      fallback
    })
  )

  it("has a row for each variable and no other", () => {
    expect(rows.map(({ name }) => name).toSorted()).toEqual(
      Object.values(variables)
        .map(({ name }) => name)
        .toSorted()
    )
  })

  it("tells the defaults that the service has", async () => {
    const nothing = ConfigProvider.layer(ConfigProvider.fromUnknown({}))
    const settings = await Effect.runPromise(
      AppConfig.pipe(Effect.provide(AppConfig.layer.pipe(Layer.provide(nothing))))
    )
    const told = Object.entries(variables).flatMap(([setting, { name }]) => {
      const fallback = rows.find((row) => row.name === name)?.fallback
      return /^[\w.]+$/.test(fallback ?? "") ? [[setting, fallback]] : []
    })
    const words = new Map([
      ["unset", "null"],
      ["none", ""],
      [".data", join(process.cwd(), ".data")]
    ])
    for (const [setting = "", fallback = ""] of told) {
      const value: unknown = Object.entries(settings).find(([name]) => name === setting)?.[1]
      expect([setting, String(value).toLowerCase()]).toEqual([
        setting,
        (words.get(fallback) ?? fallback).toLowerCase()
      ])
    }
  })
})
