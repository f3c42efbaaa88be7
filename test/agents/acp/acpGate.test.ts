/** `action-risk-agent acp gate` between an editor and an agent, both of the real library: which acts reach the editor, and how. */

import {
  client,
  type ClientConnection,
  methods,
  ndJsonStream,
  type RequestPermissionRequest
} from "@agentclientprotocol/sdk"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { agentProgram } from "../../support/agentProgram.ts"
import { lineProcess } from "../../support/lineProcess.ts"
import { cleanEnvironment } from "../../support/runProgram.ts"
import { opinionAt, type ScriptedService, scriptedService } from "../../support/scriptedService.ts"

const scripted = join(import.meta.dirname, "../../support/acpAgent.ts")

let service: ScriptedService
let folder = ""
let connection: ClientConnection
let end: () => Promise<number | null>

/** The questions to the editor, in order. */
let asked: Array<RequestPermissionRequest> = []
let done: Array<readonly [method: string, params: object]> = []
let shown: Array<string> = []
let choose: (request: RequestPermissionRequest) => string | null = () => null

const gateArguments = ["acp", "gate", "--agent", "scripted", "--config"]

const open = async (...ofAgent: ReadonlyArray<string>) => {
  const gate = spawn(
    process.execPath,
    [agentProgram, ...gateArguments, folder, "--", process.execPath, scripted, ...ofAgent],
    {
      env: { ...cleanEnvironment, ACTION_RISK_URL: service.url, ACTION_RISK_KEY: "svc_test_x", HOME: folder },
      stdio: ["pipe", "pipe", "inherit"]
    }
  )
  const ended = new Promise<number | null>((resolve) => gate.once("close", resolve))
  const doing =
    (method: string) =>
    <A>(answer: A) =>
    ({ params }: { readonly params: object }): A => {
      done.push([method, params])
      return answer
    }
  const editor = client({ name: "editor" })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params)
      const optionId = choose(params)
      return { outcome: optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId } }
    })
    .onRequest(methods.client.terminal.create, doing("terminal/create")({ terminalId: "t1" }))
    .onRequest(methods.client.fs.writeTextFile, doing("fs/write_text_file")({}))
    .onRequest(methods.client.fs.readTextFile, doing("fs/read_text_file")({ content: "x" }))
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
        shown.push(update.content.text)
    })
    .connect(
      ndJsonStream(Writable.toWeb(gate.stdin), Readable.toWeb(gate.stdout) as ReadableStream<Uint8Array>)
    )
  return {
    connection: editor,
    end: () => {
      gate.stdin.end()
      return ended
    }
  }
}

const initialize = (to: ClientConnection) =>
  to.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: { terminal: true } })

beforeAll(async () => {
  service = await scriptedService()
  folder = mkdtempSync(join(tmpdir(), "action-risk-acp-"))
  const opened = await open()
  connection = opened.connection
  end = opened.end
  await initialize(connection)
  await connection.agent.request(methods.agent.session.new, { cwd: folder, mcpServers: [] })
})
afterAll(async () => {
  expect(await end()).toBe(0)
  await service.close()
  rmSync(folder, { recursive: true })
})

interface Heard {
  readonly answers: ReadonlyArray<{ readonly error?: { readonly code: number; readonly message: string } }>
  readonly key: string | null
}

const options = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "once", name: "Once", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" }
]

const permission = (command: string, toolCallId = "c1") => ({
  method: "session/request_permission",
  params: { options, toolCall: { toolCallId, title: "Run it", kind: "execute", rawInput: { command } } }
})
const terminal = (command: string, ...args: ReadonlyArray<string>) => ({
  method: "terminal/create",
  params: { command, args }
})

/** Makes the agent ask for these, and returns the answers. */
const prompted = async (...steps: ReadonlyArray<object>): Promise<Heard> => {
  asked = []
  done = []
  shown = []
  await connection.agent.request(methods.agent.session.prompt, {
    sessionId: "s1",
    prompt: [{ type: "text", text: JSON.stringify(steps) }]
  })
  const last = () => shown.find((text) => text.startsWith('{"answers"'))
  await vi.waitFor(() => expect(last()).toBeDefined())
  return JSON.parse(last() ?? "{}")
}

const prompt = (level: string, ...steps: ReadonlyArray<object>): Promise<Heard> => {
  service.play(opinionAt(level))
  return prompted(...steps)
}

const questionHeard = () => JSON.parse(service.heard[0]?.body ?? "{}")

const contentOf = (request: RequestPermissionRequest | undefined) =>
  JSON.stringify(request?.toolCall.content ?? [])

describe("what an agent asks a person to permit", () => {
  it("reaches the person without a reason if there is no objection, and is never allowed permanently", async () => {
    choose = () => "once"
    const { answers, key } = await prompt("low", permission("git status"))
    expect(answers).toEqual([{ outcome: { outcome: "selected", optionId: "once" } }])
    expect(asked.map(({ options: offered }) => offered.map(({ optionId }) => optionId))).toEqual([
      ["once", "no"]
    ])
    expect(contentOf(asked[0])).toBe("[]")
    expect(key).toBe(null)
    expect(questionHeard()).toMatchObject({
      action_type: "run_command",
      agent_id: "acp:scripted",
      environment: "production",
      metadata: { tool: "acp:scripted/run_command", tool_call: { arguments: { command: "git status" } } }
    })
  })

  it("reaches the person with the reason if a person must decide, and counts once for the next terminal", async () => {
    choose = () => "once"
    const same = terminal("rm", "-rf", "dist")
    const { answers } = await prompt("high", permission("rm -rf dist"), same, same)
    expect(contentOf(asked[0])).toContain("action risk high")
    expect(answers[1]).toEqual({ terminalId: "t1" })
    // The gate itself asks about the second terminal, with its own options.
    expect(asked.map(({ toolCall }) => toolCall.title)).toEqual(["Run it", "run_command?"])
    expect(answers[2]?.error?.message).toContain("Not done. action risk high")
    expect(done.map(([method]) => method)).toEqual(["terminal/create"])
  })

  it.each([
    ["other words", terminal("rm", "-rf", "dist src")],
    [
      "variables",
      {
        method: "terminal/create",
        params: { ...terminal("rm", "-rf", "dist", "src").params, env: [{ name: "A", value: "b" }] }
      }
    ]
  ])("counts for no terminal with %s", async (_, other) => {
    choose = () => "once"
    const { answers } = await prompt("high", permission("rm -rf dist src"), other)
    expect(answers[1]?.error?.message).toContain("Not done. action risk high")
    expect(done).toEqual([])
  })

  it("is recognized by what the agent said about the call before", async () => {
    choose = () => "no"
    const update = {
      method: "session/update",
      params: {
        update: {
          sessionUpdate: "tool_call",
          toolCallId: "c9",
          title: "x",
          kind: "delete",
          rawInput: { path: "/srv/db" }
        }
      }
    }
    const bare = { method: "session/request_permission", params: { options, toolCall: { toolCallId: "c9" } } }
    await prompt("low", update, bare)
    expect(questionHeard()).toMatchObject({
      action_type: "delete_file",
      metadata: { tool_call: { arguments: { path: "/srv/db" } } }
    })
    const { answers } = await prompt("low", { ...bare, params: { options, toolCall: { toolCallId: "c10" } } })
    expect(contentOf(asked[0])).toContain("the agent does not state the arguments of the call")
    expect(answers).toEqual([{ outcome: { outcome: "selected", optionId: "no" } }])
  })

  it("is answered as cancelled if the session is cancelled before there is an opinion", async () => {
    service.play((response, heard, attempt) => {
      void connection.agent.notify(methods.agent.session.cancel, { sessionId: "s1" })
      setTimeout(() => opinionAt("low")(response, heard, attempt), 300)
    })
    const { answers } = await prompted(permission("git status"), terminal("git", "status"))
    expect(answers[0]).toEqual({ outcome: { outcome: "cancelled" } })
    expect([asked, done]).toEqual([[], []])
  })

  it("is refused by the owner's gate file without asking, and the editor shows why", async () => {
    writeFileSync(join(folder, "action-risk.gate.json"), '{"version":1,"refuse_from":{"level":"critical"}}')
    choose = () => "once"
    const { answers } = await prompt("critical", permission("rm -rf /"))
    expect(answers).toEqual([{ outcome: { outcome: "selected", optionId: "no" } }])
    expect(asked).toEqual([])
    expect(shown[0]).toContain("Not done. action risk critical")
    rmSync(join(folder, "action-risk.gate.json"))
  })
})

describe("an act that an agent delegates to the editor", () => {
  const write = { method: "fs/write_text_file", params: { path: "/srv/a.txt", content: "hello" } }
  const read = { method: "fs/read_text_file", params: { path: "/srv/a.txt" } }

  it("runs if there is no objection, and reading is not asked about", async () => {
    const { answers } = await prompt("low", terminal("git", "status"), write, read)
    expect(answers).toEqual([{ terminalId: "t1" }, {}, { content: "x" }])
    expect(asked).toEqual([])
    expect(service.heard.map(({ body }) => JSON.parse(body).action_type)).toEqual([
      "run_command",
      "write_file"
    ])
  })

  it("waits for a person, who sees the command, and does not run after any other answer", async () => {
    choose = ({ toolCall }) => (JSON.stringify(toolCall.rawInput).includes("deploy") ? "allow" : "reject")
    const { answers } = await prompt("high", terminal("make", "deploy"), write)
    expect(answers[0]).toEqual({ terminalId: "t1" })
    expect(answers[1]?.error).toMatchObject({ code: -32_000, message: expect.stringContaining("Not done.") })
    expect(asked[0]?.toolCall).toMatchObject({
      kind: "execute",
      rawInput: { command: "make", args: ["deploy"] }
    })
    expect(done).toHaveLength(1)
    choose = () => null
    expect((await prompt("high", write)).answers[0]?.error?.message).toContain("Not done.")
  })

  it("waits for a person while the service gives no opinion", async () => {
    choose = () => "reject"
    service.play((response) => response.writeHead(503).end())
    await prompted(terminal("git", "status"))
    expect(contentOf(asked[0])).toContain("no risk opinion")
    expect(done).toEqual([])
  })
})

describe("the ACP gate", () => {
  it("supports version 1 of the protocol, and ends if an agent chooses another one", async () => {
    const opened = await open("2")
    await expect(initialize(opened.connection)).rejects.toThrow("version 1")
    expect(await opened.end()).toBe(0)
  })

  it("drops lines that parsers may read differently, in both directions", async () => {
    const raw = join(folder, "raw.mjs")
    writeFileSync(
      raw,
      `process.stdin.on("data", () => {
        console.log("noise")
        console.log('{"jsonrpc":"2.0","id":1,"method":"terminal/create","method":"session/update","params":{}}')
        console.log('{"jsonrpc":"2.0","id":"last","method":"x"}')
      })`
    )
    const gate = lineProcess([agentProgram, ...gateArguments, folder, "--", process.execPath, raw])
    gate.send('{"jsonrpc":"2.0","id":1,"id":2,"method":"session/prompt"}')
    expect(await gate.hear(({ error }) => error !== undefined)).toMatchObject({
      id: null,
      error: { code: -32_700 }
    })
    gate.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} })
    const first = await gate.hear(() => true)
    expect(first).toEqual({ jsonrpc: "2.0", id: "last", method: "x" })
    expect(await gate.end()).toBe(0)
  })
})
