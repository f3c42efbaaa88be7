/** The tarballs as a user gets them: installed in an empty project, compiled strictly, run by every Node from 20 on, and used to serve. */

import { execFileSync, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exampleRequest } from "../../src/api/examples/examples.ts"

/** Where `run.ts` has installed them. */
const packedProject = process.env["PACKED_PROJECT"] ?? ""
const root = join(import.meta.dirname, "../..")
const nodes = {
  20: join(import.meta.dirname, "node_modules/node20/bin/node"),
  22: join(import.meta.dirname, "node_modules/node22/bin/node"),
  24: process.execPath
}

const run = (program: string, args: ReadonlyArray<string>): string =>
  execFileSync(program, args, { cwd: packedProject, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

const asking = (from: string) => `
import { actionRisk, type Answer, type ProposedAction } from "${from}"
const action: ProposedAction = { action_type: "stripe.refunds.create", environment: "production" }
const answer: Answer = await actionRisk({ baseUrl: "http://127.0.0.1:9", key: "k", attemptsMax: 1 }).ask(action)
console.log(answer.opinion === "none" ? answer.code : answer.assessment.action_risk.level)
`

const gating = `
import { aiSdkGate, toolGate } from "action-risk/agents"
const gate = toolGate({ agentId: "a", env: { ACTION_RISK_URL: "http://127.0.0.1:9", ACTION_RISK_KEY: "k" } })
const toolCall = { toolName: "refund", toolCallId: "1", input: {} }
const { type }: { readonly type: string } = await aiSdkGate(gate)({ toolCall, tools: {}, messages: [] })
console.log(type)
`

const askingInEffect = `
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { makeRiskClient } from "action-risk/client/effect"
const asking = makeRiskClient({ baseUrl: "http://127.0.0.1:9", key: Redacted.make("k"), attemptsMax: 1 }).pipe(
  Effect.flatMap((risk) => risk.ask({ action_type: "stripe.refunds.create", environment: "production" })),
  Effect.provide(FetchHttpClient.layer)
)
const error: { readonly _tag: string } = await Effect.runPromise(Effect.flip(asking))
console.log(error._tag)
`

const programs = [
  ["action-risk/client", asking("action-risk/client"), "UNREACHABLE\n"],
  ["action-risk-client", asking("action-risk-client"), "UNREACHABLE\n"],
  ["action-risk/client/effect", askingInEffect, "HttpClientError\n"],
  ["action-risk/agents", gating, "user-approval\n"]
] as const

describe.each(programs)("%s", (name, program, says) => {
  const file = `${name.replaceAll("/", "-")}.ts`
  const tsc = [join(root, "node_modules/typescript/bin/tsc"), "--strict", "--target", "es2022"]
  const rest = ["--module", "nodenext", "--lib", "es2023,dom,esnext.disposable", "--types", "", file]

  it.each([[[]], [["--exactOptionalPropertyTypes"]]])("compiles strictly with %o", (options) => {
    writeFileSync(join(packedProject, file), program)
    expect(run(process.execPath, [...tsc, ...options, ...rest])).toBe("")
  })

  it.each(Object.entries(nodes))("runs on Node %s", (version, node) => {
    expect(run(node, ["--version"])).toMatch(`v${version}.`)
    expect(run(node, [file.replace(".ts", ".js")])).toBe(says)
  })
})

describe("the programs of the package", () => {
  let data = ""
  beforeAll(() => {
    data = mkdtempSync(join(tmpdir(), "action-risk-packed-"))
    writeFileSync(join(data, "request.json"), JSON.stringify(exampleRequest))
  })
  afterAll(() => rmSync(data, { recursive: true, force: true }))

  it.each(Object.entries(nodes))("start the agents' part on Node %s", (_, node) => {
    const program = "node_modules/action-risk/bin/action-risk-agent.js"
    expect(run(node, [program, "--help"])).toContain("usage: action-risk-agent")
  })

  it("assess a request by the rules of the package", () => {
    const said = run("npx", ["action-risk", "assess", join(data, "request.json"), "--json"])
    expect(JSON.parse(said).action_risk.level).toMatch(/^(?:low|moderate|high|critical)$/)
  })

  it("are those that were packed, and bring a list of their parts", () => {
    const program = join(packedProject, "node_modules/action-risk/bin/action-risk.js")
    const found = JSON.parse(run(process.execPath, [program, "verify-install", "--json"]))
    expect(found).toMatchObject({ changed: [], missing: [], unknown: [] })
    const { bomFormat, components, metadata } = JSON.parse(readFileSync(found.parts, "utf8"))
    expect([bomFormat, metadata.component.name]).toEqual(["CycloneDX", "action-risk"])
    const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    const named = components.map(({ name }: { readonly name: string }) => name)
    expect(named).toEqual(expect.arrayContaining(Object.keys(dependencies)))
  })

  it("serve, with the PostgreSQL of the package", async () => {
    // Not through npx, which exits without the command.
    const server = spawn(process.execPath, ["node_modules/action-risk/bin/action-risk.js", "serve"], {
      cwd: packedProject,
      env: { ...process.env, DATA_DIR: join(data, "data"), PORT: "0", ADMIN_PORT: "0" },
      stdio: ["ignore", "pipe", "ignore"]
    })
    try {
      let url: string | undefined
      for await (const line of createInterface({ input: server.stdout })) {
        url = /listening on (\S+)/.exec(line)?.[1]
        if (url !== undefined) break
      }
      const response = await fetch(`${url}/api/public/v1/status`)
      expect(response.status).toBe(200)
    } finally {
      const ended = new Promise((resolve) => server.once("exit", resolve))
      server.kill("SIGTERM")
      await ended
    }
  })
})
