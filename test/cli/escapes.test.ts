/** No foreign text controls the operator's terminal, and none of it is hidden. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { plainTerminal, printable, table, wrap } from "../../src/cli/Terminal.ts"
import { escapeForTerminal } from "../../src/cli/texts.ts"
import { removeDataDirectory } from "../support/dataDirectory.ts"
import { migratedDirectory } from "../support/migratedDirectory.ts"
import { actionRisk } from "../support/inProcess.ts"

/** Clears the screen, sets the title, turns red by C1, conceals by SGR, reverses the direction. */
const hostile = "a\u001b[2J\u001b]0;owned\u0007\u009b31m\u001b[8m\u202eb"
const spelled = String.raw`a\u001b[2J\u001b]0;owned\u0007\u009b31m\u001b[8m\u202eb`

/** Everything but line breaks that a terminal does not show as a glyph. */
const steering = /[^\P{C}\n]|[\u2028\u2029]/u

const folder = mkdtempSync(join(tmpdir(), "action-risk-escapes-"))
const DATA_DIR = migratedDirectory()
afterAll(() => {
  rmSync(folder, { recursive: true })
  removeDataDirectory(DATA_DIR)
})

const requestFile = join(folder, "request.json")
const request = {
  action_type: `data.export${hostile}`,
  environment: "production",
  agent_id: hostile,
  destination: hostile,
  target_system: hostile,
  metadata: { [hostile]: hostile }
}

describe("a foreign text", () => {
  it("is escaped in cells, wrapped lines and colored words, and stays in its cell", () => {
    const screen = plainTerminal(200)
    const lines = table(screen, [
      [`one${hostile}\ntwo`, hostile],
      ["x", "y"]
    ])
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain(String.raw`${spelled}\u000atwo`)
    expect(
      [...lines, ...wrap(hostile, 80), screen.color("red", hostile), printable(hostile)].join("")
    ).not.toMatch(steering)
  })

  it("is escaped in all output of a command, in which only colors may be control characters", () => {
    expect(escapeForTerminal(`\u001b[31mred\u001b[39m ${hostile}`)).toBe(
      `\u001b[31mred\u001b[39m ${spelled.replace(String.raw`\u001b[8m`, "\u001b[8m")}`
    )
  })
})

describe("a command", { timeout: 60_000 }, () => {
  beforeAll(() => writeFileSync(requestFile, JSON.stringify(request)))

  it.concurrent.each([
    ["assess for people", ["assess", requestFile]],
    ["assess --json", ["assess", requestFile, "--json"]],
    ["assess --batch", ["assess", "--batch", requestFile]],
    ["rules explain", ["rules", "explain", requestFile]],
    ["the refusal of a missing file", ["assess", `${requestFile}${hostile}`]],
    ["the refusal of an unknown flag", ["assess", `--${hostile}`]]
  ])("%s prints no control characters", async (_, words) => {
    const { stderr, stdout } = await actionRisk(words)
    expect(stdout + stderr).not.toBe("")
    expect(stdout + stderr).not.toMatch(steering)
  })

  it("shows the names that an operator gave, and refuses unknown ones, without what steers", async () => {
    const env = { DATA_DIR }
    const run = (...words: ReadonlyArray<string>) => actionRisk(words, { env })
    const made = await run("orgs", "create", "evil", "--name", hostile)
    expect(made.code).toBe(0)
    const listed = await run("orgs", "list")
    expect(listed.stdout).toContain(spelled)
    const asJson = await run("orgs", "list", "--json")
    expect(JSON.parse(asJson.stdout)).toMatchObject({ organizations: [{ name: hostile }] })
    const refused = await run("keys", "list", "--org", hostile)
    expect([refused.code, refused.stderr.split("\n").length]).toEqual([1, 2])
    for (const { stderr, stdout } of [listed, asJson, refused]) expect(stdout + stderr).not.toMatch(steering)
  })
})
