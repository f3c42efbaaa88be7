/** The example workflow is one that GitHub could run: it is YAML, requests few permissions, and uses only existing commands. */

import { Yaml } from "effect/encoding"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { listReleases } from "../../src/rules/release/loadRelease.ts"
import { usageProblem } from "../support/commandLine.ts"

interface Step {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
}

interface Workflow {
  readonly permissions: unknown
  readonly on: { readonly pull_request: { readonly paths: ReadonlyArray<string> } }
  readonly jobs: Readonly<
    Record<string, { readonly permissions: unknown; readonly steps: ReadonlyArray<Step> }>
  >
}

const text = readFileSync(join(packageRoot, "examples/github/rules.yml"), "utf8")
const workflow = Yaml.parse(text) as Workflow
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps)

describe("examples/github/rules.yml", () => {
  it("runs on pull requests that touch rules or policies", () => {
    expect(workflow.on.pull_request.paths).toEqual(["rules/**", "policies/**"])
    expect(text).not.toContain("pull_request_target")
  })

  it("may read the repository, show findings, and nothing else", () => {
    expect(workflow.permissions).toEqual({})
    expect(Object.values(workflow.jobs).map(({ permissions }) => permissions)).toEqual([
      { contents: "read", "security-events": "write" }
    ])
  })

  it("names each action with a version, and takes no expression into a shell", () => {
    const used = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]))
    expect(used.length).toBeGreaterThan(3)
    expect(used.filter((action) => !/^[\w-]+\/[\w/-]+@v\d+$/.test(action))).toEqual([])
    expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([])
  })

  const newest = listReleases(packageRoot).at(-1) ?? ""
  const lines = steps
    .flatMap(({ run }) => run?.split("\n") ?? [])
    .filter((line) => line.includes("action-risk"))
    .map((line) => line.trim().replaceAll("$NEWEST", newest))

  it("asks what a reviewer asks", () => {
    const asked = lines.map((line) => line.split(" ").slice(2, 4).join(" "))
    expect(asked).toEqual(
      expect.arrayContaining([
        "rules check",
        "rules test",
        "rules prove-not-lower",
        "rules report",
        "policies check"
      ])
    )
  })

  it.each(lines)("is taken by the commands as it is: %s", async (line) => {
    expect(await usageProblem(line)).toBeNull()
  })
})
