/** `bin/action-risk.js` starts the bundle unless a source is newer; then it starts the sources and says so. */

import { mkdtempSync, rmSync, utimesSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { actionRisk } from "../support/actionRisk.ts"
import { lightCheckout } from "../support/checkout.ts"

const checkout = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "action-risk-launcher-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return lightCheckout(join(folder, "checkout"))
}

describe("the launcher", () => {
  it("runs the bundle silently", async () => {
    const folder = checkout()
    rmSync(join(folder, "src/main.ts"))
    expect(await actionRisk(["--version"], { checkout: folder })).toMatchObject({ code: 0, stderr: "" })
  })

  it("runs the bundle by itself, where no sources and no packages are installed", async () => {
    const folder = checkout()
    rmSync(join(folder, "src"), { recursive: true })
    rmSync(join(folder, "node_modules"), { recursive: true })
    expect(await actionRisk(["rules", "check"], { checkout: folder })).toMatchObject({ code: 0, stderr: "" })
  })

  it("runs the sources and says so in one line where there is no bundle", async () => {
    const folder = checkout()
    rmSync(join(folder, "dist"), { recursive: true })
    expect(await actionRisk(["--version"], { checkout: folder })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^action-risk: there is no bundle, .*`npm run bundle`.*\n$/)
    })
  })

  it("runs the sources and says so in one line where a source is newer than the bundle", async () => {
    const folder = checkout()
    const inAnHour = new Date(Date.now() + 3_600_000)
    utimesSync(join(folder, "src/scoring/money.ts"), inAnHour, inAnHour)
    expect(await actionRisk(["--version"], { checkout: folder })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^action-risk: the bundle is older than the sources, .*\n$/)
    })
  })

  it("says in one line which Node it needs, where an older one starts it", async () => {
    const older = `Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.20.2"}})`
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(older)}` }
    expect(await actionRisk(["--version"], { env })).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^action-risk needs Node 24 or newer, and this is Node 20\.20\.2\. .*`npx action-risk`.*\n$/
      )
    })
  })
})
