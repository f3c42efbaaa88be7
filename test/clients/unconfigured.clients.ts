/** A gate in front of real servers from the registry, with a real service and without a mapping or a gate file: what runs, and what is stopped? */

import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { callByHost, type McpHost, mcpHosts, type ServerStart } from "./support/mcpHosts.ts"
import { type Home, makeHome, removeHome } from "./support/programs.ts"
import { type RunningService, startService } from "./support/runningService.ts"
import { type ScriptedModel, scriptedModel } from "./support/scriptedModel.ts"

const servers = join(import.meta.dirname, "node_modules/@modelcontextprotocol")

let service: RunningService
let model: ScriptedModel
beforeAll(async () => {
  service = await startService()
  model = await scriptedModel()
})
afterAll(() => Promise.all([service.stop(), model.close()]))

let home: Home
beforeEach(() => {
  home = makeHome()
  return () => removeHome(home)
})

type Server = "filesystem" | "memory" | "everything"

/** The gate before one of them, as a host starts it. `url`: of the service. */
const gateBefore = (server: Server, url: string): ServerStart => {
  const words = server === "filesystem" ? [home.workspace] : []
  const program = [process.execPath, join(servers, `server-${server}/dist/index.js`), ...words]
  return {
    command: process.execPath,
    args: [home.agent, "mcp", "gate", "--server", server, "--", ...program],
    env: {
      HOME: home.folder,
      ACTION_RISK_URL: url,
      ACTION_RISK_KEY: service.key,
      MEMORY_FILE_PATH: join(home.folder, "memory.jsonl")
    }
  }
}

/** Calls one tool and returns what the agent reads. No person can be asked. */
type Call = (server: Server, name: string, given: object, url?: string) => Promise<string>

const bySdk: Call = async (server, name, given, url = service.url) => {
  const client = new Client({ name: "test", version: "1" })
  const { args, command, env } = gateBefore(server, url)
  await client.connect(new StdioClientTransport({ command, args: [...args], env }))
  try {
    const { content } = await client.callTool({ name, arguments: { ...given } })
    return (content as ReadonlyArray<{ readonly text?: string }>).map(({ text }) => text).join("\n")
  } finally {
    await client.close()
  }
}

const byProgram =
  (host: McpHost): Call =>
  async (server, tool, given, url = service.url) => {
    const call = { server, tool, input: { ...given } }
    const { said } = await callByHost(host, model, home, call, gateBefore(server, url))
    expect([model.called(), said]).toEqual([true, expect.anything()])
    return model.heard()
  }

const hosts: Readonly<Record<string, Call>> = {
  "the SDK": bySdk,
  ...Object.fromEntries(mcpHosts.map((host) => [host, byProgram(host)]))
}

const inWorkspace = (name: string): string => join(home.workspace, name)

/** Calls that must run, each with a pattern for the server's answer. */
const harmless: ReadonlyArray<readonly [Server, string, () => object, RegExp]> = [
  ["filesystem", "list_directory", () => ({ path: home.workspace }), /notes\.txt/],
  ["filesystem", "read_text_file", () => ({ path: inWorkspace("notes.txt") }), /buy milk/],
  ["filesystem", "search_files", () => ({ path: home.workspace, pattern: "*.txt" }), /notes\.txt/],
  ["memory", "read_graph", () => ({}), /entities/],
  ["memory", "search_nodes", () => ({ query: "milk" }), /entities/],
  ["everything", "get-sum", () => ({ a: 1, b: 2 }), /3/],
  ["everything", "echo", () => ({ message: "hello" }), /hello/]
]

describe.each(Object.entries(hosts))("with %s as the host, an unconfigured gate", (_, call) => {
  beforeEach(() => writeFileSync(inWorkspace("notes.txt"), "buy milk"))

  it.each(harmless)("lets a harmless call run: %s %s", async (server, tool, given, says) => {
    expect(await call(server, tool, given())).toMatch(says)
  })

  it("stops what would replace a file that is run", async () => {
    mkdirSync(inWorkspace(".github/workflows"), { recursive: true })
    const path = inWorkspace(".github/workflows/ci.yml")
    const said = await call("filesystem", "write_file", { path, content: "on: push" })
    expect([said, existsSync(path)]).toEqual([expect.stringMatching(/Not called\. action risk /), false])
  })

  it("stops what shows the variables of a process", async () => {
    expect(await call("everything", "get-env", {})).toMatch(/Not called\. action risk /)
  })

  it("stops what forgets many things, and believes no dry run of a tool that knows none", async () => {
    const entityNames = Array.from({ length: 40 }, (_, at) => `customer ${at}`)
    for (const more of [{}, { dry_run: true }])
      expect(await call("memory", "delete_entities", { entityNames, ...more })).toMatch(
        /Not called\. action risk /
      )
  })

  it.each(harmless)("stops each of them while the service is down: %s %s", async (server, tool, given) => {
    const away = "http://127.0.0.1:9"
    expect(await call(server, tool, given(), away)).toMatch(/Not called\. no risk opinion/)
    expect(readFileSync(inWorkspace("notes.txt"), "utf8")).toBe("buy milk")
  })
})
