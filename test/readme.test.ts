/** README.md and the documents in docs/ are correct: their commands run, and the table of variables is compared with src/config.ts. */

import { ConfigProvider, Effect, Layer } from "effect"
import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { AppConfig, variables } from "../src/config.ts"
import { changesIn, comparesDraft, documents, orFound, shownOutputs } from "./readme/shownOutput.ts"
import { serving, type Serving } from "./support/actionRisk.ts"
import { lightCheckout } from "./support/checkout.ts"
import { usageProblem, wordsOf } from "./support/commandLine.ts"
import { removeDataDirectory } from "./support/dataDirectory.ts"
import { migratedDirectory } from "./support/migratedDirectory.ts"
import { deep } from "./support/depth.ts"
import { freePort } from "./support/freePort.ts"
import { actionRisk } from "./support/inProcess.ts"
import { cleanEnvironment, withoutNpm } from "./support/runProgram.ts"

const root = join(import.meta.dirname, "..")
const read = (file: string): string => readFileSync(join(root, file), "utf8")
const readme = read("README.md")

interface Marked {
  readonly command: string
  readonly server: boolean
  readonly prints: string
}

/** The marked commands of a text: `<!-- runs[ beside a server], prints: … -->` and the fenced block below it. */
const markedIn = (text: string): ReadonlyArray<Marked> =>
  [
    ...text.matchAll(
      /^<!-- runs(?<server> beside a server)?, prints: (?<prints>.+) -->\n+```sh\n(?<command>[\s\S]+?)```$/gm
    )
  ].map(({ groups = {} }) => ({
    command: (groups["command"] ?? "").trim(),
    server: groups["server"] !== undefined,
    prints: groups["prints"] ?? ""
  }))

/** A command that two documents show runs once. */
const once = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values()
]

const texts = documents.map(read)
const marked = once(texts.flatMap(markedIn))
/** Making outputs takes a minute: daily runs check those of README.md without changed rules, deep runs those of all documents. */
const shown = once(
  deep ? texts.flatMap(shownOutputs) : shownOutputs(readme).filter(({ command }) => !comparesDraft(command))
)

/** The command lines of a text that begin with `npx action-risk`: in code spans, in fenced and in indented blocks. */
const commandsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/npx (action-risk [^`\n)]+?)(?= *(?:-->|#|[`\n)]))/g)].map(([, command = ""]) => command)

const dataDirectory = migratedDirectory()
let server: Serving | undefined
let key = ""

/** A copy of the checkout in which the working files are changed as the documents say. */
let copy = ""

beforeAll(async () => {
  if (deep) copy = lightCheckout(join(mkdtempSync(join(tmpdir(), "action-risk-readme-")), "copy"))
  for (const command of deep ? once(texts.flatMap(changesIn)) : []) await typeInShell(command, "", copy)
  server = await serving({ env: { DATA_DIR: dataDirectory, WEBHOOK_ALLOW_INSECURE: "loopback" } })
  key = /svc_test_\w+/.exec(server.output().stdout)?.[0] ?? ""
})

afterAll(async () => {
  server?.signal("SIGTERM")
  await server?.finished
  removeDataDirectory(dataDirectory)
  if (deep) rmSync(dirname(copy), { recursive: true })
})

/** The words of each line, if every line begins with `npx action-risk` and passes nothing to another program. */
const plainLines = (command: string): ReadonlyArray<ReadonlyArray<string>> | null => {
  const lines = command.split("\n")
  return lines.every((line) => /^npx action-risk [^|&;<>$*{]+$/.test(line))
    ? lines.map((line) => wordsOf(line).slice(2))
    : null
}

const settings = (url: string) => ({ DATA_DIR: dataDirectory, ACTION_RISK_URL: url, ACTION_RISK_KEY: key })

/** Standard output of a command typed in the checkout: plain lines run in this process. `url` takes the place of the usual address. */
const type = async (command: string, url = server?.url ?? ""): Promise<string> => {
  const lines = plainLines(command)
  if (lines === null) return typeInShell(command, url)
  const ended = []
  for (const words of lines) ended.push(await actionRisk(words, { env: settings(url) }))
  const failed = ended.find(({ code }) => code !== 0)
  if (failed !== undefined) throw new Error(`Command failed: ${failed.stderr}`)
  return ended.map(({ stdout }) => stdout).join("")
}

const typeInShell = async (command: string, url = server?.url ?? "", cwd = root): Promise<string> => {
  const { stdout } = await promisify(execFile)(
    "bash",
    ["-euo", "pipefail", "-c", withoutNpm(at(command, url))],
    { cwd, env: { ...process.env, ...cleanEnvironment, ...settings(url), FORCE_COLOR: undefined } }
  )
  return stdout
}

const at = (command: string, url: string): string => command.replaceAll("http://127.0.0.1:3000", url)

describe("README.md", () => {
  const sections = readme
    .split(/^(?=##)/m)
    .filter((section) => section.startsWith("### "))
    .map((section) => ({ title: section.split("\n", 1)[0], section }))

  it("has a section for each of its three readers", () => {
    expect(sections.map(({ title }) => title)).toEqual([
      "### You build agents",
      "### You audit rules",
      "### You run the service"
    ])
  })

  it.each(sections)("has a command that runs, and fits one screen: $title", ({ section }) => {
    expect(markedIn(section)).not.toEqual([])
    expect(section.trimEnd().split("\n").length).toBeLessThanOrEqual(45)
  })
})

describe("npx", () => {
  it.each(["action-risk --version", "action-risk-agent --help"])(
    "runs what these tests run instead: %s",
    async (words) => {
      const { stdout } = await promisify(execFile)("npx", words.split(" "), { cwd: root })
      expect(stdout).toBe(await typeInShell(`npx ${words}`))
    }
  )
})

describe("a command in README.md or another document", () => {
  it("is marked, with a service and without", () => {
    expect(marked.length + shown.length).toBeGreaterThanOrEqual(deep ? 17 : 9)
    expect(marked.some(({ server }) => server)).toBe(true)
  })

  it.each(marked)("works: $command", async ({ command, prints }) => {
    const printed = await type(command)
    expect(printed).toContain(prints)
    // The agents of examples/ also hand over to a human without an opinion, for example if the key is wrong.
    expect(printed).not.toContain("No opinion")
  })

  // test/examples/agents.test.ts runs the agents of examples/ without a service.
  it.each(marked.filter(({ command, server }) => server && !command.includes("examples/agents/")))(
    "fails where no service answers: $command",
    async ({ command }) => {
      await expect(type(command, `http://127.0.0.1:${await freePort()}`)).rejects.toThrow("Command failed")
    }
  )

  it.each(shown)("prints what the document shows: $command", async ({ command, output }) => {
    const printed = comparesDraft(command)
      ? await typeInShell(orFound(command), server?.url, copy)
      : await type(command)
    expect(printed.slice(0, output.length)).toBe(output)
  })

  it("has arguments that the program accepts", async () => {
    const lines = once(texts.flatMap(commandsIn)).filter((line) => !line.startsWith("action-risk --"))
    expect(lines.length).toBeGreaterThan(20)
    for (const line of lines) expect([line, await usageProblem(line)]).toEqual([line, null])
  })

  it("names scripts that package.json has", () => {
    const { scripts } = JSON.parse(read("package.json"))
    const named = [...texts.join("\n").matchAll(/npm (?:run )?(?!(?:ci|install|pack)\b)([a-z][a-z:]*)/g)].map(
      ([, script = ""]) => script
    )
    expect(named.length).toBeGreaterThan(3)
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named))
  })
})

const inFolder = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`)

/** `npm run docs:cli` makes it. */
const made = "docs/cli.md"

/** Documents about this checkout; the pages of `docs/lints` also name files that are only examples. */
const aboutFiles = [
  "README.md",
  "AGENTS.md",
  "CHANGELOG.md",
  "bench/README.md",
  "examples/README.md",
  "examples/webhook-receiver/README.md",
  ...inFolder("docs").filter((file) => file !== made),
  ...inFolder("docs/agents"),
  ...inFolder("docs/adr")
]

describe("a document", () => {
  it("names files and folders that are there", () => {
    const folder = "(?:src|test|docs|rules|policies|examples|bench|schemas|bin)"
    const gone = aboutFiles.flatMap((file) => {
      const paths = read(file).match(new RegExp(`(?<![\\w/])${folder}/[\\w./-]*\\w`, "g")) ?? []
      return paths
        .filter(
          (path) => path !== made && !existsSync(join(root, path)) && !existsSync(join(root, "src", path))
        )
        .map((path) => [file, path])
    })
    expect(gone).toEqual([])
  })

  it("links to files that are there", () => {
    const gone = [...aboutFiles, ...inFolder("docs/lints")].flatMap((file) =>
      [...read(file).matchAll(/\]\((?!https?:)([^)#\s]+)/g)]
        .map(([, target = ""]) => target)
        .filter((target) => !existsSync(join(root, dirname(file), target)))
        .map((target) => [file, target])
    )
    expect(gone).toEqual([])
  })
})

describe("the table of variables in docs/configuration.md", () => {
  const rows = [...read("docs/configuration.md").matchAll(/^\| `([A-Z_]+)` +\| (.+?) +\|/gm)].map(
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
