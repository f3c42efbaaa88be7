import { describe, expect, it } from "vitest"
import { readChangelog } from "../../../src/rules/release/changelog.ts"
import { changelogFindings } from "../../../src/rules/release/releaseGates.ts"

const file = "rules/CHANGELOG.md"
const first = "## 1.0.0\n\n- ★ The first release.\n"

const say = (text: string, moves = false, accepted: ReadonlyArray<string> = []) =>
  changelogFindings(
    { changelog: { file, entries: readChangelog(text) }, newest: "1.0.0", version: "1.1.0" },
    moves,
    accepted
  ).map(({ line, message, rule }) => `${rule} ${line}: ${message}`)

describe("the changelog of a release", () => {
  it("tells of it", () => {
    expect(say("")).toEqual(["missing-changelog 1: there is no entry for `1.1.0`: say what changed"])
    expect(say(`# Rules\n\n${first}`)).toEqual([
      "missing-changelog 3: there is no entry for `1.1.0`: say what changed"
    ])
    expect(say(`## 1.1.0\n\n- Clearer words.\n\n${first}`)).toEqual([])
  })

  it("says what changed, and above all older entries", () => {
    expect(say(`## 1.1.0\n\nWords.\n\n${first}`)).toEqual([
      "missing-changelog 1: the entry is empty: say what changed, one `- ` for each change"
    ])
    expect(say(`${first}\n## 1.1.0\n\n- Clearer words.\n`)).toEqual([
      "missing-changelog 5: `1.1.0` is the newest and stands first"
    ])
  })

  it("has a ★ where scores can move", () => {
    expect(say(`## 1.1.0\n\n- New words.\n`, true)).toEqual([
      "missing-changelog 1: scores can move, and no item has the ★ that says so"
    ])
    expect(say(`## 1.1.0\n\n- ★ New numbers.\n`, true)).toEqual([])
  })

  it("has no ★ in a patch", () => {
    const patch = (text: string) =>
      changelogFindings(
        { changelog: { file, entries: readChangelog(text) }, newest: "1.1.0", version: "1.1.1" },
        false,
        []
      ).map(({ message }) => message)
    expect(patch("## 1.1.1\n\n- ★ Scores move.\n")).toEqual([
      "an item has a ★, and what can move a score is no patch"
    ])
    expect(patch("## 1.1.1\n\n- Clearer words.\n")).toEqual([])
  })

  it("has a reason for each code that is accepted to score lower", () => {
    const entry = "## 1.1.0\n\n- ★ Accepted lower: NOVEL_DESTINATION, because it is daily work.\n"
    expect(say(entry, true, ["NOVEL_DESTINATION"])).toEqual([])
    expect(say(entry, true, ["NOVEL_DESTINATION", "lexicon.verbs"])).toEqual([
      "missing-changelog 1: no item says why `lexicon.verbs` may score lower than before"
    ])
  })
})
