/** The example agents without a service: each says so clearly and blocks the action. test/readme.test.ts runs them with one. */

import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freePort } from "../support/freePort.ts"

const root = join(import.meta.dirname, "../..")

const run = async (agent: string, url: string) => {
  const child = spawn(process.execPath, [join("examples/agents", agent)], {
    cwd: root,
    env: { PATH: process.env["PATH"], ACTION_RISK_URL: url }
  })
  const said = { stdout: "", stderr: "" }
  child.stdout.on("data", (chunk: Buffer) => (said.stdout += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (said.stderr += chunk.toString()))
  const [code] = (await once(child, "close")) as [number | null]
  return { code, ...said }
}

describe("an example agent to which no service answers", () => {
  it.each(["ask-first.ts", "typed-client.ts"])(
    "names the address and how to start the service, hands over, and ends with 1: %s",
    async (agent) => {
      const url = `http://127.0.0.1:${await freePort()}`
      expect(await run(agent, url)).toEqual({
        code: 1,
        stdout: "Next: hand over to a human.\n",
        stderr: `no service answers at ${url} (connect ECONNREFUSED ${url.slice("http://".length)}): start one with \`npm start\`\n`
      })
    }
  )
})
