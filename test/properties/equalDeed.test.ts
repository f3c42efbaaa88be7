/** A command has one level on every route: the cases of the programs, over each route and over pairs of routes, and requests with their commands. */

import fs from "node:fs"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { seed, timeoutMs, tries } from "../support/depth.ts"
import { levels } from "../../src/domain/Opinion.ts"
import { levelOfCall, levelOfCommand as levelOf } from "../support/commandLevels.ts"
import { prefixes, routes, shells, spellings } from "../support/routes.ts"

const folder = "rules/lexicon/programs"
/** The lines of the cases: a name, a level here, a level there. */
const lines = fs
  .readdirSync(folder)
  .filter((file) => file.endsWith(".cases.json"))
  .flatMap(
    (file) => (JSON.parse(fs.readFileSync(`${folder}/${file}`, "utf8")) as { cases: Array<unknown> }).cases
  )
  .flatMap((one) => (Array.isArray(one) && typeof one[0] === "string" && one.length === 3 ? [one[0]] : []))

/** It names no production place, which would also apply to what a route writes, and contains no shell syntax, so that a prefix or another spelling changes nothing. */
const isSimple = (line: string): boolean =>
  !/prod|mainnet/.test(line) && /^[a-z][\w.-]* [\w./:@%+~-][\w ./:@%+=,~-]*$/.test(line)
const simple = lines.filter(isSimple)

type Carry = readonly [name: string, carry: (command: string) => string]

const uneven = (
  deeds: ReadonlyArray<string>,
  ways: ReadonlyArray<Carry>,
  runs: number,
  isUneven: (plain: number, carried: number) => boolean
): ReadonlyArray<string> =>
  fc
    .sample(fc.tuple(fc.constantFrom(...deeds), fc.constantFrom(...ways)), { numRuns: runs, seed })
    .flatMap(([deed, [name, carry]]) => {
      const carried = carry(deed)
      if (carried.length > 900) return []
      const [a, b] = [levelOf(deed), levelOf(carried)]
      return isUneven(a, b) ? [`${levels[a]} → ${levels[b]} by ${name}: ${carried}`] : []
    })

const carriers = Object.entries(routes)
const runs = tries(20_000)

describe("a deed has one level", () => {
  it("has enough deeds", () => {
    expect(simple.length).toBeGreaterThan(600)
  })

  it(
    "by every route",
    () => {
      expect(uneven(simple, carriers, runs, (a, b) => a !== b)).toEqual([])
    },
    timeoutMs(runs)
  )

  it(
    "in every spelling",
    () => {
      expect(uneven(simple, Object.entries(spellings), runs, (a, b) => a !== b)).toEqual([])
    },
    timeoutMs(runs)
  )

  it(
    "by two routes in a row",
    () => {
      const pairs = (outer: typeof routes, inner: typeof routes) =>
        Object.entries(outer).flatMap(([first, carryOut]) =>
          Object.entries(inner).map(([second, carryIn]): Carry => [
            `${second}, ${first}`,
            (command) => carryOut(carryIn(command))
          ])
        )
      // It already contains both kinds of quotes.
      const { "powershell with bash": _, ...quoting } = shells
      const twice = [...pairs(quoting, routes), ...pairs(prefixes, prefixes)]
      expect(uneven(simple, twice, runs, (a, b) => b < a)).toEqual([])
    },
    timeoutMs(runs)
  )
})

/** One path for each pattern of a known class, except those that are not files. */
const paths = (
  JSON.parse(fs.readFileSync("rules/lexicon/paths.json", "utf8")) as {
    paths: ReadonlyArray<readonly [name: string, patterns: string]>
  }
).paths
  .filter(([name]) => !["null", "socket", "root", "above", "here", "device"].includes(name))
  .flatMap(([, patterns]) => patterns.split(" "))
  .map((pattern) => pattern.replace(/^=/, "").replaceAll("*", "x"))
  .filter((path) => /^[\w./~-]+$/.test(path))

const toolCall = (tool: string, args: Record<string, string>) => ({
  actionType: tool,
  metadata: { tool_call: { name: tool.split(/__|\./).at(-1) ?? tool, arguments: args } }
})

/** For each act the command, and the equivalent tools of hosts and servers. */
const fileTools = {
  read: [
    (path: string) => ({ actionType: "claude_code.Bash", targetResource: `cat ${path}` }),
    (path: string) => ({ actionType: "claude_code.Bash", targetResource: `base64 ${path}` }),
    (path: string) => ({ actionType: "claude_code.Bash", targetResource: `find ${path} | xargs head -1` }),
    (path: string) => ({ actionType: "claude_code.Read", targetResource: path }),
    (path: string) => toolCall("claude_code.Read", { file_path: path }),
    (path: string) => toolCall("mcp__filesystem__read_text_file", { path }),
    (path: string) => toolCall("gemini_cli.read_file", { absolute_path: path }),
    (path: string) => ({ actionType: "powershell", targetResource: `Get-Content ${path}` })
  ],
  write: [
    (path: string) => ({ actionType: "claude_code.Bash", targetResource: `echo x > ${path}` }),
    (path: string) => ({ actionType: "claude_code.Bash", targetResource: `echo x | tee ${path}` }),
    (path: string) => ({ actionType: "claude_code.Write", targetResource: path }),
    (path: string) => toolCall("claude_code.Write", { file_path: path, content: "x" }),
    (path: string) => toolCall("mcp__filesystem__write_file", { path, content: "x" }),
    (path: string) => ({ actionType: "powershell", targetResource: `Set-Content ${path} x` })
  ],
  edit: [
    (path: string) => ({ actionType: "claude_code.Bash", targetResource: `sed -i s/a/b/ ${path}` }),
    (path: string) => toolCall("claude_code.Edit", { file_path: path, old_string: "a", new_string: "b" }),
    (path: string) => toolCall("mcp__filesystem__edit_file", { path, old_text: "a", new_text: "b" })
  ],
  delete: [
    (path: string) => ({ actionType: "claude_code.Bash", targetResource: `rm ${path}` }),
    (path: string) => ({ actionType: "claude_code.Bash", targetResource: `find ${path} | xargs rm` }),
    (path: string) => ({ actionType: "claude_code.Bash", targetResource: `rm $(find ${path} | head -1)` }),
    (path: string) => ({
      actionType: "claude_code.Bash",
      targetResource: `find ${path} | while read file; do rm "$file"; done`
    }),
    (path: string) => ({ actionType: "delete_file", targetResource: path }),
    (path: string) => toolCall("mcp__filesystem__delete_file", { path }),
    (path: string) => ({ actionType: "powershell", targetResource: `Remove-Item ${path}` }),
    (path: string) => ({ actionType: "powershell", targetResource: `Get-ChildItem ${path} | Remove-Item` })
  ],
  move: [
    (path: string) => ({ actionType: "claude_code.Bash", targetResource: `mv ${path} y` }),
    (path: string) => toolCall("mcp__filesystem__move_file", { source: path, destination: "y" }),
    (path: string) => ({ actionType: "powershell", targetResource: `Move-Item ${path} y` })
  ]
}

describe("a file of a known class", () => {
  it.each(Object.entries(fileTools))("has one level for a %s by any tool", (_, ways) => {
    expect(paths.length).toBeGreaterThan(500)
    const uneven = paths.flatMap((path) => {
      const found = ways.map((way) => levelOfCall(way(path)))
      return new Set(found).size === 1 ? [] : [`${path}: ${found.join(" ")}`]
    })
    expect(uneven).toEqual([])
  })
})

interface Api {
  readonly hosts: string
  readonly base?: string
  readonly requests: ReadonlyArray<readonly [request: string, command: string, sent?: string]>
}

const apis = "rules/lexicon/apis"
const requests = fs
  .readdirSync(apis)
  .filter((file) => !file.endsWith(".cases.json"))
  .flatMap((file) => {
    const { base = "", hosts, requests: list } = JSON.parse(fs.readFileSync(`${apis}/${file}`, "utf8")) as Api
    const host = (hosts.split(" ")[0] ?? "").replaceAll("*", "acme")
    return list.map(([request, command, sent = ""]) => {
      const [methods = "", path = ""] = request.split(" ")
      const method = methods === "*" ? "POST" : methods.split("|")[0]
      const named = `${base}${path}`.replaceAll("**", "*").replaceAll("*", "x")
      const [first = ""] = sent.split(" ")
      const body = first === "" ? "" : ` -d '${first.replaceAll("*", "")}'`
      const place = first.startsWith("Action")
        ? `${named}?${first.replace(":", "=").replaceAll("*", "")}`
        : named
      return {
        request: `curl -X ${method} "https://${host.includes(".") ? host : "acme.example"}${place}"${body}`,
        command: command.replaceAll(/\{\d\}/g, "x")
      }
    })
  })

describe("a request to a service", () => {
  it("has the level of the command that does the same", () => {
    expect(requests.length).toBeGreaterThan(150)
    expect(requests.filter(({ command, request }) => levelOf(command) !== levelOf(request))).toEqual([])
  })
})
