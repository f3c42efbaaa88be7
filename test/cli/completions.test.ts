/** The completion scripts of `--completions`, called as a shell calls them. */

import { execFileSync } from "node:child_process"
import { beforeAll, describe, expect, it } from "vitest"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { actionRisk } from "../support/actionRisk.ts"

let script = ""

beforeAll(async () => {
  const { code, stderr, stdout } = await actionRisk(["--completions", "bash"])
  expect([code, stderr]).toEqual([0, ""])
  script = stdout
})

/** The words that bash offers. The cursor is at the last of the given words. */
const offered = (...words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const line = ["action-risk", ...words]
  const ask = `${script}
COMP_WORDS=(${line.map((word) => `'${word}'`).join(" ")}); COMP_LINE='${line.join(" ")}'
COMP_CWORD=${line.length - 1}; COMP_POINT=\${#COMP_LINE}
_action_risk action-risk '${words.at(-1)}'
printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync("bash", ["--norc", "-c", ask], { cwd: packageRoot, encoding: "utf8" })
    .split("\n")
    .filter(Boolean)
}

describe("bash", () => {
  it("completes nouns and their verbs", () => {
    expect(offered("ru")).toEqual(["rules"])
    expect(offered("keys", "")).toEqual(["create", "list", "revoke"])
    expect(offered("rules", "rep")).toEqual(["report"])
    expect(offered("policies", "rep")).toEqual(["report"])
  })

  it("completes flags that were not given yet, and the values of those that have a few", () => {
    expect(offered("keys", "create", "--org", "acme", "--")).not.toContain("--org")
    expect(offered("keys", "create", "--mo")).toEqual(["--mode"])
    expect(offered("keys", "create", "--mode", "")).toEqual(["test", "live"])
  })

  it("completes files where a file is wanted", () => {
    expect(offered("assess", "examples/requests/stripe-p")).toEqual(["examples/requests/stripe-payout.json"])
  })
})
