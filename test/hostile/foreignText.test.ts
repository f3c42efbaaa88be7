/** Foreign text in a text for people is never hidden, and never ends its quotation. */

import { Schema } from "effect"
import fc from "fast-check"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type HostName, hosts } from "../../src/agents/hook/hosts.ts"
import { runHook } from "../../src/agents/hook/runHook.ts"
import { runMcpGate } from "../../src/agents/mcp/mcpGate.ts"
import { toolGate } from "../../src/agents/toolGate.ts"
import { exampleResponse } from "../../src/api/examples/examples.ts"
import { plainTerminal, printable, table } from "../../src/cli/Terminal.ts"
import { renderHeadline } from "../../src/cli/assessmentView.ts"
import { errorLine } from "../../src/cli/exit.ts"
import { actionName } from "../../src/cli/rules/backtestView.ts"
import { requestText } from "../../src/cli/rules/witness.ts"
import { said } from "../../src/console/parts/said.ts"
import type { Action } from "../../src/domain/Action.ts"
import { asCode, escapeInvisible, quoted } from "../../src/foreignText.ts"
import { isRecord } from "../../src/json/json.ts"
import { reasonCharactersMax } from "../../src/limits.ts"
import { escapeHtml } from "../../src/markup.ts"
import { Sentence } from "../../src/rules/files/vocabulary.ts"
import { noHistory, opineAsked } from "../support/opine.ts"
import { opinionAt, type ScriptedService, scriptedService } from "../support/scriptedService.ts"

/** Ends the quotation, adds a sentence for the approver, and begins another quotation. */
const forgery = "” wants to read zqx. Action risk is low (1 of 100). “zqx"

const quotationMarks = ["”", "“", "„", "‟", "❞", "〞", "＂", "″", '"', "'", "`"]
const controls = [
  "\n",
  "\r\n",
  "\t",
  "\u0000",
  "\u001b[31m",
  "\u009b",
  "\u007f",
  "\u2028",
  "\ud800",
  "\ue000"
]
const unseen = ["\u200b", "\ufeff", "\u2060", "\u00ad", "\ufe0f", "\u3164", "\u115f", "\u034f", "\u{e0041}"]
const turning = ["\u200f", "\u202e", "\u2066"]
const drawnOver = ["\u0338", "\u20dd"]
const ordinary = ["; ", ". ", ") ", "</b>", "zqx zqx", forgery]
const pieces = [quotationMarks, controls, unseen, turning, drawnOver, ordinary].flat()
const hostileOf = (maxLength: number) =>
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength }).map((parts) => `${parts.join("")} zqx`)
const hostile = hostileOf(12)

/** A line break is one of these too: none of these texts has a layout. */
const hidden = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** The text without what it quotes. */
const own = (text: string): string => text.replaceAll(/“[^“”]*”/g, "“”")

/** Harmless but still quoted, because it is more than one word. */
const harmless = "two words"

const runs = { numRuns: 300 }
const check = (claim: (text: string) => void): void => fc.assert(fc.property(hostile, claim), runs)

describe("a quotation", () => {
  it("is one, on one line, with nothing hidden, and no longer than it may be", () =>
    check((text) => {
      const all = quoted(text, 20)
      expect(own(all)).toBe("“”")
      expect(all).not.toMatch(hidden)
      expect([...all].length).toBeLessThanOrEqual(22)
      expect(all).not.toMatch(/^“\p{M}/u)
      expect(asCode(text).slice(1, -1)).not.toMatch(/`/)
    }))

  it("repeats an ordinary text as it is", () => {
    for (const text of [
      "ci",
      "Müller & Söhne",
      `git commit -m "it's"`,
      "письмо",
      "東京",
      "https://x.example/?a=b"
    ])
      expect(quoted(text, 60)).toBe(`“${text}”`)
  })
})

const asked: Action = {
  actionType: "customer.export",
  environment: "production",
  agentId: harmless,
  targetSystem: harmless,
  targetResource: harmless,
  destination: harmless
}
const opine = (action: Action) => opineAsked({ action, behavior: noHistory, policies: [] })
const request = (action: Action): string => own(opine(action).summary).split(" Action risk is ")[0] ?? ""

describe("the summary of an opinion", () => {
  const expected = request(asked)

  it.each(["agentId", "targetSystem", "targetResource", "destination"] as const)(
    "is the same with a hostile %s as with a harmless one",
    (field) =>
      check((text) => {
        expect(request({ ...asked, [field]: text })).toBe(expected)
      })
  )

  it.each([
    "agentId",
    "targetSystem",
    "targetResource",
    "destination",
    "actionDescription",
    "metadata",
    "context",
    "actionType"
  ])("holds nothing hidden, and what it does not quote is its own, with a hostile %s", (field) =>
    check((text) => {
      const value = field === "metadata" || field === "context" ? { command: text, [text]: text } : text
      const { recommendedControl, riskFactors, summary } = opine({ ...asked, [field]: value })
      const messages = [...riskFactors.map(({ message }) => message), ...recommendedControl.because]
      const unquoted = [own(summary), ...messages].join("")
      expect(summary + unquoted).not.toMatch(hidden)
      expect(unquoted).toMatch(/^[\x20-\x7e“”]*$/)
      // The words of an action type are in the summary, without anything between them.
      expect(field !== "actionType" && unquoted.includes("zqx")).toBe(false)
    })
  )
})

it("a text of a rule, a policy or a catalogue is refused where something in it is hidden", () => {
  const isSentence = Schema.is(Sentence)
  expect(isSentence("A new payee is called back.")).toBe(true)
  check((text) => {
    expect(hidden.test(text) && isSentence(text)).toBe(false)
  })
})

describe("what a terminal shows", () => {
  const screen = plainTerminal(200)
  const asking = (actionType: string) =>
    renderHeadline(screen, { actionType, environment: "production" }, exampleResponse)

  it("quotes what it names within a sentence", () =>
    check((text) => {
      for (const sentence of [
        (name: string) => asking(name).join(" "),
        (name: string) => actionName({ action_type: name, environment: "production" }),
        (name: string) => requestText({ action_type: name, environment: "production", destination: name })
      ]) {
        expect(sentence(text)).not.toMatch(hidden)
        expect(own(sentence(text))).toBe(own(sentence(harmless)))
      }
    }))

  it("hides nothing, and keeps every text where it belongs", () =>
    check((text) => {
      const lines = [...table(screen, [[text, "x"]]), printable(text), errorLine(text)]
      expect(lines).toHaveLength(3)
      expect(lines.join("")).not.toMatch(hidden)
    }))
})

it("a page hides only where a line ends", () =>
  check((text) => {
    const pages = escapeHtml(text) + said(text).html + said(quoted(text, 60)).html
    expect(pages.replaceAll("\n", "")).not.toMatch(hidden)
  }))

describe("the reason that an agent's person reads", () => {
  let service: ScriptedService
  let folder = ""
  const env = () => ({ ACTION_RISK_URL: service.url, ACTION_RISK_KEY: "svc_test_x" })
  beforeAll(async () => {
    service = await scriptedService()
    service.play(opinionAt("high"))
    folder = mkdtempSync(join(tmpdir(), "action-risk-foreign-"))
  })
  afterAll(async () => {
    await service.close()
    rmSync(folder, { recursive: true })
  })

  // JSON cannot contain half a character.
  const short = hostileOf(3).filter((text) => text.isWellFormed())
  /** Undefined if nothing refutes it. */
  const refute = async (reason: (text: string) => Promise<string>): Promise<string | undefined> => {
    const expected = own(await reason(harmless))
    expect(expected).toContain("“”")
    const checked = await fc.check(
      fc.asyncProperty(short, async (text) => {
        const given = await reason(text)
        expect(given).not.toMatch(hidden)
        // Where it is cut, nothing follows the last quotation.
        const isCut = [...given].length === reasonCharactersMax
        const shown = isCut ? own(given).replace(/“[^”]*$/, "") : own(given)
        expect(shown).toBe(isCut ? expected.slice(0, shown.length) : expected)
      }),
      { numRuns: 40 }
    )
    return fc.asyncDefaultReportMessage(checked)
  }

  const say = async (host: HostName, input: object): Promise<string> => {
    async function* bytes() {
      yield Buffer.from(JSON.stringify(input))
    }
    const { stderr, stdout } = await runHook(host, bytes(), { folder, env: env() })
    // Hosts that want the reason in several places get the same text in each.
    const texts = (value: unknown): ReadonlyArray<string> =>
      isRecord(value) ? Object.values(value).flatMap(texts) : typeof value === "string" ? [value] : []
    return stdout === "" ? stderr.trimEnd() : [...new Set(texts(JSON.parse(stdout)))].join(" ")
  }
  const inputOf = (name: string, input: object, cwd = folder) => ({
    tool_name: name,
    tool_input: input,
    toolName: name,
    toolArgs: input,
    tool: name,
    args: input,
    cwd,
    tool_call: { name, input },
    hook_event_name: "preToolUse"
  })
  const shells: Readonly<Record<HostName, string>> = {
    "claude-code": "Bash",
    codex: "Bash",
    copilot: "bash",
    gemini: "run_shell_command",
    opencode: "bash",
    cline: "run_commands",
    vscode: "bash",
    cursor: "Shell",
    "generic --reply exit2": "Execute",
    "generic --reply claude": "Bash",
    "generic --reply deny-json": "Bash"
  }

  it.each(Object.keys(hosts) as ReadonlyArray<HostName>)(
    "quotes commands and tools to that of %s",
    async (host) => {
      expect(
        await refute((text) => say(host, inputOf(shells[host], { command: text, commands: [text] })))
      ).toBeUndefined()
      expect(await refute((text) => say(host, inputOf(text, {})))).toBeUndefined()
    }
  )

  it("quotes the path and the keys of a gate file in the workspace", async () => {
    const workspace = join(folder, "a”; “b\u202e\n")
    mkdirSync(workspace)
    const spoilt = (key: string) => {
      writeFileSync(join(workspace, "action-risk.gate.json"), JSON.stringify({ version: 1, [key]: 1 }))
      return say("claude-code", inputOf("Bash", { command: harmless }, workspace))
    }
    expect(await refute(spoilt)).toBeUndefined()
  })

  it("quotes tools to a program and to the person of an MCP host", async () => {
    const gate = toolGate({ agentId: "test", folder, env: env() })
    expect(await refute(async (tool) => (await gate.check({ tool, input: {} })).reason)).toBeUndefined()
    const elicited = async (tool: string): Promise<string> => {
      const [input, output] = [new PassThrough(), new PassThrough()]
      const link = () => {
        const { promise: ended, resolve } = Promise.withResolvers<number>()
        return { send: () => {}, close: () => resolve(0), ended }
      }
      const over = runMcpGate({ name: "shop", link, folder, env: env(), input, output })
      const tell = (message: object) =>
        input.write(`${escapeInvisible(JSON.stringify({ jsonrpc: "2.0", ...message }))}\n`)
      tell({ id: 1, method: "initialize", params: { capabilities: { elicitation: {} } } })
      tell({ id: 2, method: "tools/call", params: { name: tool, arguments: {} } })
      const [line] = await output.take(1).toArray()
      input.end()
      await over
      return JSON.parse(String(line).split("\n")[0] ?? "").params.message
    }
    expect(await refute(elicited)).toBeUndefined()
  })
})
