/** The clients as a user installs them: packed, unpacked into an empty project, compiled strictly and run by the system's Node. */

import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "../..")
const modules = join(root, "node_modules")
let folder = ""

const run = (program: string, args: ReadonlyArray<string>, cwd: string): string =>
  execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

/** Packs a folder, and unpacks it as an installation would. */
const install = (from: string, name: string) => {
  const [{ filename }] = JSON.parse(
    run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], from)
  )
  const to = join(folder, "node_modules", name)
  mkdirSync(to, { recursive: true })
  run("tar", ["-xzf", join(folder, filename), "-C", to, "--strip-components=1"], folder)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "action-risk-packed-"))
  run(process.execPath, ["bundle.ts"], root)
  run(process.execPath, ["pack.ts"], root)
  install(root, "action-risk")
  install(join(root, "dist/client-package"), "action-risk-client")
  symlinkSync(join(modules, "effect"), join(folder, "node_modules/effect"))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true }))

const program = (from: string) => `
import { actionRisk, type Answer, type ProposedAction } from "${from}"
const agent: string | undefined = [][0]
const action: ProposedAction = { action_type: "stripe.refunds.create", environment: "production", agent_id: agent }
const answer: Answer = await actionRisk({ baseUrl: "http://127.0.0.1:1", key: "k", attemptsMax: 1 }).ask(action)
console.log(answer.opinion === "none" ? answer.code : answer.assessment.action_risk.level)
`

const strictly = [
  join(modules, "typescript/bin/tsc"),
  "--strict",
  ..."--target es2022 --module nodenext --lib es2023,dom,esnext.disposable --types".split(" "),
  ""
]

const compile = (options: ReadonlyArray<string>) =>
  run(process.execPath, [...strictly, ...options, "agent.ts"], folder)

describe.each(["action-risk/client", "action-risk-client"])("%s in an empty project", (name) => {
  it.each([[[]], [["--exactOptionalPropertyTypes"]]])("compiles strictly with %o and runs", (options) => {
    writeFileSync(join(folder, "agent.ts"), program(name))
    compile(options)
    expect(run("/usr/bin/env", ["node", "agent.js"], folder)).toBe("UNREACHABLE\n")
  })

  it("does not compile where a score is read before there is one", () => {
    writeFileSync(
      join(folder, "agent.ts"),
      `import type { Answer } from "${name}"\nexport const score = (answer: Answer) => answer.assessment.action_risk.score\n`
    )
    expect(() => compile([])).toThrow("Command failed")
  })
})

describe("action-risk/client/effect in an empty project", () => {
  it("compiles strictly", () => {
    writeFileSync(
      join(folder, "agent.ts"),
      'import { Effect, Redacted } from "effect"\nimport { makeRiskClient } from "action-risk/client/effect"\nexport const client = makeRiskClient({ baseUrl: "http://127.0.0.1:1", key: Redacted.make("k") }).pipe(Effect.map(({ ask }) => ask))\n'
    )
    expect(compile(["--skipLibCheck"])).toBe("")
  })
})
