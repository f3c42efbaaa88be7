/** The ACP gate reports to the service how acts ended, by the answers of the editor and the updates of the agent. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { agentProgram } from "../../support/agentProgram.ts"
import { type LineProcess, lineProcess } from "../../support/lineProcess.ts"
import { isEvent, playAt, told } from "../../support/outcomesTold.ts"
import { type ScriptedService, scriptedService } from "../../support/scriptedService.ts"

let service: ScriptedService
let folder = ""
let gate: LineProcess
let ids = 0

/** An agent that echoes its input, so that a test writes the lines of both ends. */
const echo = [process.execPath, "-e", "process.stdin.pipe(process.stdout)"]

beforeAll(async () => {
  service = await scriptedService()
  folder = mkdtempSync(join(tmpdir(), "action-risk-acp-outcomes-"))
  gate = lineProcess([agentProgram, "acp", "gate", "--agent", "echo", "--config", folder, "--", ...echo], {
    ACTION_RISK_URL: service.url,
    ACTION_RISK_KEY: "svc_test_asks",
    ACTION_RISK_OUTCOMES_KEY: "svc_test_tells",
    HOME: folder
  })
})
afterAll(async () => {
  await gate.end()
  await service.close()
  rmSync(folder, { recursive: true })
})

/** A request of the agent, once the editor has received it. */
const asked = async (method: string, given: object = {}): Promise<number> => {
  const id = ++ids
  gate.send({ jsonrpc: "2.0", id, method, params: { sessionId: "s", ...given } })
  await gate.hear((message) => message["id"] === id && message["method"] === method)
  return id
}
const answer = (id: number, answered: object) => gate.send({ jsonrpc: "2.0", id, ...answered })

const options = ["allow_once", "reject_once"].map((kind) => ({ optionId: kind, name: kind, kind }))
const permission = (toolCallId: string) =>
  asked("session/request_permission", {
    options,
    toolCall: { toolCallId, kind: "execute", rawInput: { command: "make" } }
  })
const choose = (id: number, optionId: string) =>
  answer(id, { result: { outcome: { outcome: "selected", optionId } } })
const update = (toolCallId: string, status: string) =>
  gate.send({
    jsonrpc: "2.0",
    method: "session/update",
    params: { sessionId: "s", update: { sessionUpdate: "tool_call_update", toolCallId, status } }
  })

const terminal = async (terminalId: string): Promise<void> => {
  answer(await asked("terminal/create", { command: "ls" }), { result: { terminalId } })
}

describe("the ACP gate with a key for reports", () => {
  it.each([
    ["completed", "executed"],
    ["failed", "failed"]
  ])("reports a call that a person permitted and that the agent calls %s", async (status, type) => {
    playAt(service, "high")
    choose(await permission(status), "allow_once")
    for (const said of ["in_progress", status, status]) update(status, said)
    expect(await told(service, 2)).toEqual([type, "person_agreed"].toSorted())
  })

  it("does not believe an agent that reports the end of a call that a person refused", async () => {
    playAt(service, "high")
    choose(await permission("refused"), "reject_once")
    update("refused", "completed")
    expect(await told(service, 2)).toEqual(["not_executed", "person_declined"])
  })

  it.each([
    ["terminal/wait_for_exit", { exitCode: 0, signal: null }, "executed"],
    ["terminal/wait_for_exit", { exitCode: 3 }, "failed"],
    ["terminal/wait_for_exit", { exitCode: null, signal: "SIGKILL" }, "failed"],
    ["terminal/output", { output: "", truncated: false, exitStatus: { exitCode: 0 } }, "executed"]
  ])("reports how a command ended by the answer to %s: %o", async (method, result, type) => {
    playAt(service, "low")
    const terminalId = `t${ids}`
    await terminal(terminalId)
    answer(await asked("terminal/output", { terminalId }), { result: { output: "", truncated: false } })
    answer(await asked(method, { terminalId }), { result })
    expect(await told(service, 1)).toEqual([type])
  })

  it.each([
    ["fs/write_text_file", { result: {} }, "executed"],
    ["fs/write_text_file", { error: { code: 1, message: "read-only" } }, "failed"],
    ["terminal/create", { error: { code: 1, message: "no such program" } }, "failed"]
  ])("reports how the editor answered %s: %o", async (method, answered, type) => {
    playAt(service, "low")
    answer(await asked(method, { command: "ls", path: "/srv/a.txt", content: "" }), answered)
    expect(await told(service, 1)).toEqual([type])
  })

  it("reports an act that the owner refuses as not executed", async () => {
    writeFileSync(join(folder, "action-risk.gate.json"), '{"version":1,"refuse_from":{"level":"critical"}}')
    playAt(service, "critical")
    gate.send({ jsonrpc: "2.0", id: ++ids, method: "terminal/create", params: { command: "make" } })
    expect(await told(service, 1)).toEqual(["not_executed"])
    expect(service.heard.filter(isEvent)).toHaveLength(1)
  })
})
