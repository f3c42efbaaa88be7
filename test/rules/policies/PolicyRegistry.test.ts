import { Effect, Logger } from "effect"
import { cpSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { policyPollMs } from "../../../src/limits.ts"
import { worstFloor } from "../../../src/rules/files/policyFiles.ts"
import { boundaryFacts } from "../../../src/rules/language/verify.ts"
import { makePolicyRegistry } from "../../../src/rules/policies/policyRegistry.ts"
import { freezePolicies } from "../../support/freezeIn.ts"
import { rulesFolder } from "../../support/rulesFolder.ts"

const rule = "policies/starter/bulk-deletion-in-production.json"
const policy = "policies/starter/policy.json"

const [quiet] = boundaryFacts({ fact: "data_store", operator: "equal", value: false })

/** A registry over a folder that the test edits. `settle` refreshes twice, which takes a change over. */
const registryOver = async (prepare: (folder: ReturnType<typeof rulesFolder>) => void = () => {}) => {
  const folder = rulesFolder()
  folder.setVersion(policy, "1.0.0")
  prepare(folder)
  const lines: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => {
    if (logLevel === "Warn") lines.push([message].flat().join(" "))
  })
  const run = <A>(effect: Effect.Effect<A>) =>
    Effect.runPromise(effect.pipe(Effect.provide(Logger.layer([logger]))))
  const registry = await run(makePolicyRegistry(folder.root))
  const refresh = () => run(registry.refresh)
  const served = (name = "starter") => {
    const set = registry.get(name)
    if (set === undefined || quiet === undefined) return undefined
    return { version: set.policySet.version, incomplete: set.policySet.match(quiet).incomplete }
  }
  const settle = async () => {
    await refresh()
    await refresh()
  }
  return { ...folder, refresh, lines, served, settle, registry }
}

const good = { version: "1.0.0", incomplete: false }

describe("policy sets that are served", () => {
  it("are polled often enough that a change is served within five seconds", () => {
    expect(2 * policyPollMs).toBeLessThan(5_000)
  })

  it("change after an edit of the working folder, once two refreshes see the same files", async () => {
    const { edit, refresh, served, setVersion } = await registryOver()
    setVersion(policy, "1.1.0")
    await refresh()
    expect(served()).toEqual(good)
    edit(rule, "5000", "4000")
    await refresh()
    expect(served()).toEqual(good)
    await refresh()
    expect(served()).toEqual({ ...good, version: "1.1.0" })
  })

  it("change when a newer version is frozen, and the working folder no longer counts", async () => {
    const registry = await registryOver(({ root }) => freezePolicies(root, "starter"))
    registry.setVersion(policy, "1.10.0")
    await registry.settle()
    expect(registry.served()).toEqual(good)
    freezePolicies(registry.root, "starter")
    await registry.settle()
    expect(registry.served()).toEqual({ ...good, version: "1.10.0" })
    expect(registry.lines).toEqual([])
  })

  it("take over a changed catalogue, and keep the last good one while an edit is broken", async () => {
    const { edit, lines, registry, settle } = await registryOver()
    const ids = () => registry.get("starter")?.policySet.catalogue?.entries.map(({ id }) => id)
    const before = ids()
    edit("policies/starter/catalogue.json", "jira-is-internal", "tracker-is-internal")
    await settle()
    expect(ids()).toEqual(
      before?.map((id) => (id === "jira-is-internal" ? "tracker-is-internal" : id)).toSorted()
    )
    edit("policies/starter/catalogue.json", '"class": "read"', '"class": "reed"')
    await settle()
    expect(ids()).toContain("tracker-is-internal")
    expect(lines).toHaveLength(1)
  })

  it("stay the last good ones while an edit is broken, and one warning names the file and the reason", async () => {
    const { edit, lines, refresh, served, setVersion, settle } = await registryOver()
    edit(rule, '"records_affected"', '"rows_affected"')
    await settle()
    await refresh()
    expect(served()).toEqual(good)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(
      /^policy set starter is still served as starter@1\.0\.0\+[0-9a-f]{8}: policies\/starter\/bulk-deletion-in-production\.json: .*unknown fact `rows_affected`/
    )
    edit(rule, '"rows_affected"', '"records_affected"')
    setVersion(policy, "1.1.0")
    await settle()
    expect(served()).toEqual({ ...good, version: "1.1.0" })
  })

  it("stay the last good ones when a newer frozen version is damaged", async () => {
    const registry = await registryOver(({ root }) => freezePolicies(root, "starter"))
    registry.setVersion(policy, "1.1.0")
    freezePolicies(registry.root, "starter")
    registry.edit("policies/releases/starter@1.1.0.json", '"value":5000', '"value":9000')
    await registry.settle()
    expect(registry.served()).toEqual(good)
    expect(registry.lines).toEqual([
      expect.stringContaining("policies/releases/starter@1.1.0.json: its digest")
    ])
  })

  it("at the start have no last good ones: a broken set counts at its worst case until it is repaired", async () => {
    const { edit, lines, served, settle, registry } = await registryOver(({ edit }) =>
      edit(rule, '"add_factor"', '"lower_score"')
    )
    expect(served()).toEqual({ ...good, incomplete: true })
    expect(quiet && registry.get("starter")?.policySet.match(quiet).matched[0]?.floor).toBe(worstFloor)
    expect(lines).toEqual([
      expect.stringMatching(/^policy set starter is taken at its worst: policies\/starter\//)
    ])
    edit(rule, '"lower_score"', '"add_factor"')
    await settle()
    expect(served()).toEqual(good)
  })

  it("appear with their folder, and stay when the folder is gone", async () => {
    const { lines, root, served, settle } = await registryOver()
    expect(served("house")).toBe(undefined)
    cpSync(join(root, "policies/starter"), join(root, "policies/none-such"), { recursive: true })
    await settle()
    expect(served("none-such")).toEqual({ version: "0.0.0", incomplete: true })
    rmSync(join(root, "policies/starter"), { recursive: true })
    await settle()
    expect(served()).toEqual(good)
    expect(lines.at(-1)).toContain("the policy set is missing")
  })

  it("do not fall back to the working folder when the frozen versions are gone", async () => {
    const registry = await registryOver(({ root }) => freezePolicies(root, "starter"))
    registry.setVersion(policy, "2.0.0")
    rmSync(join(registry.root, "policies/releases"), { recursive: true })
    await registry.settle()
    expect(registry.served()).toEqual(good)
    expect(registry.lines).toEqual([expect.stringContaining("its frozen versions are missing")])
  })

  it("stay when `policies/` is unreadable, with one warning", async () => {
    const { lines, root, served, settle } = await registryOver()
    renameSync(join(root, "policies"), join(root, "elsewhere"))
    await settle()
    expect(served()).toEqual(good)
    expect(lines).toEqual([expect.stringMatching(/^the policy sets cannot be read/)])
    mkdirSync(join(root, "policies"))
    await settle()
    expect(served()).toEqual(good)
  })
})
