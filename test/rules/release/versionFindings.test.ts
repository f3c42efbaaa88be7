import { describe, expect, it } from "vitest"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { versionFindings } from "../../../src/rules/release/releaseGates.ts"

const say = (newest: string | null, version: string, moves: boolean, stated = version) =>
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
  ])("after %s may be %s where scores move: %s", (newest, version, moves) => {
    expect(say(newest, version, moves)).toEqual([])
  })

  it.each([
    ["1.0.0", "1.0.0", false, "1.0.1"],
    ["1.0.0", "0.9.0", true, "1.0.1"],
    ["1.10.0", "1.9.0", true, "1.10.1"]
  ])("after %s is not %s", (newest, version, moves, least) => {
    const message = `the newest release is \`${newest}\`, and what is released never changes: release \`${least}\` or higher`
    expect(say(newest, version, moves)).toEqual([{ at, message, suggestion: undefined }])
  })

  it("is no patch where scores can move", () => {
    const message = "scores can move since `1.0.3`, so this is no patch: release `1.1.0` or higher"
    expect(say("1.0.3", "1.0.4", true)).toEqual([{ at, message, suggestion: undefined }])
  })

  it("stands in the files", () => {
    const message = "`1.1.0` is to be released: the files must say so"
    expect(say("1.0.0", "1.1.0", true, "1.0.0")).toEqual([{ at, message, suggestion: "1.1.0" }])
  })
})
