/** The MCP gate with real hosts and clients, in both eras of the protocol: did the server's tool create its file? */

import { Client as ModernClient } from "@modelcontextprotocol/client"
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio"
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as FirstStdio } from "@modelcontextprotocol/sdk/client/stdio.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type Script, type ScriptedService, scriptedService } from "../support/scriptedService.ts"
import { high, low, opinion } from "./support/opinions.ts"
import { callByHost, mcpHosts, type ServerStart } from "./support/mcpHosts.ts"
import { type Home, makeHome, removeHome } from "./support/programs.ts"
import { type ScriptedModel, scriptedModel } from "./support/scriptedModel.ts"

let model: ScriptedModel
let service: ScriptedService
beforeAll(async () => {
  model = await scriptedModel()
  service = await scriptedService()
})
afterAll(() => Promise.all([model.close(), service.close()]))

const critical = opinion("critical", "HUMAN_REVIEW_RECOMMENDED")
const away: Script = (response) => response.destroy()

const gateIn = (home: Home): ServerStart => {
  const owner = join(home.folder, "owner")
  mkdirSync(owner)
  const tools = { "mcp:files/make": { why: "makes a file" } }
  writeFileSync(join(owner, "action-risk.tools.json"), JSON.stringify({ version: 1, tools }))
  const server = [process.execPath, join(import.meta.dirname, "support/fileServer.ts")]
  return {
    command: process.execPath,
    args: [home.agent, "mcp", "gate", "--server", "files", "--config", owner, "--", ...server],
    env: { ACTION_RISK_URL: service.url, ACTION_RISK_KEY: "svc_test_x", HOME: home.folder }
  }
}

type Person = "agrees" | "declines" | "cannot be asked"

const saying = (person: Person) =>
  person === "agrees"
    ? { action: "accept" as const, content: { go_ahead: true } }
    : { action: "decline" as const }

interface Called {
  readonly isError?: boolean | undefined
}

const about = { name: "test", version: "1" }
const making = (file: string) => ({ name: "make", arguments: { file } })

const byModern =
  (mode: "legacy" | { pin: string }) =>
  async ({ args, command, env }: ServerStart, file: string, person: Person): Promise<Called> => {
    const canAsk = person !== "cannot be asked"
    const client = new ModernClient(about, {
      capabilities: canAsk ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode }
    })
    if (canAsk) client.setRequestHandler("elicitation/create", async () => saying(person))
    await client.connect(new ModernStdio({ command, args: [...args], env }))
    try {
      return await client.callTool(making(file))
    } finally {
      await client.close()
    }
  }

const byFirst = async (
  { args, command, env }: ServerStart,
  file: string,
  person: Person
): Promise<Called> => {
  const canAsk = person !== "cannot be asked"
  const client = new FirstClient(about, { capabilities: canAsk ? { elicitation: {} } : {} })
  if (canAsk) client.setRequestHandler(ElicitRequestSchema, async () => saying(person))
  await client.connect(new FirstStdio({ command, args: [...args], env }))
  try {
    return (await client.callTool(making(file))) as Called
  } finally {
    await client.close()
  }
}

const clients = {
  "@modelcontextprotocol/client 2.4.0, in 2026-07-28": byModern({ pin: "2026-07-28" }),
  "@modelcontextprotocol/client 2.4.0, in 2025-11-25": byModern("legacy"),
  "@modelcontextprotocol/sdk 1.32.2": byFirst
}

let home: Home
beforeEach(() => {
  home = makeHome()
  return () => removeHome(home)
})

describe.each(Object.entries(clients))("%s", (_, call) => {
  it.each([
    ["low risk", low, "agrees", true],
    ["high risk, and the person agrees", high, "agrees", true],
    ["high risk, and the person declines", high, "declines", false],
    ["high risk, and nobody can be asked", high, "cannot be asked", false],
    ["critical risk, whatever a person says", critical, "agrees", false],
    ["the service is away, and the person declines", away, "declines", false],
    ["the service is away, and nobody can be asked", away, "cannot be asked", false]
  ] as const)("%s", async (_, script, person, made) => {
    service.play(script)
    const file = join(home.workspace, "made.txt")
    const { isError = false } = await call(gateIn(home), file, person)
    expect([existsSync(file), isError]).toEqual([made, !made])
  })
})

describe.each(mcpHosts)("%s as the host", (host) => {
  it.each([
    ["low risk", low, true],
    ["high risk", high, false],
    ["the service is away", away, false]
  ] as const)("%s", async (_, script, made) => {
    service.play(script)
    const file = join(home.workspace, "made.txt")
    const { said } = await callByHost(
      host,
      model,
      home,
      { server: "files", tool: "make", input: { file } },
      gateIn(home)
    )
    expect([model.called(), said]).toEqual([true, expect.anything()])
    expect(existsSync(file)).toBe(made)
  })
})
