import { Console, Effect, Exit, Result } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { exitOf } from "../../../src/cli/exit.ts"
import { passGates, releaseShape } from "../../../src/cli/rules/release.ts"
import type { LocatedFinding } from "../../../src/rules/Finding.ts"
import { loadPolicySet } from "../../../src/rules/policies/loadPolicySet.ts"
import type { ReleaseCandidate } from "../../../src/rules/release/Candidate.ts"
import { model, rules } from "../../support/draft.ts"
import { documentIn } from "../../support/verbs.ts"

const folder = mkdtempSync(join(tmpdir(), "action-risk-release-"))
afterAll(() => rmSync(folder, { recursive: true }))

const failing: LocatedFinding = {
  rule: "failing-case",
  severity: "error",
  file: "rules/factors/volume/HIGH_ENTITY_COUNT.cases.json",
  line: 12,
  column: 7,
  message: "`one entity` expects none and is moderate",
  suggestion: '"moderate"'
}

/** A first release into a temporary folder. Its cases have the given findings. */
const candidate = (name: string, findings: ReadonlyArray<LocatedFinding> = []): ReleaseCandidate => {
  const root = join(folder, name)
  return {
    root,
    kind: "rules",
    name: "1.0.0",
    version: "1.0.0",
    newest: null,
    stated: { file: "rules/ruleset.json", version: "1.0.0" },
    changelog: {
      file: "rules/CHANGELOG.md",
      entries: [{ version: "1.0.0", line: 1, items: [{ text: "All of it.", moves: true, line: 3 }] }]
    },
    draft: Result.succeed({
      label: "draft",
      release: { model, rules, files: { ...noFiles } },
      policies: loadPolicySet(root, "none")
    }),
    before: null,
    scoringParts: () => null,
    check: () => ({ ok: true, findings: [], files: 130 }),
    test: () => ({
      ok: findings.length === 0,
      findings,
      cases: { total: 674, failed: findings.length },
      groups: []
    }),
    differing: async () => [],
    document: (_, releasedAt) => ({ version: "1.0.0", released_at: releasedAt })
  }
}

const noFile = { file: "", name: "", folder: "", json: null }
const noFiles = { ruleset: noFile, currencies: noFile, lexicon: [], factors: [], typologies: [] }

const release = async (one: ReleaseCandidate, options: { dryRun?: boolean; json?: boolean } = {}) => {
  const lines: Array<string> = []
  const console: Console.Console = { ...globalThis.console, log: (line: string) => lines.push(line) }
  const exit = await Effect.runPromiseExit(
    passGates(one, { acceptLower: [], calls: [], dryRun: false, json: false, ...options }).pipe(
      Effect.provideService(Console.Console, console)
    )
  )
  const said = lines.join("\n").replaceAll(/\d+\.\d s/g, "0.0 s")
  return { said, code: exitOf(exit).code, failed: Exit.isFailure(exit) }
}

const written = ({ root }: ReleaseCandidate): ReadonlyArray<string> => {
  try {
    return readdirSync(join(root, "rules/releases")).toSorted()
  } catch {
    return []
  }
}

const strictly = (said: string) => documentIn(releaseShape, said)

describe("a release", () => {
  it("shows each gate as it is passed, freezes, and says what to do next", async () => {
    const one = candidate("passed")
    const { code, said } = await release(one)
    expect(code).toBe(0)
    const { digest } = JSON.parse(readFileSync(join(one.root, "rules/releases/1.0.0.json"), "utf8"))
    expect(said.split("\n")).toEqual([
      "Release 1.0.0",
      "",
      "  ✔ version       0.0 s  the first release",
      "  ✔ changelog     0.0 s  1 change, 1 with ★",
      "  ✔ check         0.0 s  130 files, 0 findings",
      "  ✔ evaluators    0.0 s  both agree around every boundary",
      "  ✔ test          0.0 s  674 cases, 0 failed",
      "  ✔ prove         0.0 s  nothing was released before",
      "",
      `Frozen as rules/releases/1.0.0.json, digest ${digest}.`,
      "Next: commit it together with the lock next to it and the changelog. It never changes from now on."
    ])
    expect(written(one)).toEqual(["1.0.0.json", "digests.json"])
    expect(JSON.parse(readFileSync(join(one.root, "rules/releases/digests.json"), "utf8"))).toEqual({
      "1.0.0": digest
    })
  })

  it("is refused a second time in one line", async () => {
    const one = candidate("passed")
    expect(await release(one)).toMatchObject({ code: 1 })
    expect(written(one)).toEqual(["1.0.0.json", "digests.json"])
  })

  it("that fails at a gate shows what was found, writes nothing and ends with 1", async () => {
    const one = candidate("failed", [failing])
    const { code, said } = await release(one)
    expect(code).toBe(1)
    expect(said).toContain(`  ✘ test          0.0 s  674 cases, 1 failed
      rules/factors/volume/HIGH_ENTITY_COUNT.cases.json:12:7 error failing-case
        \`one entity\` expects none and is moderate
        write "moderate"`)
    expect(said).toContain("✔ prove")
    expect(said).toContain("Nothing was written. Fix what test found and run it again.")
    expect(written(one)).toEqual([])
  })

  it("in a dry run writes nothing", async () => {
    const one = candidate("tried")
    const { code, said } = await release(one, { dryRun: true })
    expect([code, written(one)]).toEqual([0, []])
    expect(said).toContain("Every gate is passed. Nothing was written: run it again without --dry-run.")
  })

  it("prints one document of its shape under --json", async () => {
    const passed = await release(candidate("json"), { json: true })
    expect(strictly(passed.said)).toMatchObject({
      ok: true,
      release: "1.0.0",
      from: null,
      dry_run: false,
      frozen: { file: "rules/releases/1.0.0.json", digest: expect.stringMatching(/^[0-9a-f]{64}$/) }
    })
    const failed = await release(candidate("json-failed", [failing]), { json: true })
    expect(failed.code).toBe(1)
    const { frozen, gates, ok } = strictly(failed.said)
    expect([ok, frozen]).toEqual([false, null])
    expect(gates.find(({ gate }) => gate === "test")).toMatchObject({
      outcome: "failed",
      findings: [failing]
    })
  })
})
