/** `rules agree`: what it reads, what it refuses, and what it prints. */

import { execFile } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, describe, expect, it } from "vitest"
import type { agreeShape } from "../../../src/cli/rules/agree.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { actionRisk } from "../../support/actionRisk.ts"
import { spoken } from "../../support/spoken.ts"
import { newestVersion } from "../../support/newestRelease.ts"

type Printed = typeof agreeShape.Encoded

const labels = join(packageRoot, "examples/labels/calls.ndjson")
const lines = readFileSync(labels, "utf8").trimEnd().split("\n")

const folder = mkdtempSync(join(tmpdir(), "action-risk-agree-"))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
/** A labels file in a folder of its own, so that no `pairs.json` is next to it unless it is given. */
const fileOf = (texts: ReadonlyArray<string>, pairs?: unknown): string => {
  const own = join(folder, String(++files))
  mkdirSync(own)
  if (pairs !== undefined) writeFileSync(join(own, "pairs.json"), JSON.stringify(pairs))
  const path = join(own, "labels.ndjson")
  writeFileSync(path, texts.join("\n"))
  return path
}

const label = (id: string, level: string, rest: object = {}, request: object = {}) =>
  JSON.stringify({
    id,
    request: { action_type: "drop_table", environment: "production", ...request },
    level,
    ...rest
  })

const agreed = async (path: string, ...args: ReadonlyArray<string>): Promise<Printed> => {
  const { code, stderr, stdout } = await spoken("rules", "agree", "--labels", path, "--json", ...args)
  expect([code, stderr]).toEqual([0, []])
  return JSON.parse(stdout) as Printed
}

const refused = async (path: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { code, stderr, stdout } = await spoken("rules", "agree", "--labels", path, ...args)
  expect([code, stdout, stderr.length]).toEqual([1, "", 1])
  return stderr[0] ?? ""
}

describe("rules agree", () => {
  it("answers each call as assess does", async () => {
    const { calls, confusion, disagreements } = await agreed(labels)
    expect(calls).toBe(lines.length)
    expect(
      Object.values(confusion)
        .flatMap(Object.values)
        .reduce((sum, count) => sum + count, 0)
    ).toBe(calls)
    const [worst] = disagreements
    if (worst === undefined) throw new Error("some call is answered otherwise")
    const request = join(folder, "worst.json")
    writeFileSync(request, JSON.stringify(worst.request))
    const { action_risk, normalized_action_type, risk_factors } = JSON.parse(
      (await spoken("assess", request, "--json")).stdout
    )
    expect(worst).toMatchObject({
      level: action_risk.level,
      score: action_risk.score,
      confidence: action_risk.confidence,
      normalized_action_type,
      main_factor: { code: risk_factors[0].code, severity: risk_factors[0].severity }
    })
  })

  it("prints the same bytes every time", async () => {
    const once = await spoken("rules", "agree", "--labels", labels)
    expect(await spoken("rules", "agree", "--labels", labels)).toEqual(once)
  })

  it("shows the measures with their marks, the levels, the pairs and every disagreement with its reading", async () => {
    const path = fileOf(
      [label("b-1", "low"), label("a-1", "critical"), label("c-1", "moderate")],
      [["c-1", "b-1"]]
    )
    const { stdout } = await spoken("rules", "agree", "--labels", path, "--rules", newestVersion)
    expect(stdout).toMatch(/^[\d.]+ {2}3 labelled calls, 2 answered differently, cost 28\n/)
    for (const part of [
      /\nMeasures\n +enough +goal\n/,
      /\n {2}same level +33\.3 % {2}1 of 3 +✘ ≥ 65 % +✘ ≥ 75 %\n/,
      /\n {2}critical, answered low +0\.0 % {2}0 of 1 +✔ none +✔ none\n/,
      /\n {2}different scores, bare calls +– +/,
      /\nLevels\n {2}rows: labels, columns: answers of [\d.]+\n/,
      /\n {2}low +· +· +· +1 █\n/,
      /\nPairs out of order\n {2}the same {2}c-1 \d+ {2}should be above b-1 \d+\n/,
      /\nDisagreements, most expensive first\n {2}16 {2}low → critical \d+, confidence 0\.\d\d {2}b-1\n/,
      /\n {6}drop_table in production\n {6}read as [\w.]+ \(destroy\), mainly [A-Z_]+ \w+\n/,
      /\n {2}12 {2}moderate → critical \d+, confidence 0\.\d\d {2}c-1\n/
    ])
      expect(stdout).toMatch(part)
  })

  it("colours the levels where that is insisted on", async () => {
    const path = fileOf([label("a-1", "low")])
    const { stdout } = await actionRisk(["rules", "agree", "--labels", path], { env: { FORCE_COLOR: "1" } })
    expect(stdout).toContain("\u001b[")
  })

  it("shows as many disagreements as --limit says, and counts all", async () => {
    const path = fileOf(["a", "b", "c"].map((id) => label(id, "low")))
    const { disagreements, disagreements_total } = await agreed(path, "--limit", "1")
    expect([disagreements.map(({ id }) => id), disagreements_total]).toEqual([["a"], 3])
    const { stdout } = await spoken("rules", "agree", "--labels", path, "--limit", "1")
    expect(stdout.split("\n").at(-1)).toBe("  and 2 more: see --limit")
    expect(stdout.match(/read as/g)).toHaveLength(1)
  })

  it("halves the cost of an answer that a rater named second", async () => {
    const rated = { ratings: ["high", "high", "critical"], second: ["critical", null, "high"] }
    const { cost, disagreements } = await agreed(fileOf([label("a", "high", rated)]))
    expect([cost, disagreements[0]?.second]).toEqual([3, ["critical", "high"]])
  })

  it("prints no control character of a request, and not more of it than a screen takes", async () => {
    const resource = "x\u001b[31m\u202e".padEnd(240, "y")
    const path = fileOf([label("a", "low", {}, { target_resource: resource })])
    const { stdout } = await spoken("rules", "agree", "--labels", path)
    expect(["\u001b", "\u202e"].filter((hidden) => stdout.includes(hidden))).toEqual([])
    expect(stdout).not.toContain("y".repeat(200))
  })

  it("scores with the named rules and policies", async () => {
    const plain = await agreed(labels, "--rules", newestVersion)
    const starter = await agreed(labels, "--rules", newestVersion, "--policies", "starter")
    expect([plain.rules, plain.policies.split("@")[0], starter.policies.split("@")[0]]).toEqual([
      newestVersion,
      "none",
      "starter"
    ])
    const { stdout } = await spoken(
      "rules",
      "agree",
      "--labels",
      labels,
      "--policies",
      "starter",
      "--limit",
      "0"
    )
    expect(stdout).toMatch(/ with starter@\S+ {2}30 labelled calls/)
  })

  it("reads standard input for -, without the pairs of the folder that it runs in", async () => {
    const cwd = dirname(fileOf([], [["no", "pairs"]]))
    const program = join(packageRoot, "bin/action-risk.js")
    const running = promisify(execFile)(
      process.execPath,
      [program, "rules", "agree", "--labels", "-", "--json"],
      {
        cwd
      }
    )
    running.child.stdin?.end(lines.join("\n"))
    const { pairs_misordered, ...piped } = JSON.parse((await running).stdout) as Printed
    expect([pairs_misordered, piped.disagreements]).toEqual([[], (await agreed(labels)).disagreements])
  })

  it("takes the pairs next to the labels, or those that --pairs names", async () => {
    const texts = [label("a", "low"), label("b", "low")]
    const beside = fileOf(texts, [["a", "b"]])
    const other = join(folder, "other.json")
    writeFileSync(other, JSON.stringify([["b", "a"]]))
    const first = async (...args: ReadonlyArray<string>) =>
      (await agreed(beside, ...args)).pairs_misordered.map(({ riskier }) => riskier.id)
    expect([await first(), await first("--pairs", other)]).toEqual([["a"], ["b"]])
    expect((await agreed(fileOf(texts))).pairs_misordered).toEqual([])
  })

  it("passes over empty lines, and numbers the others as an editor does", async () => {
    expect((await agreed(fileOf([label("a", "low"), "", label("b", "low"), ""]))).calls).toBe(2)
    expect(await refused(fileOf([label("a", "low"), "", "{"]))).toContain("line 3: ")
  })
})

describe("a labels file", () => {
  it.each([
    [`{"id": "a"`, "line 1: it is not valid JSON"],
    [`"text"`, "line 1: expected an object"],
    [label("a", "hgih"), "line 1: level: unknown name `hgih`, did you mean `high`?"],
    [label("a", "minimal"), "level: unknown name `minimal`"],
    [label("a", "low", { levle: 1 }), "unknown key `levle`"],
    [`{"level": "low", "request": {}}`, "id: `id` is missing"],
    [label("a", "low", { completeness: "some" }), "completeness: unknown name `some`"],
    [label("a", "high", { ratings: ["low", "low", "high"] }), "level: is not the median of the ratings"],
    [label("a", "low", { ratings: ["low"], second: [] }), "second: must have one member for each rating"],
    [label("a\u202e", "low"), "id: contains a line break or an invisible character"],
    [label("a", "low", {}, { environment: "prod" }), "line 1: request.environment must be one of"],
    [label("a", "low", {}, { colour: "red" }), "line 1: request.colour is not a field"],
    [label("a", "low", {}, { metadata: { pad: "x".repeat(65_536) } }), "line 1: longer than 65,536 bytes"]
  ])("is refused with the line that is wrong: %s", async (line, message) => {
    expect(await refused(fileOf([line]))).toContain(message)
  })

  it.each([
    [["low", "high"], "moderate"],
    [["low", "high"], "high"],
    [["critical", "low", "high"], "high"]
  ])("may rate %j as %s, the median", async (ratings, level) => {
    expect((await agreed(fileOf([label("a", level, { ratings })]))).calls).toBe(1)
  })

  it("is refused with every problem of its first wrong lines, and with the number of the others", async () => {
    const wrong = Array.from({ length: 7 }, () => label("", "none"))
    const message = await refused(fileOf([label("a", "low"), ...wrong]))
    expect(message).toMatch(/: line 2: id: [^;]+, level: [^;]+; line 3: /)
    expect(message).toMatch(/; line 6: [^;]+; 2 more lines are wrong$/)
  })

  it("is refused where two lines have one id", async () => {
    expect(await refused(fileOf([label("a", "low"), label("a", "high")]))).toContain(
      "line 2: has the same id as line 1"
    )
  })

  it.each([
    [["a", "z"], "pair 1 names `z`, which has no label"],
    [["a", "a"], "pair 1 names `a` twice"],
    [["a"], "[0]"]
  ])("is refused with pairs such as %j", async (pair, message) => {
    expect(await refused(fileOf([label("a", "low")], [pair]))).toContain(message)
  })

  it("is refused where it is not there, empty, or its named pairs are not there", async () => {
    expect(await refused("/nowhere/labels.ndjson")).toBe(
      "action-risk: /nowhere/labels.ndjson: cannot be read: there is no such file"
    )
    expect(await refused(fileOf([""]))).toContain("has no labelled calls")
    expect(await refused(labels, "--pairs", "/nowhere/pairs.json")).toContain(
      "/nowhere/pairs.json: cannot be read"
    )
  })
})

const shared = join(packageRoot, "../shared/labels/calls.ndjson")

describe("labels next to the checkout", () => {
  it.runIf(existsSync(shared))(
    "are read whole with their pairs (only where that folder is there)",
    async () => {
      const { by_completeness, by_id_prefix, calls, measures } = await agreed(shared)
      expect(calls).toBe(readFileSync(shared, "utf8").trimEnd().split("\n").length)
      expect(by_completeness.reduce((sum, group) => sum + group.calls, 0)).toBe(calls)
      expect(by_id_prefix.length).toBeGreaterThan(1)
      expect(measures.filter(({ value }) => value === null)).toEqual([])
    }
  )
})

/** The value of each measure, by its name. */
const valuesOf = ({ measures }: Printed): Readonly<Record<string, number>> =>
  Object.fromEntries(measures.map(({ name, value }) => [name, value ?? Number.NaN]))

describe("the working rules", () => {
  const draftOn = async (labels: string) =>
    valuesOf(await agreed(join(packageRoot, "test/labels", labels), "--rules", "draft"))

  /** The minimum of each measure, then the maximum: a little worse than its actual value. */
  it.each([
    [
      "calls that its numbers were not tuned on",
      "calls.ndjson",
      { kappa: 0.75, same_level: 0.7, pairs_in_order: 0.9 },
      { far_apart: 0.06, low_as_moderate: 0.2, low_as_high: 0.05 }
    ],
    [
      "two blind sets, of which 2.6.0 answered a quarter and a third otherwise",
      "fresh/calls.ndjson",
      { kappa: 0.9, same_level: 0.8 },
      { far_apart: 0.01, grave_as_low: 0 }
    ],
    [
      "a third blind set, as far as when nobody had read it",
      "third/calls.ndjson",
      { kappa: 0.8, same_level: 0.7 },
      { far_apart: 0.04, low_as_high: 0.02 }
    ],
    [
      "a fourth blind set, a little better than when nobody had read it",
      "fourth/calls.ndjson",
      { kappa: 0.87, same_level: 0.79 },
      { far_apart: 0.04, low_as_high: 0.03, grave_as_low: 0 }
    ],
    [
      "a fifth blind set, a little better than when nobody had read it",
      "fifth/calls.ndjson",
      { kappa: 0.92, same_level: 0.86 },
      { far_apart: 0.02, low_as_high: 0.02, grave_as_low: 0, critical_as_moderate: 0 }
    ],
    [
      "a sixth blind set, at least as far as when nobody had read it",
      "sixth/calls.ndjson",
      { kappa: 0.92, same_level: 0.84 },
      { far_apart: 0.01, low_as_high: 0.01, grave_as_low: 0, critical_as_moderate: 0.03 }
    ],
    [
      "a seventh blind set, whose calls have all their arguments, a little better than when nobody had read it",
      "seventh/calls.ndjson",
      { kappa: 0.8, same_level: 0.72 },
      {
        far_apart: 0.05,
        low_as_high: 0.02,
        critical_as_low: 0,
        grave_as_low: 0.06,
        critical_as_moderate: 0.12
      }
    ],
    [
      "calls that are all harmless, of which it interrupts few",
      "calm/calls.ndjson",
      {},
      { low_as_moderate: 0.08, low_as_high: 0.02 }
    ],
    [
      "calls that are all grave, of which it misses few",
      "grave/calls.ndjson",
      {},
      { critical_as_low: 0.01, grave_as_low: 0.01, critical_as_moderate: 0.04 }
    ]
  ])("agrees with %s", async (_name, file, atLeast, atMost) => {
    const values = await draftOn(file)
    const valueOf = (name: string): number => values[name] ?? Number.NaN
    const short = Object.entries(atLeast).filter(([name, least]) => !(valueOf(name) >= least))
    const over = Object.entries(atMost).filter(([name, most]) => !(valueOf(name) <= most))
    expect([...short, ...over]).toEqual([])
  })

  it.runIf(existsSync(shared))(
    "is good enough to release, by the labels next to the checkout (only where that folder is there)",
    async () => {
      const { enough, measures } = await agreed(shared, "--rules", "draft")
      expect(measures.filter((measure) => measure.enough.met === false).map(({ name }) => name)).toEqual([])
      expect(enough).toBe(true)
    }
  )
})
