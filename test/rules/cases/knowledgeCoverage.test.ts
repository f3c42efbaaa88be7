/** Each form, statement, call, parameter and alternative that no case reaches is named, and no other. */

import { describe, expect, it } from "vitest"
import { type Case, readRuleSuite } from "../../../src/rules/cases/Case.ts"
import { type KnowledgeCoverage, knowledgeCoverage } from "../../../src/rules/cases/knowledgeCoverage.ts"
import { asHookStates, type PlacelessCall } from "../../../src/rules/corpus/callGroups.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { openedRulebook } from "../../support/openedRulebook.ts"
import { read } from "../../support/read.ts"

const book = openedRulebook("draft")

const caseOf = (call: PlacelessCall): Case => ({
  kind: "call",
  of: "programs/x",
  name: "a call",
  file: "x.cases.json",
  path: [],
  situations: [
    { request: { ...call, environment: "development" } },
    { request: { ...call, environment: "production" } }
  ],
  levels: ["low", "low"]
})

const coverageBy = (...calls: ReadonlyArray<PlacelessCall>): KnowledgeCoverage => {
  const found = knowledgeCoverage(book, [
    { of: "programs/x", file: "x.cases.json", cases: calls.map(caseOf) }
  ])
  if (found === undefined) throw new Error("the lexicon can be read")
  return found
}

const unreachedIn = ({ parts }: KnowledgeCoverage, of: string) =>
  parts.find((part) => part.of === of)?.unreached ?? []

/** The entries of the part that these calls reach, of those that no call reaches without them. */
const reachedBy = (of: string, ...calls: ReadonlyArray<PlacelessCall>) => {
  const after = unreachedIn(coverageBy(...calls), of)
  return unreachedIn(coverageBy(), of).filter((text) => !after.includes(text))
}

const tool = (name: string, args: Readonly<Record<string, string | boolean>>): PlacelessCall => ({
  actionType: name,
  metadata: { tool_call: { name, arguments: args } }
})

describe("what a case reaches of the lexicon", () => {
  it("is the form that decides, and none of those behind it", () => {
    expect(reachedBy("programs/git", asHookStates("git push --tags"))).toEqual(["push --tags|--follow-tags"])
    expect(reachedBy("programs/git", asHookStates("git replace --list"), asHookStates("git reflog"))).toEqual(
      ["replace -l|--list", "reflog"]
    )
  })

  it("is a form of a command inside of another one", () => {
    expect(reachedBy("programs/git", asHookStates("bash -c 'sudo git replace --list'"))).toEqual([
      "replace -l|--list"
    ])
  })

  it("is a call of an interpreter, a deed of a statement, and a parameter with such a value", () => {
    expect(
      reachedBy("interpreters/python", asHookStates(`python3 -c "import shutil; shutil.rmtree('build')"`))
    ).toEqual(["shutil.rmtree"])
    expect(
      reachedBy("statements/cypher", {
        actionType: "cypher.query",
        targetResource: "MATCH (n) DETACH DELETE n"
      })
    ).toEqual(["detach delete", "delete"])
    expect(reachedBy("parameters/git", tool("git_clean", { dry_run: true }))).toEqual(["dryrun true"])
    expect(reachedBy("parameters/git", tool("git_clean", { dry_run: false }))).toEqual([])
  })

  it("is each alternative, by the cases in its own entry", () => {
    expect(unreachedIn(coverageBy(), "alternatives")).toEqual([])
  })
})

describe("the shipped cases", () => {
  /** It may only rise. */
  const percentMin = 34

  it(`reach at least ${percentMin} percent of the lexicon`, () => {
    const coverage = knowledgeCoverage(book, read(readRuleSuite(packageRoot)))
    expect(coverage?.percent).toBeGreaterThanOrEqual(percentMin)
  })
})
