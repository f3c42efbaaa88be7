/**
 * What does the gate add to a call of an agent, and how long does a host wait for a hook?
 *
 * Method: one call after the other, each through the bare MCP server and through the gate before the same server, in turn, by standard
 * input and output and by Streamable HTTP, and the question without a gate; then whole processes of the hook, and one of Node. The service is a real one on a PostgreSQL of its own, and
 * stores each assessment. The gate file lets every call pass, so that no person is waited for. Goals: the gate adds ≤ 15 ms to the median;
 * a hook answers ≤ 0.25 s after its start.
 */

import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { actionRisk } from "../src/client/actionRisk.ts"
import { httpMcpServer } from "../test/support/httpMcpServer.ts"
import { type LineProcess, lineProcess } from "../test/support/lineProcess.ts"
import type { Answer, Question, Row } from "./Question.ts"
import { openStage } from "./stored/openStage.ts"

const root = join(import.meta.dirname, "..")
const agent = join(root, "bin/action-risk-agent.js")
const echo = [process.execPath, join(root, "test/support/echoMcpServer.ts")]
const warmUps = 30
const calls = 300
const hookStarts = 15
const addedMsMax = 15
const hookMsMax = 250
const usInMs = 1_000

interface Timed {
  readonly subject: string
  /** One whole operation. */
  readonly once: () => Promise<void>
}

const takeInTurn = async (
  subjects: ReadonlyArray<Timed>,
  warm: number,
  times: number
): Promise<ReadonlyArray<Row>> => {
  const tookMs = new Map<Timed, Array<number>>(subjects.map((subject) => [subject, []]))
  for (let lap = 0; lap < warm + times; lap++) {
    for (const subject of subjects) {
      const startedAtMs = performance.now()
      await subject.once()
      if (lap >= warm) tookMs.get(subject)?.push(performance.now() - startedAtMs)
    }
  }
  return subjects.map((one) => {
    const sorted = (tookMs.get(one) ?? []).toSorted((a, b) => a - b)
    const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN) * usInMs
    return { subject: one.subject, medianUs: at(0.5), p99Us: at(0.99) }
  })
}

let ids = 0
const message = (method: string, params: object) => ({ jsonrpc: "2.0", id: ++ids, method, params })
const start = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } }
const nextCall = () =>
  message("tools/call", { name: "refund", arguments: { charge: `ch_${ids}`, amount: 5 } })

const wasCalled = (answer: object): void => {
  const text = JSON.stringify(answer)
  if (!text.includes('"called ')) throw new Error(`the call did not come through: ${text}`)
}

const callBy = (subject: string, process: LineProcess): Timed => ({
  subject,
  once: async () => wasCalled(await process.ask(nextCall()))
})

const callByHttp = async (subject: string, url: string): Promise<Timed> => {
  const post = (body: object, session?: string) =>
    fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(session !== undefined && { "mcp-session-id": session })
      },
      body: JSON.stringify(body)
    })
  const opened = await post(message("initialize", start))
  await opened.text()
  const session = opened.headers.get("mcp-session-id") ?? ""
  const once = async () => wasCalled([await (await post(nextCall(), session)).text()])
  return { subject, once: async () => void (await once()) }
}

/** The wait that the gate has in any case. */
const askAlone = (baseUrl: string, key: string): Timed => {
  const risk = actionRisk({ baseUrl, key })
  return {
    subject: "the question alone",
    once: async () => {
      const action = { action_type: "mcp__shop__refund", environment: "development" } as const
      const answer = await risk.ask({ ...action, target_resource: `ch_${++ids}`, agent_id: "mcp:shop" })
      if (answer.opinion === "none") throw new Error(answer.message)
    }
  }
}

const startNode = (): Promise<void> =>
  new Promise((resolve) => {
    spawn(process.execPath, ["-e", ""], { stdio: "ignore" }).once("close", () => resolve())
  })

const startHook = (env: NodeJS.ProcessEnv, folder: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [agent, "hook", "run", "claude-code", "--config", folder], {
      env,
      stdio: ["pipe", "pipe", "inherit"]
    })
    let said = ""
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()))
    child.once("close", () => (said === "{}" ? resolve() : reject(new Error(`the hook said: ${said}`))))
    child.stdin.end(
      JSON.stringify({ tool_name: "Bash", tool_input: { command: `git log -${++ids}` }, session_id: "bench" })
    )
  })

const ownerFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "action-risk-bench-gate-"))
  const never = { level: "critical", control: "HUMAN_ESCALATION_RECOMMENDED" }
  const gate = { version: 1, ask_person_from: never, refuse_from: never }
  const from = { target_resource: { at: "$.charge" }, financial_value: { at: "$.amount" } }
  const tools = { "mcp:shop/refund": { from_arguments: from, why: "refunds" } }
  writeFileSync(join(folder, "action-risk.gate.json"), JSON.stringify(gate))
  writeFileSync(
    join(folder, "action-risk.tools.json"),
    JSON.stringify({ version: 1, environment: "development", tools })
  )
  return folder
}

const measureIn = async (folder: string): Promise<Answer> => {
  await using stage = await openStage()
  await using stack = new AsyncDisposableStack()
  const { key, url } = stage.service
  const asking = { ACTION_RISK_URL: url, ACTION_RISK_KEY: key, HOME: folder }
  const opened = async (args: ReadonlyArray<string>): Promise<LineProcess> => {
    const process = stack.adopt(lineProcess(args, asking), async (one) => void (await one.end()))
    await process.ask(message("initialize", start))
    return process
  }
  const upstream = stack.adopt(await httpMcpServer(), (server) => server.close())
  const gate = [agent, "mcp", "gate", "--server", "shop", "--config", folder]
  const subjects = [
    callBy("bare, stdio", await opened(echo.slice(1))),
    callBy("gate, stdio", await opened([...gate, "--", ...echo])),
    await callByHttp("bare, HTTP", upstream.url),
    callBy("gate, HTTP", await opened([...gate, "--upstream", upstream.url])),
    askAlone(url, key)
  ]
  const rows = await takeInTurn(subjects, warmUps, calls)
  const env = { PATH: process.env["PATH"], ...asking }
  const processes = [
    { subject: "hook, from start to end", once: () => startHook(env, folder) },
    { subject: "node, doing nothing", once: startNode }
  ]
  const hooks = await takeInTurn(processes, 1, hookStarts)
  const addedMs = (bare: number, gated: number): number =>
    ((rows[gated]?.medianUs ?? Number.NaN) - (rows[bare]?.medianUs ?? Number.NaN)) / usInMs
  const goalOf = (transport: string, ms: number) => ({
    says: `the gate adds ${ms.toFixed(1)} ms to a call by ${transport}, ≤ ${addedMsMax} ms`,
    met: ms <= addedMsMax
  })
  const hookMs = (hooks[0]?.medianUs ?? Number.NaN) / usInMs
  return {
    rows: [...rows, ...hooks],
    notes: [`${calls} calls of each in turn, ${hookStarts} starts of the hook; each assessment was stored`],
    goals: [
      goalOf("stdio", addedMs(0, 1)),
      goalOf("HTTP", addedMs(2, 3)),
      { says: `a hook takes ${hookMs.toFixed(0)} ms, ≤ ${hookMsMax} ms`, met: hookMs <= hookMsMax }
    ]
  }
}

export const gateQuestion: Question = {
  name: "gate",
  asks: "What the gate and the hook add to a call",
  answer: async () => {
    const folder = ownerFolder()
    try {
      return await measureIn(folder)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}
