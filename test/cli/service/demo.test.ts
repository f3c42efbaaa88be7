import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { actionRisk, serving } from "../../support/actionRisk.ts"
import { removeDataDirectory } from "../../support/dataDirectory.ts"
import { migratedDirectory } from "../../support/migratedDirectory.ts"

const root = join(import.meta.dirname, "../../..")
const golden = join(root, "test/golden/assessments")

/** Where the demo keeps its database; the server's account must be able to enter. */
const temporary = mkdtempSync(join(tmpdir(), "action-risk-tmp-"))
execFileSync("chmod", ["711", temporary])
const dataDirectory = migratedDirectory()

afterAll(() => {
  removeDataDirectory(dataDirectory)
  rmSync(temporary, { recursive: true })
})

const withoutPort3000 = async <A>(use: () => Promise<A>): Promise<A> => {
  const squatter = createServer()
  // If another process already has the port, it is also taken.
  await new Promise<void>((resolve) =>
    squatter.once("error", () => resolve()).listen(3000, "127.0.0.1", resolve)
  )
  try {
    return await use()
  } finally {
    squatter.close()
  }
}

describe("demo", () => {
  it("assesses every example over HTTP and shows the opinions of the golden files, then says what to do next", async () => {
    const { code, stderr, stdout } = await withoutPort3000(() =>
      actionRisk(["demo"], { env: { TMPDIR: temporary } })
    )
    expect([code, stderr]).toEqual([0, ""])
    for (const name of readdirSync(join(root, "examples/requests")))
      expect(stdout).toContain(name.replace(".json", ""))
    for (const file of readdirSync(golden)) {
      const { action_risk: risk, blast_radius: blast } = JSON.parse(readFileSync(join(golden, file), "utf8"))
      const name = file.replace(".json", "")
      expect(stdout).toMatch(new RegExp(`^ +${name} +${risk.level} +${risk.score} +${blast.score} `, "m"))
    }
    expect(stdout).toContain("npm start")
  })

  it("leaves nothing behind", () => {
    expect(readdirSync(temporary)).toEqual([])
  })

  it("runs alongside a service, with that service's settings, and touches nothing of it", async () => {
    const service = await serving({ env: { DATA_DIR: dataDirectory } })
    const demo = await actionRisk(["demo"], {
      env: { DATA_DIR: dataDirectory, PORT: new URL(service.url).port, TMPDIR: temporary }
    })
    expect([demo.code, demo.stderr]).toEqual([0, ""])
    const { stdout } = await actionRisk(["orgs", "list", "--json"], { env: { DATA_DIR: dataDirectory } })
    expect(JSON.parse(stdout).organizations).toMatchObject([{ organization: "demo" }])
    service.signal("SIGTERM")
    expect((await service.finished).code).toBe(0)
  })
})
