import { readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { plainTerminal } from "../../../src/cli/Terminal.ts"
import { backtestFindings, backtestShape, withOk } from "../../../src/cli/rules/backtest.ts"
import { renderBacktest } from "../../../src/cli/rules/backtestView.ts"
import type { Backtest } from "../../../src/rules/backtest/Backtest.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { actionRisk as startProgram } from "../../support/actionRisk.ts"
import { backtestOf } from "../../support/backtestOf.ts"
import { changedCheckout, changedRules, lowerFloor } from "../../support/changedRules.ts"
import { newestVersion } from "../../support/newestRelease.ts"
import { actionRisk } from "../../support/inProcess.ts"
import { documentIn, printedOf } from "../../support/verbs.ts"

const file = join(packageRoot, "examples/history/december.ndjson")
const december = readFileSync(file, "utf8").trimEnd().split("\n")
const rules = { kind: "rules", policies: null } as const

let changed: Backtest
let same: Backtest

const root = changedRules(lowerFloor, [
  "rules/factors/volume/HIGH_ENTITY_COUNT.json",
  `"value": 100 }`,
  `"value": 10 }`
])

beforeAll(async () => {
  const toDraft = { root, from: newestVersion, to: "draft", of: rules }
  changed = await backtestOf(["nonsense", ...december], toDraft)
  same = await backtestOf(december, { ...toDraft, to: newestVersion })
})

describe("what a backtest prints", () => {
  it("has the documented shape under --json", () => {
    for (const backtest of [changed, same]) {
      const document = printedOf(backtestShape, withOk(backtest))
      expect(documentIn(backtestShape, JSON.stringify(document))).toMatchObject({ from: newestVersion })
    }
    expect(withOk(same).ok).toBe(true)
    expect(withOk(changed).ok).toBe(false)
  })

  it("begins with the falls, and shows the levels, the moves, the factors and what was not read", () => {
    const text = renderBacktest(plainTerminal(100), changed)
    expect(text).toMatch(
      /^[\d.]+ → draft {2}\d+ records, \d+ fell in level, \d+ rose, \d+ got a weaker control\n/
    )
    const sections = [
      "Falls in level",
      "Weaker controls",
      "Levels",
      "Largest moves",
      "Factors",
      "Recommended controls",
      "Notes"
    ]
    const places = sections.map((title) => text.indexOf(`\n${title}\n`))
    expect(places.every((place) => place > 0)).toBe(true)
    expect(places).toStrictEqual(places.toSorted((a, b) => a - b))
    expect(text).toContain("line 1 is not JSON, so it was not scored")
    expect(text.split("\n").every((line) => line.length <= 100)).toBe(true)
  })

  it("says in one line that no score moved", () => {
    const text = renderBacktest(plainTerminal(100), same)
    expect(text).toContain("no level fell")
    expect(text).not.toContain("Falls in level")
    expect(text).not.toContain("Factors")
  })

  it("tells a fall as a finding at its line, with the factors behind it, and what could not be read as another", () => {
    const [fall, ...others] = backtestFindings(changed, "december.ndjson")
    expect(fall).toMatchObject({ file: "december.ndjson", rule: "level-fell", severity: "error", column: 1 })
    expect(fall?.line).toBe(changed.falls[0]?.line)
    expect(fall?.message).toMatch(/^`[^`]+ in \w+` falls from \w+ \(\d+\) to \w+ \(\d+\)/)
    expect(others.at(-1)).toMatchObject({ rule: "unreadable-record", line: 1 })
    expect(backtestFindings(same, "december.ndjson")).toStrictEqual([])
  })

  it("prints no control character of a history", () => {
    const [fall = expect.fail("nothing falls")] = changed.falls
    const hostile = { ...fall, request: { ...fall.request, action_type: "a\u001b[2Jb\u0007\nc" } }
    const text = renderBacktest(plainTerminal(100), { ...changed, falls: [hostile] })
    expect([text.includes("\u001b"), text.includes("\u0007")]).toEqual([false, false])
  })
})

const backtest = (...args: ReadonlyArray<string>) => actionRisk(["rules", "backtest", ...args])

describe("rules backtest", { timeout: 60_000 }, () => {
  const checkout = changedCheckout()

  it("ends with 0 where no level fell", async () => {
    const { code, stderr, stdout } = await backtest(newestVersion, newestVersion, "--history", file)
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toContain("no level fell")
  })

  it("ends with 1 where a level fell, reads standard input, and says nothing on standard error", async () => {
    const { code, stderr, stdout } = await startProgram(
      ["rules", "backtest", newestVersion, "draft", "--history", "-", "--json"],
      { input: december.join("\n"), checkout }
    )
    expect([code, stderr]).toEqual([1, ""])
    const expected = await backtestOf(december, {
      root: checkout,
      from: newestVersion,
      to: "draft",
      of: rules
    })
    expect(JSON.parse(stdout)).toEqual(printedOf(backtestShape, withOk(expected)))
  })

  it.each([
    [["--history", "nowhere.ndjson"], 1, /nowhere\.ndjson: cannot be read: there is no such file/],
    [["--history", packageRoot], 1, /is a folder/],
    [["--history", "database"], 2, /used together with --org and --mode/],
    [["--history", file, "--jobs", "0"], 2, /1 to 64/]
  ])("refuses %s in one line", async (args, exitCode, line) => {
    const { code, stderr, stdout } = await backtest(newestVersion, "draft", ...args)
    expect([code, stdout]).toEqual([exitCode, ""])
    expect(stderr).toMatch(line)
    expect(stderr.trimEnd()).not.toContain("\n")
  })
})
