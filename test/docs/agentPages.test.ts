/** The commands that the page of each host begins with, pasted into a shell with an empty home. */

import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hosts } from "../../src/agents/hook/hosts.ts"
import { exampleResponse } from "../../src/api/examples/examples.ts"
import { type ScriptedService, scriptedService } from "../support/scriptedService.ts"

const root = join(import.meta.dirname, "../..")

let service: ScriptedService
let home = ""
beforeAll(async () => {
  service = await scriptedService()
  home = mkdtempSync(join(tmpdir(), "action-risk-page-"))
})
afterAll(async () => {
  await service.close()
  rmSync(home, { recursive: true })
})

const paste = (command: string): Promise<{ readonly code: number | null; readonly said: string }> =>
  new Promise((resolve) => {
    const env = {
      PATH: process.env["PATH"],
      HOME: home,
      ACTION_RISK_URL: service.url,
      ACTION_RISK_KEY: "svc_test_x"
    }
    const shell = spawn("sh", ["-c", command], { cwd: root, env })
    let said = ""
    for (const stream of [shell.stdout, shell.stderr])
      stream.on("data", (bytes: Buffer) => (said += bytes.toString()))
    shell.once("close", (code) => resolve({ code, said }))
  })

describe("the page of a host", () => {
  it.each(Object.keys(hosts))("begins with three commands that work: %s", async (host) => {
    service.play((response) =>
      response.writeHead(200, { "svc-risk-opinion": "full" }).end(JSON.stringify(exampleResponse))
    )
    const page = readFileSync(join(root, `docs/agents/${host}.md`), "utf8")
    const [, block = ""] = /^# .+\n\n```sh\n([^`]+)```/.exec(page) ?? []
    const [install = "", doctor = "", uninstall = "", ...more] = block.trim().split("\n")
    expect(more).toEqual([])
    expect(await paste(install)).toMatchObject({ code: 0, said: expect.stringContaining("wrote ") })
    expect(await paste(doctor)).toMatchObject({ code: 0, said: expect.not.stringMatching(/^NOT/m) })
    expect(await paste(uninstall)).toMatchObject({
      code: 0,
      said: expect.stringContaining("took the hook out")
    })
  })
})
