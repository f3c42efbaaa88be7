/** Each genuine program with our hook, beside a service that answers in every way: did the command of the model run? */

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exampleOutcome } from "../../src/api/examples/outcomeExamples.ts"
import { type HostName, hosts } from "../../src/agents/hook/hosts.ts"
import { type Script, type ScriptedService, scriptedService } from "../support/scriptedService.ts"
import { high, low, opinion } from "./support/opinions.ts"
import { matrixPage } from "./support/matrixPage.ts"
import { furnish, genuine, type Home, makeHome, removeHome, runHost, runIn } from "./support/programs.ts"
import { type ScriptedModel, scriptedModel } from "./support/scriptedModel.ts"

let model: ScriptedModel
let service: ScriptedService
beforeAll(async () => {
  model = await scriptedModel()
  service = await scriptedService()
})
afterAll(() => Promise.all([model.close(), service.close()]))

interface Trial {
  readonly service: Script
  /** What happens to the hook's program after it was installed. */
  readonly spoil?: (home: Home) => void
  /** Whether the command runs; for all hosts that are not named. */
  readonly runs: boolean
  readonly but?: Partial<Readonly<Record<HostName, boolean>>>
}

const replaced =
  (change: (text: string) => string) =>
  ({ agent }: Home): void =>
    writeFileSync(agent, change(readFileSync(agent, "utf8")))

const noise = replaced((text) => `console.log("a library says hello")\n${text}`)

const trials: Readonly<Record<string, Trial>> = {
  "low risk": { service: low, runs: true },
  "high risk": { service: high, runs: false },
  "critical risk": { service: opinion("critical", "HUMAN_REVIEW_RECOMMENDED"), runs: false },
  "the service answers 503": { service: (response) => response.writeHead(503).end(), runs: false },
  // It is never ended: the hook gives up by itself.
  "the service never answers": { service: () => {}, runs: false },
  "the answer is no JSON": {
    service: (response) => response.writeHead(200, { "svc-risk-opinion": "full" }).end("{"),
    runs: false
  },
  "the hook crashes": { service: low, spoil: replaced(() => 'throw new Error("broken")'), runs: false },
  "the hook's program is missing": { service: low, spoil: ({ agent }) => rmSync(agent), runs: false },
  "high risk, and a library prints a line": { service: high, spoil: noise, runs: false },
  // Its plugin takes nothing but the one word for silence.
  "low risk, and a library prints a line": {
    service: low,
    spoil: noise,
    runs: true,
    but: { opencode: false }
  }
}

const names = Object.keys(hosts) as ReadonlyArray<HostName>
const seen = new Map<string, boolean>()

interface Otherwise {
  readonly env?: Readonly<Record<string, string>>
  /** Words that the program is started without. */
  readonly less?: ReadonlyArray<string>
  /** What the command does besides. */
  readonly besides?: string
}

/** Whether the file came into being that the model wants made. */
const isMade = async (
  host: HostName,
  prepare: (home: Home) => Promise<void> | void,
  { env = {}, less = [], besides = "" }: Otherwise = {}
): Promise<boolean> => {
  const home = makeHome()
  try {
    const file = join(home.workspace, "made.txt")
    await furnish(host, model.url, home)
    await prepare(home)
    model.want([genuine[host].shell(`touch ${file}${besides}`)])
    const asking = { ACTION_RISK_URL: service.url, ACTION_RISK_KEY: "svc_test_x", ...env }
    const { said } = await runHost(host, model.url, home, asking, less)
    // Else nothing was tried, and a file that is missing shows nothing.
    expect([model.called(), said]).toEqual([true, expect.anything()])
    return existsSync(file)
  } finally {
    removeHome(home)
  }
}

const install = async (host: HostName, home: Home, more: ReadonlyArray<string> = []): Promise<void> => {
  const { code, said } = await runIn(home, process.execPath, [home.agent, "hook", "install", host, ...more])
  expect([code, said]).toEqual([0, expect.anything()])
}

describe.each(names)("%s", (host) => {
  it("runs what its model wants where there is no hook", async () => {
    expect(await isMade(host, () => {})).toBe(true)
  })

  it.each(Object.entries(trials))("%s", async (name, { but, runs, service: script, spoil }) => {
    service.play(script)
    const made = await isMade(host, async (home) => {
      await install(host, home)
      spoil?.(home)
    })
    seen.set(`${host} ${name}`, made)
    expect(made).toBe(but?.[host] ?? runs)
  })
})

/** What hosts say of a command that ended well, and of one that ended with an error; nothing where they have no hook of ours for it. */
const reported: Readonly<Record<HostName, readonly [string, string]>> = {
  "claude-code": ["executed", "failed"],
  codex: ["executed", "executed"],
  copilot: ["executed", "executed"],
  gemini: ["executed", "executed"],
  opencode: ["executed", "executed"],
  cline: ["-", "-"]
}

describe.each(names)("%s with a key to report with", (host) => {
  it.each([
    ["ends well", "", 0],
    ["ends with an error", "; exit 3", 1]
  ] as const)("tells what became of a command that %s", async (_, besides, at) => {
    service.play((response, heard, attempt) =>
      heard.url.endsWith("/events")
        ? response.writeHead(200).end(JSON.stringify(exampleOutcome))
        : low(response, heard, attempt)
    )
    await isMade(host, (home) => install(host, home, ["--outcomes"]), {
      env: { ACTION_RISK_OUTCOMES_KEY: "svc_test_y" },
      besides
    })
    const events = service.heard.filter(({ url }) => url.endsWith("/events"))
    expect(events.map(({ body }) => JSON.parse(body).type).join(" ") || "-").toBe(reported[host][at])
  })
})

describe("codex", () => {
  it("runs everything while its hook is not trusted, which nobody else can mend", async () => {
    service.play(high)
    const untrusted = ["--dangerously-bypass-hook-trust"]
    expect(await isMade("codex", (home) => install("codex", home), { less: untrusted })).toBe(true)
    expect(service.heard).toHaveLength(0)
  })
})

describe("the page about hosts", () => {
  it("shows what was seen", async () => {
    if (seen.size < names.length * Object.keys(trials).length) return
    await expect(
      matrixPage({ hosts: names, trials: Object.keys(trials), seen, reported })
    ).toMatchFileSnapshot("../../docs/agents/hosts.md")
  })
})
