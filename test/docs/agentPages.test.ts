/** The three commands that each page about agents begins with, pasted into a shell with an empty home. */

import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { handedExtents } from "../../src/agents/handedArguments.ts"
import { ownTools } from "../../src/agents/hook/ownTools.ts"
import { questionOf } from "../../src/agents/questionOfCall.ts"
import { exampleResponse } from "../../src/api/examples/examples.ts"
import { isRecord, type JsonObject } from "../../src/json/json.ts"
import { runProgram, withoutNpm } from "../support/runProgram.ts"
import { type ScriptedService, scriptedService } from "../support/scriptedService.ts"

const root = join(import.meta.dirname, "../..")

let service: ScriptedService
let home = ""
beforeAll(async () => {
  service = await scriptedService()
  home = mkdtempSync(join(tmpdir(), "action-risk-page-"))
})
afterAll(async () => {
  await service.close()
  rmSync(home, { recursive: true })
})

const paste = (command: string, withService: boolean) =>
  runProgram("bash", ["-c", withoutNpm(command)], {
    cwd: root,
    env: {
      HOME: home,
      ...(withService && { ACTION_RISK_URL: service.url, ACTION_RISK_KEY: "svc_test_x" })
    }
  })

const folder = join(root, "docs/agents")
const hasPython = spawnSync("python3", ["--version"]).status === 0

const textOf = (page: string): string => readFileSync(join(folder, `${page}.md`), "utf8")

const commandsOf = (page: string): ReadonlyArray<string> => {
  const [, block = ""] = /^# .+\n\n(?:<!--.+-->\n\n)?```sh\n([^`]+)```/.exec(textOf(page)) ?? []
  return block.trim().split("\n")
}

const none = "NO_ADDITIONAL_CONTROL_RECOMMENDED"

/** Calls that delete or drop are moderate, all others are low. */
const play = () =>
  service.play((response, { body }) => {
    const { action_type: type } = JSON.parse(body)
    const level = /delete|drop/.test(type) ? "moderate" : "low"
    const opinion = {
      ...exampleResponse,
      action_risk: { ...exampleResponse.action_risk, level },
      recommended_control: { ...exampleResponse.recommended_control, type: none }
    }
    response
      .writeHead(200, { "content-type": "application/json", "svc-risk-opinion": "full" })
      .end(JSON.stringify(opinion))
  })

const hooked = ["wrote ", "ok ", "removed the hook"] as const
const gated = [
  "no_objection: action risk low",
  "ask_person: action risk moderate",
  "ask_person: no risk opinion"
] as const

/** The output of each command, for pages that begin with the same commands. */
const tried: ReadonlyArray<readonly [pages: ReadonlyArray<string>, says: readonly [string, string, string]]> =
  [
    [["claude-code", "hooks"], hooked],
    ...["copilot", "gemini", "opencode", "cline", "vscode", "cursor"].map(
      (host) => [[host], hooked] as const
    ),
    [["other-hosts"], ["have your host run this command", hooked[1], "remove the command"]],
    [["codex"], [hooked[0], "trust the hook in /hooks", hooked[2]]],
    [["frameworks", "ai-sdk", "openai-agents", "langchain", "mastra", "claude-agent-sdk"], gated],
    [
      ["python"],
      ["nobody needs to be asked (low risk)", "ask a person (moderate risk)", "ask a person (UNREACHABLE"]
    ],
    [
      ["mcp"],
      [
        "the server was called: list_charges",
        "a person is asked: Call delete_customer? action risk ",
        "no risk opinion (UNREACHABLE)"
      ]
    ],
    [["acp"], ['"args":["status"]', "session/request_permission", "no risk opinion (UNREACHABLE)"]],
    [["gate"], ["0 problems", '"guess": true', "each is known"]]
  ]

const lengthened = (text: string): string =>
  text.replaceAll(/(\w)×(\d+)/g, (_, letter: string, times: string) => letter.repeat(Number(times)))

const leaving = [
  ...textOf("hooks").matchAll(/^\| `(?<tool>\w+) (?<given>\{.+?\})` +\| (?<cells>.+) \|$/gm)
].map(({ groups = {} }) => {
  const [whole = "", ...less] = (groups["cells"] ?? "").split("|").map((cell) => lengthened(cell.trim()))
  const extents = [whole, ...less.map((cell) => (cell === "the same" ? whole : cell))]
  return { tool: groups["tool"] ?? "", given: lengthened(groups["given"] ?? ""), extents }
})

describe("the table of what leaves the machine", () => {
  it.each(leaving)("is what is handed over of $tool $given", ({ extents, given, tool }) => {
    const call = {
      tool: tool.replace(/^mcp__(\w+?)__/, "mcp:$1/"),
      name: tool,
      arguments: JSON.parse(given) as JsonObject
    }
    const handed = handedExtents.map((extent) => {
      const asking = { mapping: null, ownTools: ownTools.claudeCode, agentId: "x", day: "2026-12-01", extent }
      const { destination, metadata, target_resource } = questionOf(call, asking).action
      const { arguments: told, left_out: left = [] } = isRecord(metadata?.["tool_call"])
        ? metadata["tool_call"]
        : { arguments: (destination ?? target_resource) ? { destination, target_resource } : undefined }
      const leftOut = (left as ReadonlyArray<string>).map((path) => ` \`${path}\``).join("")
      return told === undefined
        ? "nothing"
        : `\`${JSON.stringify(told)}\`${leftOut === "" ? "" : ` left out:${leftOut}`}`
    })
    expect(handed).toEqual(extents)
  })

  it("has calls of hosts' own tools and of others", () => {
    expect(leaving.length).toBeGreaterThan(5)
  })
})

/** `npm run test:clients` writes the one and reports the results; test/readme.test.ts tests the other. */
const elsewhere = ["hosts", "client"]

/** Pages whose reader has started a service. */
const serviced = [
  "frameworks",
  "ai-sdk",
  "openai-agents",
  "langchain",
  "mastra",
  "claude-agent-sdk",
  "python"
]

const pages = tried.flatMap(([names]) => names)

describe("the pages about agents", () => {
  it("are all tested here", () => {
    const all = readdirSync(folder).map((name) => name.replace(".md", ""))
    expect([...pages, ...elsewhere].toSorted()).toEqual(all.toSorted())
  })

  it.each(tried.filter(([names]) => hasPython || !names.includes("python")))(
    "begin with three commands that work: %s",
    async (names, says) => {
      play()
      const [commands = [], ...same] = names.map(commandsOf)
      expect(same).toEqual(same.map(() => commands))
      expect(commands).toHaveLength(3)
      for (const [at, command] of commands.entries()) {
        const { code, stderr, stdout } = await paste(
          command,
          names.some((name) => serviced.includes(name))
        )
        // The hook in Codex is not trusted yet: doctor says so, and fails.
        const ended = names.includes("codex") && at === 1 ? 2 : 0
        expect([code, stdout + stderr]).toEqual([ended, expect.stringContaining(says[at] ?? "")])
      }
    }
  )

  it.each(pages.filter((page) => !["gate", "hooks", "frameworks"].includes(page)))(
    "say what happens without the service, and what is not guaranteed: %s",
    (page) => {
      expect(textOf(page)).toMatch(/Without the service/i)
      expect(textOf(page)).toMatch(/Not guaranteed/)
    }
  )
})
