/** Each real program with our hook and every answer of the service: did the model's command run? */

import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exampleOutcome } from "../../src/api/examples/outcomeExamples.ts"
import { type ScriptedService, scriptedService } from "../support/scriptedService.ts"
import { type Judge, judges, judgeTrials, madeByDefault } from "./support/judges.ts"
import { high, low } from "./support/opinions.ts"
import { matrixPage } from "./support/matrixPage.ts"
import {
  bringRules,
  furnish,
  genuine,
  type GenuineHost,
  type Home,
  installHook,
  makeHome,
  type OtherWords,
  removeHome,
  runHost
} from "./support/programs.ts"
import { type ScriptedModel, scriptedModel, type Wanted } from "./support/scriptedModel.ts"
import { localTrials, trials } from "./support/trials.ts"

let model: ScriptedModel
let service: ScriptedService
beforeAll(async () => {
  model = await scriptedModel()
  service = await scriptedService()
})
afterAll(() => Promise.all([model.close(), service.close()]))

const names = Object.keys(genuine) as ReadonlyArray<GenuineHost>
const seen = new Map<string, boolean>()

interface Otherwise extends OtherWords {
  readonly env?: Readonly<Record<string, string>>
  /** The command's additional effect. */
  readonly besides?: string
  /** In place of a command. */
  readonly wants?: (file: string) => Wanted
}

/** Whether the file that the model asked for was created. */
const isMade = async (
  host: GenuineHost,
  prepare: (home: Home) => Promise<void> | void,
  { env = {}, besides = "", wants, ...words }: Otherwise = {}
): Promise<boolean> => {
  const home = makeHome()
  try {
    const file = join(home.workspace, "made.txt")
    await furnish(host, model.url, home)
    await prepare(home)
    model.want([wants?.(file) ?? genuine[host].shell(`touch ${file}${besides}`)])
    const asking = { ACTION_RISK_URL: service.url, ACTION_RISK_KEY: "svc_test_x", ...env }
    const { said } = await runHost(host, model.url, home, asking, words)
    // Otherwise nothing was tried, and a missing file proves nothing.
    expect([model.called(), said]).toEqual([true, expect.anything()])
    return existsSync(file)
  } finally {
    removeHome(home)
  }
}

const install = async (host: GenuineHost, home: Home, more: ReadonlyArray<string> = []): Promise<void> => {
  const { code, said } = await installHook(host, home, more)
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

  it.each(Object.entries(localTrials))("%s", async (name, { besides = "", runs, spoil }) => {
    service.play(high)
    const prepare = async (home: Home) => {
      bringRules(home)
      await install(host, home, ["--local", "--environment", "development"])
      spoil?.(home)
    }
    const made = await isMade(host, prepare, { besides })
    seen.set(`${host} ${name}`, made)
    expect([made, service.heard]).toEqual([runs, []])
  })
})

const bring =
  ({ files = {} }: Judge) =>
  (home: Home): void => {
    for (const [name, text] of Object.entries(files)) {
      const path = join(home.folder, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
  }

describe.each(Object.entries(judges))("%s", (name, judge) => {
  const [alone, ...expected] = judge.made ?? madeByDefault
  it("without the hook", async () => {
    const made = await isMade(judge.host, bring(judge), judge)
    seen.set(`${name} no hook`, made)
    expect(made).toBe(alone)
  })

  it.each(Object.entries(judgeTrials).map(([trial, script], at) => [trial, script, expected[at]] as const))(
    "%s",
    async (trial, script, runs) => {
      service.play(script)
      const made = await isMade(
        judge.host,
        async (home) => {
          bring(judge)(home)
          await install(judge.host, home)
        },
        judge
      )
      seen.set(`${name} ${trial}`, made)
      expect(made).toBe(runs)
    }
  )
})

/** What hosts report for a command that succeeded, and for one that failed; nothing without a hook of ours for it. */
const reported: Readonly<Record<GenuineHost, readonly [string, string]>> = {
  "claude-code": ["executed", "failed"],
  codex: ["executed", "executed"],
  copilot: ["executed", "executed"],
  gemini: ["executed", "executed"],
  opencode: ["executed", "executed"],
  cline: ["-", "-"],
  "qwen-code": ["-", "-"],
  droid: ["-", "-"]
}

describe.each(names)("%s with a key to report with", (host) => {
  it.each([
    ["ends well", "", 0],
    ["ends with an error", "; exit 3", 1]
  ] as const)("reports the outcome of a command that %s", async (_, besides, at) => {
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
  it("runs everything while its hook is not trusted, which no one else can repair", async () => {
    service.play(high)
    const untrusted = ["--dangerously-bypass-hook-trust"]
    expect(await isMade("codex", (home) => install("codex", home), { less: untrusted })).toBe(true)
    expect(service.heard).toHaveLength(0)
  })
})

describe("the page about hosts", () => {
  it("shows what was seen", async () => {
    const all = [...Object.keys(trials), ...Object.keys(localTrials)]
    const ways = Object.keys(judges)
    const answers = ["no hook", ...Object.keys(judgeTrials)]
    if (seen.size < names.length * all.length + ways.length * answers.length) return
    await expect(
      matrixPage({ hosts: names, trials: all, seen, reported, ways, answers })
    ).toMatchFileSnapshot("../../docs/agents/hosts.md")
  })
})
