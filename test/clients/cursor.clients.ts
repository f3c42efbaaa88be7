/** The installed hook in Cursor's own hook runner, with every answer of the service: what Cursor would do. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runProgram } from "../support/runProgram.ts"
import { type ScriptedService, scriptedService } from "../support/scriptedService.ts"
import { type Home, makeHome, removeHome, runIn } from "./support/programs.ts"
import { trials } from "./support/trials.ts"

let service: ScriptedService
beforeAll(async () => {
  service = await scriptedService()
})
afterAll(() => service.close())

const runner = join(import.meta.dirname, "support/cursorRunner.ts")

/** Cursor hands a call over on standard input, or in some versions as a here-document. */
type Transport = "stdin" | "legacy"

const call = { conversation_id: "c", generation_id: "g", model: "m" }
const command = { ...call, command: "touch made.txt", cwd: "/project", sandbox: false }
const write = {
  ...call,
  tool_name: "Write",
  tool_input: { file_path: "a.ts", content: "x" },
  tool_use_id: "u"
}
const mcp = { ...call, tool_name: "refund", tool_input: "{}", mcp_server_name: "shop", command: "npx shop" }

interface Heard {
  readonly permission?: string
}

/** The runner's result for the installed hooks; undefined if it ran none of them. */
const hear = async (
  event: string,
  request: object,
  prepare: (home: Home) => void = () => {},
  transport: Transport = "stdin"
): Promise<Heard | undefined> => {
  const home = makeHome()
  try {
    await runIn(home, process.execPath, [home.agent, "hook", "install", "cursor"])
    prepare(home)
    const hooks = JSON.parse(readFileSync(join(home.folder, ".cursor/hooks.json"), "utf8"))
    const ended = await runProgram(process.execPath, [runner, transport], {
      input: JSON.stringify({ event, request, hooks, workspace: home.workspace }),
      env: { HOME: home.folder, ACTION_RISK_URL: service.url, ACTION_RISK_KEY: "svc_test_x" }
    })
    expect([ended.code, ended.stderr]).toEqual([0, expect.anything()])
    return ended.stdout.trim() === "undefined" ? undefined : JSON.parse(ended.stdout)
  } finally {
    removeHome(home)
  }
}

describe.each(Object.entries(trials))("%s", (_, { runs, service: script, spoil }) => {
  it.each(["stdin", "legacy"] as const)("before a command, handed over by %s", async (transport) => {
    service.play(script)
    const { permission = "silence" } = (await hear("beforeShellExecution", command, spoil, transport)) ?? {}
    expect(runs ? ["silence"] : ["ask", "deny"]).toContain(permission)
  })

  it("before a tool, and before a tool of a server, where a question would count for nothing", async () => {
    service.play(script)
    expect((await hear("preToolUse", write, spoil))?.permission).toBe(runs ? undefined : "deny")
    expect((await hear("beforeMCPExecution", mcp, spoil))?.permission).toBe(runs ? undefined : "deny")
  })
})

describe("cursor", () => {
  it("is asked about a command only by the event for commands", async () => {
    const request = { ...write, tool_name: "Shell", tool_input: { command: "ls" } }
    expect(await hear("preToolUse", request)).toBeUndefined()
  })
})
