/** The Python file that people copy gives the same answers as the client. Runs only if Python is installed. */

import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { AssessmentUnavailable, errorEnvelope } from "../../src/api/Failures.ts"
import { exampleResponse } from "../../src/api/examples/examples.ts"
import { controlTypes } from "../../src/domain/Opinion.ts"
import { runProgram } from "../support/runProgram.ts"
import { type Script, type ScriptedService, scriptedService } from "../support/scriptedService.ts"

const folder = join(import.meta.dirname, "../../examples/agents")
const hasPython = spawnSync("python3", ["--version"]).status === 0

let service: ScriptedService
beforeAll(async () => {
  service = await scriptedService()
})
afterAll(() => service.close())

/** Asks once for each input line, which names the service. */
const program = `
import json, sys
from action_risk import ActionRisk, CONTROLS
for url in sys.stdin:
    risk = ActionRisk(url.strip(), "svc_test_x", attempts_max=2, attempt_s=0.5, deadline_s=3)
    answer = risk.ask({"action_type": "a.b", "environment": "production"})
    print(json.dumps({"opinion": answer.opinion, "code": getattr(answer, "code", None), "level": getattr(answer, "level", None), "asks": answer.asks_person, "controls": CONTROLS}), flush=True)
`

const opinion =
  (level: string, control: string, header = "full", more: object = {}): Script =>
  (response) => {
    const body = {
      ...exampleResponse,
      action_risk: { ...exampleResponse.action_risk, level },
      recommended_control: { ...exampleResponse.recommended_control, type: control },
      ...more
    }
    response.writeHead(200, { "svc-risk-opinion": header }).end(JSON.stringify(body))
  }

const none = "NO_ADDITIONAL_CONTROL_RECOMMENDED"
const incomplete = { status: "incomplete", assessment_status: "incomplete" }

describe.skipIf(!hasPython)("action_risk.py", () => {
  let python: ChildProcessByStdio<Writable, Readable, null>
  let answers: AsyncIterator<string, undefined>
  beforeAll(() => {
    python = spawn("python3", ["-B", "-c", program], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] })
    answers = createInterface({ input: python.stdout })[Symbol.asyncIterator]()
  })
  afterAll(() => python.stdin.end())

  const ask = async (url = service.url): Promise<Record<string, unknown>> => {
    python.stdin.write(`${url}\n`)
    return JSON.parse((await answers.next()).value ?? "null")
  }

  it.each([
    ["low", opinion("low", none), "full", false],
    ["high", opinion("high", "HUMAN_REVIEW_RECOMMENDED"), "full", true],
    ["low", opinion("low", "HUMAN_REVIEW_RECOMMENDED"), "full", true],
    ["low", opinion("low", none, "partial", incomplete), "partial", true]
  ])("reads an opinion of %s risk", async (level, script, kind, asks) => {
    service.play(script)
    const answer = await ask()
    expect(answer).toMatchObject({ opinion: kind, level, asks })
    expect(answer["controls"]).toEqual(controlTypes)
  })

  it.each([
    ["a level that nobody knows", opinion("tiny", none), "NOT_UNDERSTOOD"],
    ["a control that nobody knows", opinion("low", "NONE"), "NOT_UNDERSTOOD"],
    ["an opinion without its header", opinion("low", none, "none"), "NOT_UNDERSTOOD"],
    ["a full opinion that is partial", opinion("low", none, "full", incomplete), "NOT_UNDERSTOOD"],
    [
      "a score that is no number",
      opinion("low", none, "full", { action_risk: { level: "low", score: true } }),
      "NOT_UNDERSTOOD"
    ],
    [
      "JSON that is no object",
      ((response) => response.writeHead(200, { "svc-risk-opinion": "full" }).end("[]")) satisfies Script,
      "NOT_UNDERSTOOD"
    ],
    ["garbage", ((response) => response.end("{")) satisfies Script, "NOT_UNDERSTOOD"],
    [
      "a redirect",
      ((response) => response.writeHead(307, { location: "/" }).end()) satisfies Script,
      "NOT_UNDERSTOOD"
    ],
    ["half an answer", ((response) => response.destroy()) satisfies Script, "UNREACHABLE"],
    [
      "an answer that comes byte by byte",
      ((response) => {
        response.writeHead(200, { "svc-risk-opinion": "full" })
        const timer = setInterval(() => response.write(" "), 100)
        response.once("close", () => clearInterval(timer))
      }) satisfies Script,
      "TIMED_OUT"
    ],
    ["silence", (() => {}) satisfies Script, "TIMED_OUT"]
  ])("has no opinion, and no level, where it is given %s", async (_, script, code) => {
    service.play(script)
    expect(await ask()).toMatchObject({ opinion: "none", code, level: null, asks: true })
  })

  it("asks again under the same key, as the service says", async () => {
    service.play((response, heard, attempt) => {
      const failure = new AssessmentUnavailable({ retryAfterSeconds: 1 })
      if (attempt > 1) opinion("low", none)(response, heard, attempt)
      else
        response.writeHead(503, { "retry-after": "1" }).end(JSON.stringify(errorEnvelope(failure, "r", "")))
    })
    expect(await ask()).toMatchObject({ opinion: "full" })
    const keys = service.heard.map(({ headers }) => headers["idempotency-key"])
    expect([keys.length, new Set(keys).size]).toEqual([2, 1])
  })

  it("never raises where nothing listens", async () => {
    expect(await ask("http://127.0.0.1:9")).toMatchObject({ opinion: "none", code: "UNREACHABLE" })
  })
})

/** Calls the functions as the frameworks would, because the frameworks are not installed. */
const calling = `
import asyncio, json
from types import SimpleNamespace
import frameworks
call = SimpleNamespace(tool_call={"name": "refund", "args": {}, "id": "call-1"})
asked = asyncio.run(frameworks.needs_approval(None, {}, "call-2"))
print(json.dumps({"when": frameworks.when(call), "needs_approval": asked}))
`

describe.skipIf(!hasPython)("the functions for LangChain and OpenAI Agents in Python", () => {
  const call = async (url: string): Promise<unknown> => {
    const env = { ACTION_RISK_URL: url, ACTION_RISK_KEY: "svc_test_x" }
    return JSON.parse((await runProgram("python3", ["-B", "-c", calling], { cwd: folder, env })).stdout)
  }

  it.each([
    ["high", opinion("high", "HUMAN_REVIEW_RECOMMENDED"), true],
    ["low", opinion("low", none), false]
  ])("have a person asked as the risk is: %s", async (_, script, asks) => {
    service.play(script)
    expect(await call(service.url)).toEqual({ when: asks, needs_approval: asks })
    expect(service.heard.map(({ headers }) => headers["idempotency-key"])).toEqual(["call-2", "call-1"])
  })

  it("have a person asked where nothing listens", async () => {
    expect(await call("http://127.0.0.1:9")).toEqual({ when: true, needs_approval: true })
  })
})
