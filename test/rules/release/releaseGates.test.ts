import { Result } from "effect"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { LocatedFinding } from "../../../src/rules/Finding.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import {
  policyCandidate,
  type ReleaseCandidate,
  ruleCandidate
} from "../../../src/rules/release/Candidate.ts"
import { readChangelog } from "../../../src/rules/release/changelog.ts"
import { freeze } from "../../../src/rules/release/frozen.ts"
import {
  changelogFindings,
  gateNames,
  releaseGates,
  versionFindings
} from "../../../src/rules/release/releaseGates.ts"
import { freezePolicies, freezeRules } from "../../support/freezeIn.ts"
import { read } from "../../support/read.ts"
import { rulesFolder } from "../../support/rulesFolder.ts"

const ruleset = "rules/ruleset.json"
const factor = "rules/factors/destination/NOVEL_DESTINATION.json"
const changelog = "rules/CHANGELOG.md"

/** The working rules as release 1.0.0, and a changelog to write into. */
const released = () => {
  const folder = rulesFolder()
  folder.setVersion(ruleset, "1.0.0")
  freezeRules(folder.root)
  return {
    ...folder,
    log: (version: string, ...items: ReadonlyArray<string>) => {
      const entry = [`## ${version}`, "", ...items.map((item) => `- ${item}`), "", ""].join("\n")
      folder.writeText(changelog, `${entry}## 1.0.0\n\n- ★ The first release.\n`)
    }
  }
}

const inWords = ({ message, rule, suggestion }: LocatedFinding): string =>
  `${rule}: ${message}${suggestion === undefined ? "" : ` Write ${suggestion}`}`

/** The outcome of each wanted gate; of a failed gate the lint and the message of each finding. */
const passing = async (
  candidate: ReleaseCandidate,
  wanted: ReadonlyArray<string> = gateNames,
  accepted: ReadonlyArray<string> = []
) => {
  const outcomes: Record<string, ReadonlyArray<string> | string> = {}
  for (const [i, runGate] of releaseGates(candidate, accepted).entries()) {
    if (!wanted.includes(gateNames[i] ?? "")) continue
    const { findings, name, outcome } = await runGate()
    outcomes[name] = outcome === "failed" ? findings.map(inWords) : outcome
  }
  return outcomes
}

const hazard = /"hazard_bp": \d+/

describe("a rule release", { timeout: 120_000 }, () => {
  it("passes every gate if it only raises and the changelog says so, and accepts no code if no score falls", async () => {
    const { edit, log, root, setVersion } = released()
    edit(factor, hazard, '"hazard_bp": 5000')
    setVersion(ruleset, "1.1.0")
    log("1.1.0", "★ New destinations weigh more, because they are where money goes that does not come back.")
    const candidate = ruleCandidate(root, "1.1.0")
    // This test does not check whether the shipped cases hold after the edit.
    const wanted = gateNames.filter((name) => name !== "check" && name !== "test")
    expect(await passing(candidate, wanted)).toEqual(
      Object.fromEntries(wanted.map((name) => [name, "passed"]))
    )
    expect(await passing(candidate, ["prove"], ["NOVEL_DESTINATION"])).toEqual({
      prove: [
        "could-score-lower: nothing scores lower or gets a weaker control, so nothing needs to be accepted for `NOVEL_DESTINATION`"
      ]
    })
  })

  it(
    "is refused if a request scores lower, unless exactly the lowering changes are accepted",
    { timeout: 120_000 },
    async () => {
      const { edit, log, root, setVersion } = released()
      edit("rules/factors/destination/DESTINATION_STEP_UP.json", hazard, '"hazard_bp": 0')
      edit("rules/factors/identity/UNFAMILIAR_AGENT.json", hazard, '"hazard_bp": 0')
      setVersion(ruleset, "1.1.0")
      log("1.1.0", "★ Less for what is daily work.")
      const candidate = ruleCandidate(root, "1.1.0")
      const [both, one] = [["DESTINATION_STEP_UP", "UNFAMILIAR_AGENT"], ["DESTINATION_STEP_UP"]]
      const prove = async (accepted: ReadonlyArray<string>) =>
        (await passing(candidate, ["prove"], accepted))["prove"]
      const lower =
        /^could-score-lower: this request.* scored \d+ and now scores \d+: \{.* Write (.*), with the reasons/
      expect(lower.exec(String(await prove([])))?.[1]).toBe(
        both.map((code) => `--accept-lower ${code}`).join(" ")
      )
      expect(lower.exec(String(await prove(one)))?.[1]).toBe("--accept-lower UNFAMILIAR_AGENT")
      expect(await prove(both)).toBe("passed")
      expect(await prove(["DESTINATION_STEP_U"])).toEqual([
        "could-score-lower: `DESTINATION_STEP_U` got no looser, did you mean `DESTINATION_STEP_UP`?"
      ])
    }
  )

  it("is refused if a control weakens and no score falls, unless that is accepted", async () => {
    const { edit, log, root, setVersion } = released()
    edit("rules/factors/volume/HIGH_ENTITY_COUNT.json", '"value": 1000 ', '"value": 3000 ')
    setVersion(ruleset, "1.1.0")
    log("1.1.0", "★ Many entities are daily work.")
    const candidate = ruleCandidate(root, "1.1.0")
    expect(await passing(candidate, ["prove"])).toEqual({
      prove: [
        expect.stringMatching(
          /^could-score-lower: this request scored (\d+) with HUMAN_CONFIRMATION_RECOMMENDED and now scores \1 with .* --accept-lower HIGH_ENTITY_COUNT, with the reasons/
        )
      ]
    })
    expect(await passing(candidate, ["prove"], ["HIGH_ENTITY_COUNT"])).toEqual({ prove: "passed" })
  })

  it("accepts each kind of call that falls by changed knowledge separately", async () => {
    const { edit, log, root, setVersion } = released()
    edit(
      "rules/lexicon/programs/npm.json",
      "package.unpublish delete high anywhere irreversible",
      "package.unpublish write low"
    )
    edit("rules/lexicon/words/words.json", '"superuser",', "")
    setVersion(ruleset, "1.1.0")
    log("1.1.0", "★ Less for what is daily work.")
    const candidate = ruleCandidate(root, "1.1.0")
    const kinds = ["knowledge.access", "knowledge.delete-as-write"]
    const found = await passing(candidate, ["prove"])
    expect(found["prove"]).toEqual([
      expect.stringMatching(
        /^could-score-lower: of the calls read as delete, now as write.*npm unpublish.* Write --accept-lower knowledge.delete-as-write,/
      ),
      expect.stringMatching(
        /^could-score-lower: of the calls read as access .* fall, such as: this request scored .* Write --accept-lower knowledge.access,/
      )
    ])
    expect(await passing(candidate, ["prove"], kinds)).toEqual({ prove: "passed" })
    expect(await passing(candidate, ["prove"], [...kinds, "knowledge.delete"])).toEqual({
      prove: ["could-score-lower: no call falls by `knowledge.delete`, did you mean `knowledge.access`?"]
    })
  })

  it("is refused if no call shows what changed in the knowledge", async () => {
    const { edit, log, root, setVersion } = released()
    edit("rules/lexicon/words/words.json", '"singulars": [', '"singulars": ["zorblish",')
    setVersion(ruleset, "1.1.0")
    log("1.1.0", "★ Another singular.")
    const candidate = ruleCandidate(root, "1.1.0")
    expect(await passing(candidate, ["prove"])).toEqual({
      prove: [
        expect.stringMatching(/no call of the corpus shows the change in words\/words: .* knowledge\.unseen/)
      ]
    })
    expect(await passing(candidate, ["prove"], ["knowledge.unseen"])).toEqual({ prove: "passed" })
  })

  it("passes if a case of a file of the lexicon shows what changed in the knowledge", async () => {
    const { edit, log, root, setVersion } = released()
    edit("rules/lexicon/programs/npm.json", '"values": "', '"values": "--zorblish ')
    setVersion(ruleset, "1.1.0")
    log("1.1.0", "★ Another flag of npm.")
    const candidate = ruleCandidate(root, "1.1.0")
    expect(await passing(candidate, ["prove"])).toEqual({
      prove: [expect.stringMatching(/no call of the corpus shows the change in programs\/npm: /)]
    })
    edit(
      "rules/lexicon/programs/npm.cases.json",
      '"cases": [',
      '"cases": [["npm --zorblish note unpublish acme-ui", "high", "high"],'
    )
    expect(await passing(candidate, ["prove"])).toEqual({ prove: "passed" })
  })

  it("may be a patch if only words change, and must not be one if a score can move", async () => {
    const { edit, log, root, setVersion } = released()
    log("1.0.1", "Clearer words.")
    setVersion(ruleset, "1.0.1")
    edit(factor, '"why": "', '"why": "Truly: ')
    const wanted = ["version", "changelog"]
    expect(await passing(ruleCandidate(root, "1.0.1"), wanted)).toEqual({
      version: "passed",
      changelog: "passed"
    })
    edit(factor, hazard, '"hazard_bp": 5001')
    expect(await passing(ruleCandidate(root, "1.0.1"), wanted)).toEqual({
      version: [
        "version-not-raised: scores or controls can move since `1.0.0`, so this is not a patch: release `1.1.0` or higher"
      ],
      changelog: [
        "missing-changelog: scores or controls can move, but no item has the ★ that says so Write - ★ …"
      ]
    })
  })

  it("with unreadable files runs no further gates", async () => {
    const { edit, root } = released()
    edit(factor, '"destination_novel"', '"destination_newish"')
    const wanted = ["evaluators", "test", "prove"]
    expect(await passing(ruleCandidate(root, "1.1.0"), wanted)).toEqual({
      evaluators: "not run",
      test: "not run",
      prove: "not run"
    })
  })
})

describe("a version of a policy set", () => {
  it("passes the same gates", { timeout: 120_000 }, async () => {
    const { edit, root, setVersion, writeText } = rulesFolder()
    setVersion("policies/starter/policy.json", "1.0.0")
    freezePolicies(root, "starter")
    setVersion("policies/starter/policy.json", "1.1.0")
    writeText("policies/starter/CHANGELOG.md", "## 1.1.0\n\n- ★ Fewer records make a bulk deletion.\n")
    edit("policies/starter/bulk-deletion-in-production.json", "5000", "4000")
    const { check, test: _, ...passed } = await passing(policyCandidate(root, "starter", "1.1.0"))
    expect(Object.values(passed)).toEqual(["passed", "passed", "passed", "passed"])
    expect(check).toEqual(expect.arrayContaining([expect.stringMatching(/^boundary-without-case: .* 3999/)]))
    edit("policies/starter/unknown-verbs-in-production.json", /"score": \d+/, '"score": 1')
    expect(await passing(policyCandidate(root, "starter", "1.1.0"), ["prove"])).toEqual({
      prove: [expect.stringContaining("could-score-lower: this request")]
    })
    const accepted = ["unknown-verbs-in-production"]
    expect(await passing(policyCandidate(root, "starter", "1.1.0"), ["prove"], accepted)).toEqual({
      prove: "passed"
    })
  })
})

describe("freezing", () => {
  const frozen = (root: string) => {
    const candidate = ruleCandidate(root, "1.0.0")
    const content = candidate.document(read(candidate.draft), "2027-01-01T00:00:00.000Z")
    return Result.match(freeze(candidate, content), { onFailure: String, onSuccess: ({ file }) => file })
  }

  it("never overwrites a release, not even with one that differs only in its date", () => {
    const { readText, root } = released()
    const before = readText("rules/releases/1.0.0.json")
    const refused = "rules/releases/1.0.0.json: `1.0.0` is released, and a release never changes"
    expect(frozen(root)).toBe(refused)
    expect(readText("rules/releases/1.0.0.json")).toBe(before)
  })

  it("lets one of two simultaneous releases through, and leaves no files behind if it cannot write", () => {
    const { root, setVersion, writeText } = rulesFolder()
    setVersion(ruleset, "1.0.0")
    writeText("rules/releases/digests.json.new", "another release is in progress")
    expect(frozen(root)).toBe(
      "`rules/releases/digests.json.new` exists: another release is in progress, or one was interrupted: remove the file if none is in progress"
    )
    expect(readdirSync(join(root, "rules/releases"))).toEqual(["digests.json.new"])
    expect(existsSync(join(root, "rules/releases/1.0.0.json"))).toBe(false)
  })
})

const changelogFile = "rules/CHANGELOG.md"
const firstEntry = "## 1.0.0\n\n- ★ The first release.\n"

const changelogProblems = (text: string, moves = false, accepted: ReadonlyArray<string> = []) =>
  changelogFindings(
    { changelog: { file: changelogFile, entries: readChangelog(text) }, newest: "1.0.0", version: "1.1.0" },
    moves,
    accepted
  ).map(({ line, message, rule }) => `${rule} ${line}: ${message}`)

describe("the changelog of a release", () => {
  it("has an entry for it", () => {
    expect(changelogProblems("")).toEqual([
      "missing-changelog 1: there is no entry for `1.1.0`: say what changed"
    ])
    expect(changelogProblems(`# Rules\n\n${firstEntry}`)).toEqual([
      "missing-changelog 3: there is no entry for `1.1.0`: say what changed"
    ])
    expect(changelogProblems(`## 1.1.0\n\n- Clearer words.\n\n${firstEntry}`)).toEqual([])
  })

  it("says what changed, in the first entry", () => {
    expect(changelogProblems(`## 1.1.0\n\nWords.\n\n${firstEntry}`)).toEqual([
      "missing-changelog 1: the entry is empty: say what changed, one `- ` for each change"
    ])
    expect(changelogProblems(`${firstEntry}\n## 1.1.0\n\n- Clearer words.\n`)).toEqual([
      "missing-changelog 5: `1.1.0` is the newest and belongs first"
    ])
  })

  it("has a ★ if scores can move", () => {
    expect(changelogProblems(`## 1.1.0\n\n- New words.\n`, true)).toEqual([
      "missing-changelog 1: scores or controls can move, but no item has the ★ that says so"
    ])
    expect(changelogProblems(`## 1.1.0\n\n- ★ New numbers.\n`, true)).toEqual([])
  })

  it("has no ★ in a patch", () => {
    const patch = (text: string) =>
      changelogFindings(
        {
          changelog: { file: changelogFile, entries: readChangelog(text) },
          newest: "1.1.0",
          version: "1.1.1"
        },
        false,
        []
      ).map(({ message }) => message)
    expect(patch("## 1.1.1\n\n- ★ Scores move.\n")).toEqual([
      "an item has a ★, but a change that can move a score or a control is not a patch"
    ])
    expect(patch("## 1.1.1\n\n- Clearer words.\n")).toEqual([])
  })

  it("has a reason for each code that is accepted to score lower", () => {
    const entry = "## 1.1.0\n\n- ★ Accepted lower: NOVEL_DESTINATION, because it is daily work.\n"
    expect(changelogProblems(entry, true, ["NOVEL_DESTINATION"])).toEqual([])
    expect(changelogProblems(entry, true, ["NOVEL_DESTINATION", "lexicon.verbs"])).toEqual([
      "missing-changelog 1: no item says why `lexicon.verbs` may lower a score or weaken a control"
    ])
  })
})

const versionProblems = (newest: string | null, version: string, moves: boolean, stated = version) =>
  versionFindings(
    { root: packageRoot, newest, version, stated: { file: "rules/ruleset.json", version: stated } },
    moves
  ).map(({ column, file, line, message, suggestion }) => ({
    at: `${file}:${line}:${column}`,
    message,
    suggestion
  }))

/** Where the shipped file states its version. */
const at = "rules/ruleset.json:3:14"

describe("a version to be released", () => {
  it.each([
    [null, "1.0.0", true],
    ["1.0.0", "1.0.1", false],
    ["1.0.0", "1.1.0", true],
    ["1.9.0", "1.10.0", true],
    ["1.9.9", "2.0.0", true],
    ["1.0.0", "1.1.1", true]
  ])("after %s may be %s if scores move: %s", (newest, version, moves) => {
    expect(versionProblems(newest, version, moves)).toEqual([])
  })

  it.each([
    ["1.0.0", "1.0.0", false, "1.0.1"],
    ["1.0.0", "0.9.0", true, "1.0.1"],
    ["1.10.0", "1.9.0", true, "1.10.1"]
  ])("after %s is not %s", (newest, version, moves, least) => {
    const message = `the newest release is \`${newest}\`, and a release never changes: release \`${least}\` or higher`
    expect(versionProblems(newest, version, moves)).toEqual([{ at, message, suggestion: undefined }])
  })

  it("is no patch if scores can move", () => {
    const message =
      "scores or controls can move since `1.0.3`, so this is not a patch: release `1.1.0` or higher"
    expect(versionProblems("1.0.3", "1.0.4", true)).toEqual([{ at, message, suggestion: undefined }])
  })

  it("is in the files", () => {
    const message = "`1.1.0` is about to be released: the files must state that version"
    expect(versionProblems("1.0.0", "1.1.0", true, "1.0.0")).toEqual([{ at, message, suggestion: "1.1.0" }])
  })
})
