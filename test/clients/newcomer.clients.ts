/** Follows one page of docs/agents literally, with a real program: first with the packaged service, then without a service. */

import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { furnish, genuine, type Home, makeHome, removeHome, runHost, runIn } from "./support/programs.ts"
import { installed, type Listed, startService } from "./support/runningService.ts"
import { type ScriptedModel, scriptedModel } from "./support/scriptedModel.ts"

const root = join(import.meta.dirname, "../..")

let model: ScriptedModel
beforeAll(async () => {
  model = await scriptedModel()
})
afterAll(() => model.close())

/** The commands that a page begins with, or those of its block `at`. */
const commandsOf = (page: string, at = 0): ReadonlyArray<string> => {
  const text = readFileSync(join(root, `docs/agents/${page}.md`), "utf8")
  return ([...text.matchAll(/```sh\n([^`]+)```/g)][at]?.[1] ?? "").trim().split("\n")
}

const harmless = "mkdir sorted"
const destructive = "git clean -fdx"

/** A busy machine may miss a deadline of the service, after which a person is asked about anything: people try again. */
const tries = 3

/** From the tarball to the first answer. */
const firstAnswerMsMax = 60_000

describe.each(["claude-code", "codex"] as const)("a newcomer with %s who follows its page", (host) => {
  let home: Home
  let env: Readonly<Record<string, string>> = {}
  beforeEach(() => {
    home = makeHome()
    env = {}
    return () => removeHome(home)
  })

  const paste = async (command: string, wanted = 0): Promise<string> => {
    const hosts = join(import.meta.dirname, "node_modules/.bin")
    const path = `${join(installed, ".bin")}:${hosts}:${process.env["PATH"]}`
    const { code, said } = await runIn(home, "sh", ["-c", command.replace("npx ", "")], {
      ...env,
      PATH: path
    })
    expect([code, said]).toEqual([wanted, expect.anything()])
    return said
  }

  const wants = async (command: string): Promise<void> => {
    model.want([genuine[host].shell(command)])
    // As from another terminal: the page has said where the address and the key are stored.
    const { said } = await runHost(host, model.url, home, {})
    // Otherwise nothing was tried, and a remaining file proves nothing.
    expect([model.called(), said]).toEqual([true, expect.anything()])
  }

  const inWorkspace = (name: string): boolean => existsSync(join(home.workspace, name))

  /** Only a person can trust the hook in Codex, and the doctor asks for it; the later steps do without. */
  const untrusted = host === "codex" ? 1 : 0
  const examine = async (doctor: string, who: string): Promise<void> => {
    const examined = await paste(doctor, 2 * untrusted)
    expect(examined).toMatch(new RegExp(`^ok +${who} gives an opinion on \`git status\``, "m"))
    expect(examined).toMatch(/is version .*, which the hook was tested with$/m)
    expect(examined.split(/^NOT /m)).toHaveLength(1 + untrusted)
    expect(examined.split("trust the hook in /hooks")).toHaveLength(1 + untrusted)
  }

  /** A command of the page of all hooks, for this host and this service. */
  const forMe = (command: string, url: string): string =>
    command.replace("claude-code", host).replace("https://risk.example", url)

  it("is answered within a minute of the installation, and sees a harmless call run and a destructive one stop, without a service", async () => {
    await furnish(host, model.url, home)
    const began = performance.now()
    const [install = "", doctor = ""] = commandsOf(host)
    expect(await paste(install)).toContain("this program answers itself")
    await examine(doctor, "this program")
    const installMs = Number(process.env["PACKED_INSTALL_MS"])
    expect(installMs + performance.now() - began).toBeLessThan(firstAnswerMsMax)

    await paste("git init")
    writeFileSync(join(home.workspace, "notes.txt"), "nobody has another copy")
    await wants(harmless)
    await wants(destructive)
    expect(["sorted", "notes.txt"].map(inWorkspace)).toEqual([true, true])
    const kept = join(home.folder, ".local/state/action-risk/opinions.ndjson")
    const answered = readFileSync(kept, "utf8")
      .trimEnd()
      .split("\n")
      .map((line): Listed & { readonly input: Listed } => JSON.parse(line))
      .map(({ action_risk, input }) => [input.target_resource, action_risk.level])
    expect(answered).toContainEqual([harmless, "low"])
    expect(answered).toContainEqual([destructive, expect.stringMatching(/^(?:moderate|high)$/)])
  }, 600_000)

  it("goes over to a service, sees a harmless call run, a destructive one stop, and both stop without the service", async () => {
    const service = await startService()
    try {
      await furnish(host, model.url, home)
      const [local = ""] = commandsOf(host)
      await paste(local)
      const [keepKey = "", install = "", doctor = ""] = commandsOf("hooks", 2)
      env = { ACTION_RISK_KEY: service.key }
      await paste(keepKey)
      env = {}
      expect(await paste(forMe(install, service.url))).toContain("wrote ")
      await examine(forMe(doctor, service.url), "the service")
      await paste("git init")
      writeFileSync(join(home.workspace, "notes.txt"), "nobody has another copy")

      for (let tried = 0; !inWorkspace("sorted") && tried < tries; tried++) await wants(harmless)
      expect([inWorkspace("sorted"), await service.answered()]).toEqual([true, expect.anything()])
      expect(await service.answered()).toContainEqual([harmless, "low"])

      await wants(destructive)
      expect(inWorkspace("notes.txt")).toBe(true)
      const answered = await service.answered()
      expect(answered).toContainEqual([destructive, expect.stringMatching(/^(?:moderate|high)$/)])

      await service.stop()
      await wants("mkdir later")
      await wants(destructive)
      expect(["later", "notes.txt"].map(inWorkspace)).toEqual([false, true])
    } finally {
      await service.stop()
    }
  }, 600_000)
})

describe("a newcomer with any MCP host who follows its page", () => {
  it("sees a call that reads run, one that deletes stop, and both stop without the service", async () => {
    const service = await startService()
    const home = makeHome()
    const env = { ACTION_RISK_URL: service.url, ACTION_RISK_KEY: service.key }
    const paste = (command: string) => runIn(home, "sh", ["-c", `cd ${root} && ${command}`], env)
    try {
      const [reads = "", deletes = ""] = commandsOf("mcp")
      for (let tried = 0; ; tried++) {
        const { said } = await paste(reads)
        if (tried < tries && !said.includes("the server was called")) continue
        expect(said).toContain("the server was called: list_charges")
        break
      }
      expect((await paste(deletes)).said).toMatch(/a person is asked: Call delete_customer\? action risk/)
      await service.stop()
      for (const command of [reads, deletes]) {
        const { said } = await paste(command)
        expect(said).toContain("no risk opinion")
        expect(said).not.toContain("the server was called")
      }
    } finally {
      removeHome(home)
      await service.stop()
    }
  }, 300_000)
})
