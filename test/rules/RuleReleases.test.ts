import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { freezeRules } from "../../src/rules/freeze.ts"
import { listReleases, loadRelease } from "../../src/rules/loadRelease.ts"
import { packageRoot } from "../../src/rules/packageRoot.ts"
import { RuleReleases, type Wanted } from "../../src/rules/RuleReleases.ts"
import { factsFrom } from "../support/arbitrary/ruleSets.ts"
import { model as working } from "../support/draft.ts"
import { read } from "../support/read.ts"
import { rulesFolder } from "../support/rulesFolder.ts"

const releasedAt = "2026-11-02T09:00:00Z"
const file = "rules/releases/1.0.0.json"

const frozenFolder = async () => {
  const folder = rulesFolder()
  await freezeRules("1.0.0", { root: folder.root, releasedAt, replaceUnreleased: false })
  return folder
}

const open = (root: string, wanted: Wanted) =>
  RuleReleases.use((releases) => releases.open(wanted)).pipe(
    Effect.provide(RuleReleases.layerAt(root)),
    Effect.match({
      onFailure: ({ message }) => message,
      onSuccess: ({ model }) => `${model.version} ${model.digest}`
    }),
    Effect.runPromise
  )

const digestIn = (text: string): string => JSON.parse(text).digest

describe("a rule release", () => {
  it("opens as frozen and scores as the working files did", async () => {
    const { readText, root } = await frozenFolder()
    expect(await open(root, "newest")).toBe(`1.0.0 ${digestIn(readText(file))}`)
    const { model } = read(loadRelease(root, "1.0.0"))
    expect(model.numbers).toEqual(working.numbers)
    expect(model.currencies).toEqual(working.currencies)
    expect(model.lexicon).toEqual(working.lexicon)
    for (const facts of factsFrom(1, 50)) expect(model.match(facts)).toEqual(working.match(facts))
  })

  it.each([
    ["one number was edited", (text: string) => text.replace('"hazard_bp":3000', '"hazard_bp":0')],
    ["it was cut short", (text: string) => text.slice(0, -1_000)],
    ["it is empty", () => ""],
    ["white space was added", (text: string) => `${text}\n`],
    ["a key was repeated", (text: string) => text.replace("{", '{"version":"9.9.9",')],
    [
      "its digest was edited",
      (text: string) =>
        text.replace(/"digest":"."/, '"digest":"0"').replace(/"digest":"..../, '"digest":"0000')
    ],
    ["it is another document", () => "[]"]
  ])("refuses to open where %s, in one line that names it", async (_, spoil) => {
    const { readText, root, writeText } = await frozenFolder()
    const spoilt = spoil(readText(file))
    expect(spoilt).not.toBe(readText(file))
    writeText(file, spoilt)
    const message = await open(root, "1.0.0")
    expect(message).toMatch(/^rules\/releases\/1\.0\.0\.json: /)
    expect(message).not.toContain("\n")
  })

  it("refuses to open under another version's name", async () => {
    const { readText, root, writeText } = await frozenFolder()
    writeText("rules/releases/1.1.0.json", readText(file))
    expect(await open(root, "1.1.0")).toBe(
      "rules/releases/1.1.0.json: version: the release calls itself `1.0.0`"
    )
  })

  it("that does not exist is named with those that do", async () => {
    const { root } = await frozenFolder()
    expect(await open(root, "2.0.0")).toBe(
      "rules/releases/2.0.0.json: there is no such release; RULES_VERSION or --rules must be one of 1.0.0"
    )
    expect(await open(rulesFolder().root, "newest")).toBe("rules/releases: nothing is released yet")
  })

  it("has the digest of its content, whatever the order of keys and the layout of its files", async () => {
    const { readText, root } = await frozenFolder()
    const other = rulesFolder()
    const path = "rules/factors/volume/HIGH_ENTITY_COUNT.json"
    const turned = Object.fromEntries(Object.entries(JSON.parse(other.readText(path))).toReversed())
    other.writeText(path, JSON.stringify(turned))
    await freezeRules("1.0.0", { root: other.root, releasedAt, replaceUnreleased: false })
    expect(other.readText(file)).toBe(readText(file))
    expect(read(loadRelease(root, "1.0.0")).model.digest).toMatch(/^[0-9a-f]{64}$/)
  })

  it("newest is by version, not by spelling", async () => {
    const { edit, readText, root } = await frozenFolder()
    let stated = "1.0.0"
    for (const version of ["1.10.0", "1.9.0"]) {
      edit("rules/ruleset.json", `"version": "${stated}"`, `"version": "${version}"`)
      stated = version
      await freezeRules(version, { root, releasedAt, replaceUnreleased: false })
    }
    expect(await open(root, "newest")).toBe(`1.10.0 ${digestIn(readText("rules/releases/1.10.0.json"))}`)
  })
})

describe("the shipped releases", () => {
  it.each(listReleases(packageRoot))("%s opens", async (version) => {
    expect(await open(packageRoot, version)).toMatch(new RegExp(`^${version} [0-9a-f]{64}$`))
  })
})

describe("freezing", () => {
  it("leaves an equal release alone and refuses to change another", async () => {
    const { edit, readText, root } = await frozenFolder()
    const before = readText(file)
    const freeze = (replaceUnreleased: boolean) =>
      freezeRules("1.0.0", { root, releasedAt: "2027-01-01T00:00:00Z", replaceUnreleased })
    expect((await freeze(false)).outcome).toBe("unchanged")
    edit("rules/factors/destination/NOVEL_DESTINATION.json", '"hazard_bp": 3000', '"hazard_bp": 3100')
    expect((await freeze(false)).outcome).toBe("refused")
    expect(readText(file)).toBe(before)
    expect((await freeze(true)).outcome).toBe("written")
    expect(readText(file)).not.toBe(before)
  })

  it("refuses a version that the ruleset does not state, and rules that do not read", async () => {
    const { edit, root } = rulesFolder()
    const freeze = (version: string) => freezeRules(version, { root, releasedAt, replaceUnreleased: false })
    await expect(freeze("1.0.1")).rejects.toThrow("rules/ruleset.json: version: says `1.0.0`")
    edit("rules/factors/destination/NOVEL_DESTINATION.json", '"destination_novel"', '"destination_newish"')
    await expect(freeze("1.0.0")).rejects.toThrow(
      "rules/factors/destination/NOVEL_DESTINATION.json: rules[0].conditions.all[0].fact: unknown fact `destination_newish`"
    )
  })
})
