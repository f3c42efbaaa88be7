/** The gate in the real frameworks, with a scripted model: was the tool called, and was a person asked? */

import { query } from "@anthropic-ai/claude-agent-sdk"
import { Agent as MastraAgent } from "@mastra/core/agent"
import { createTool } from "@mastra/core/tools"
import { MemorySaver } from "@langchain/langgraph"
import { Agent, run, tool as openAiTool } from "@openai/agents"
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents-core/testing"
import { generateText, isStepCount, tool as aiTool } from "ai"
import { MockLanguageModelV4 } from "ai/test"
import {
  AIMessage,
  createAgent,
  createMiddleware,
  fakeModel,
  HumanMessage,
  humanInTheLoopMiddleware,
  tool as langChainTool,
  ToolMessage
} from "langchain"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { z } from "zod"
import {
  aiSdkGate,
  claudeAgentGate,
  langChainGate,
  mastraGate,
  openAiAgentsGate,
  toolGate
} from "../../src/agents/frameworks.ts"
import { type ScriptedService, scriptedService } from "../support/scriptedService.ts"
import { genuine, type Home, makeHome, removeHome } from "./support/programs.ts"
import { type ScriptedModel as LoopbackModel, scriptedModel } from "./support/scriptedModel.ts"
import { high, low, opinion } from "./support/opinions.ts"

let service: ScriptedService
let loopback: LoopbackModel
let home: Home
let calls = 0
const owner = () => join(home.folder, "owner")
beforeAll(async () => {
  service = await scriptedService()
  loopback = await scriptedModel()
  home = makeHome()
  const tools = { refund: { why: "refunds" }, careful: { why: "asks by itself" } }
  mkdirSync(owner())
  writeFileSync(join(owner(), "action-risk.tools.json"), JSON.stringify({ version: 1, tools }))
})
afterAll(async () => {
  await Promise.all([service.close(), loopback.close()])
  removeHome(home)
})
beforeEach(() => {
  calls = 0
})

const gate = () =>
  toolGate({
    agentId: "test",
    folder: owner(),
    env: { ACTION_RISK_URL: service.url, ACTION_RISK_KEY: "svc_test_x" }
  })

const about = {
  description: "Refund a charge",
  inputSchema: z.object({ charge: z.string() }),
  execute: async () => {
    calls++
    return "refunded"
  }
}
const charge = { charge: "ch_1" }

type Outcome = "called" | "person asked" | "not called"

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 }
}

const aiSdk = async (name: string): Promise<Outcome> => {
  let turn = 0
  const model = new MockLanguageModelV4({
    doGenerate: async () =>
      turn++ === 0
        ? {
            content: [{ type: "tool-call", toolCallId: "1", toolName: name, input: JSON.stringify(charge) }],
            finishReason: { unified: "tool-calls", raw: undefined },
            usage,
            warnings: []
          }
        : {
            content: [{ type: "text", text: "done" }],
            finishReason: { unified: "stop", raw: undefined },
            usage,
            warnings: []
          }
  })
  const { content } = await generateText({
    model,
    prompt: "refund",
    stopWhen: isStepCount(3),
    tools: {
      refund: aiTool(about),
      careful: aiTool({ ...about, needsApproval: true }),
      unheard: aiTool(about)
    },
    toolApproval: aiSdkGate(gate())
  })
  if (calls > 0) return "called"
  return turn === 1 && content.some(({ type }) => type === "tool-approval-request")
    ? "person asked"
    : "not called"
}

const openAiAgents = async (name: string): Promise<Outcome> => {
  const described = { description: about.description, parameters: about.inputSchema, execute: about.execute }
  const tools = [
    openAiTool({ ...described, name: "refund" }),
    openAiTool({ ...described, name: "careful", needsApproval: true }),
    openAiTool({ ...described, name: "unheard" })
  ]
  const model = new ScriptedModel([
    [functionCall(name, JSON.stringify(charge), { callId: "1" })],
    [assistantMessage("done")]
  ])
  const agent = new Agent({ name: "a", model, tools: [...openAiAgentsGate(gate(), tools)] })
  const result = await run(agent, "refund")
  const [interruption] = result.interruptions
  if (interruption === undefined) return calls > 0 ? "called" : "not called"
  expect(calls).toBe(0)
  // Approving everything does not undo a refusal.
  result.state.approve(interruption)
  await run(agent, result.state)
  return calls > 0 ? "person asked" : "not called"
}

const langChain = async (name: string): Promise<Outcome> => {
  const tools = ["refund", "unheard"].map((one) =>
    langChainTool(about.execute, { name: one, description: about.description, schema: about.inputSchema })
  )
  const { interruptOn, wrapToolCall } = langChainGate(gate(), tools, ToolMessage)
  const agent = createAgent({
    model: fakeModel()
      .respondWithTools([{ name, args: charge, id: "1" }])
      .respond(new AIMessage("done")),
    tools,
    checkpointer: new MemorySaver(),
    middleware: [
      humanInTheLoopMiddleware({ interruptOn }),
      createMiddleware({ name: "action-risk", wrapToolCall })
    ]
  })
  const thread = { configurable: { thread_id: crypto.randomUUID() } }
  const state = await agent.invoke({ messages: [new HumanMessage("refund")] }, thread)
  if (calls > 0) return "called"
  return "__interrupt__" in state ? "person asked" : "not called"
}

const mastra = async (name: string): Promise<Outcome> => {
  let turn = 0
  const chunks = () =>
    turn++ === 0
      ? [
          { type: "tool-call" as const, toolCallId: "1", toolName: name, input: JSON.stringify(charge) },
          { type: "finish" as const, finishReason: { unified: "tool-calls" as const, raw: undefined }, usage }
        ]
      : [{ type: "finish" as const, finishReason: { unified: "stop" as const, raw: undefined }, usage }]
  const model = new MockLanguageModelV4({
    doStream: async () => ({
      stream: new ReadableStream({
        start: (stream) => {
          for (const chunk of [{ type: "stream-start" as const, warnings: [] }, ...chunks()])
            stream.enqueue(chunk)
          stream.close()
        }
      })
    })
  })
  const tools = {
    refund: createTool({ ...about, id: "refund" }),
    careful: createTool({ ...about, id: "careful", requireApproval: true }),
    unheard: createTool({ ...about, id: "unheard" })
  }
  // It takes any model of this version, and its types name fewer of them.
  const known = model as unknown as ConstructorParameters<typeof MastraAgent>[0]["model"]
  const agent = new MastraAgent({ id: "a", name: "a", instructions: "x", model: known, tools })
  const output = await agent.stream("refund", { requireToolApproval: mastraGate(gate()), maxSteps: 3 })
  let asked = false
  for await (const { type } of output.fullStream) asked ||= type === "tool-call-approval"
  if (calls > 0) return "called"
  return asked ? "person asked" : "not called"
}

const frameworks = {
  "the AI SDK": aiSdk,
  "OpenAI Agents": openAiAgents,
  LangChain: langChain,
  Mastra: mastra
}

/** Where a framework can only ask a person, a refusal is a question to one. */
const refusal = (name: string): Outcome => (name === "Mastra" ? "person asked" : "not called")

describe.each(Object.entries(frameworks))("the gate in %s", (name, trial) => {
  it("lets a call of low risk run, and has a person asked about one of high risk", async () => {
    service.play(low)
    expect(await trial("refund")).toBe("called")
    calls = 0
    service.play(high)
    expect(await trial("refund")).toBe("person asked")
  })

  it("has nothing called that its owner refuses", async () => {
    service.play(opinion("critical", "HUMAN_REVIEW_RECOMMENDED"))
    expect(await trial("refund")).toBe(refusal(name))
  })

  it.each([
    ["the service answers 503", () => service.play((response) => response.writeHead(503).end())],
    ["the answer is no JSON", () => service.play((response) => response.end("{"))],
    ["the service never answers", () => service.play(() => {})]
  ])("has a person asked where %s", async (_, prepare) => {
    prepare()
    expect(await trial("refund")).toBe("person asked")
  })

  it("asks the service about an unmapped tool", async () => {
    service.play(high)
    expect(await trial("unheard")).toBe("person asked")
  })

  it.skipIf(name === "LangChain")("leaves a tool's own question to a person as it is", async () => {
    service.play(low)
    expect(await trial("careful")).toBe("person asked")
  })
})

describe("the gate in the Claude Agent SDK", () => {
  const trial = async (): Promise<Outcome> => {
    const file = join(home.workspace, "made.txt")
    rmSync(file, { force: true })
    loopback.want([genuine["claude-code"].shell(`touch ${file}`)])
    let asked = false
    const env = {
      ...genuine["claude-code"].start(loopback.url, home).env,
      PATH: process.env["PATH"],
      HOME: home.folder
    }
    const gateEnv = { ACTION_RISK_URL: service.url, ACTION_RISK_KEY: "svc_test_x" }
    const answers = query({
      prompt: "make the file",
      options: {
        cwd: home.workspace,
        env,
        settingSources: [],
        // Allowed beforehand, so `canUseTool` alone would not be called.
        allowedTools: ["Bash"],
        hooks: claudeAgentGate({ folder: owner(), env: gateEnv }),
        canUseTool: async () => {
          asked = true
          return { behavior: "deny", message: "no" }
        }
      }
    })
    for await (const _ of answers);
    expect(loopback.called()).toBe(true)
    if (existsSync(file)) return "called"
    return asked ? "person asked" : "not called"
  }

  it.each([
    ["low", low, "called"],
    ["high", high, "person asked"],
    ["critical", opinion("critical", "HUMAN_REVIEW_RECOMMENDED"), "not called"]
  ] as const)("decides about a call of %s risk", async (_, script, outcome) => {
    service.play(script)
    expect(await trial()).toBe(outcome)
  })

  it("has a person asked where the service answers 503", async () => {
    service.play((response) => response.writeHead(503).end())
    expect(await trial()).toBe("person asked")
  })
})
