import { Effect } from "effect"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { canonicalForm } from "../../../src/json/canonical.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { ruleReleasesAt } from "../../../src/rules/ruleReleases.ts"
import { scoringPartsOfRules } from "../../../src/rules/release/Candidate.ts"
import { withDigest } from "../../../src/rules/release/frozen.ts"
import { listReleases, loadDraft, loadRelease } from "../../../src/rules/release/loadRelease.ts"
import { type RequestedRelease, RuleReleases } from "../../../src/rules/servedRules.ts"
import { factsFrom } from "../../support/arbitrary/ruleSets.ts"
import { freezeRules } from "../../support/freezeIn.ts"
import { read } from "../../support/read.ts"
import { rulesFolder } from "../../support/rulesFolder.ts"

const file = "rules/releases/1.0.0.json"

const frozenFolder = () => {
  const folder = rulesFolder()
  folder.setVersion("rules/ruleset.json", "1.0.0")
  freezeRules(folder.root)
  return folder
}

const open = (root: string, wanted: RequestedRelease) =>
  RuleReleases.use((releases) => releases.open(wanted)).pipe(
    Effect.provide(ruleReleasesAt(root)),
    Effect.match({
      onFailure: ({ message }) => message,
      onSuccess: ({ model }) => `${model.version} ${model.digest}`
    }),
    Effect.runPromise
  )

const digestIn = (text: string): string => JSON.parse(text).digest

describe("a rule release", () => {
  it("opens as frozen and scores like the working files", async () => {
    const { readText, root } = frozenFolder()
    expect(await open(root, "newest")).toBe(`1.0.0 ${digestIn(readText(file))}`)
    const frozen = read(loadRelease(root, "1.0.0"))
    const working = read(loadDraft(packageRoot))
    expect(scoringPartsOfRules({ release: frozen })).toEqual(scoringPartsOfRules({ release: working }))
    for (const facts of factsFrom(1, 50)) {
      expect(frozen.model.match(facts)).toEqual(working.model.match(facts))
    }
  })

  it.each([
    ["one number was edited", (text: string) => text.replace('"hazard_bp":1500', '"hazard_bp":0')],
    ["it was cut short", (text: string) => text.slice(0, -1_000)],
    ["it is empty", () => ""],
    ["it is no JSON", () => "rules"],
    ["a byte-order mark was added", (text: string) => `\ufeff${text}`],
    ["white space was added", (text: string) => `${text}\n`],
    ["a key was repeated", (text: string) => text.replace("{", '{"version":"9.9.9",')],
    [
      "its digest was edited",
      (text: string) =>
        text.replace(/"digest":"."/, '"digest":"0"').replace(/"digest":"..../, '"digest":"0000')
    ],
    ["it is another document", () => "[]"]
  ])("refuses to open if %s, in one line that names the release", async (_, spoil) => {
    const { readText, root, writeText } = frozenFolder()
    const spoilt = spoil(readText(file))
    expect(spoilt).not.toBe(readText(file))
    writeText(file, spoilt)
    const message = await open(root, "1.0.0")
    expect(message).toMatch(/^rules\/releases\/1\.0\.0\.json: /)
    expect(message).not.toContain("\n")
  })

  it("refuses to open under another version's name", async () => {
    const { readText, root, writeText } = frozenFolder()
    writeText("rules/releases/1.1.0.json", readText(file))
    expect(await open(root, "1.1.0")).toBe(
      "rules/releases/1.1.0.json: version: the release names itself `1.0.0`"
    )
  })

  it("that does not exist is refused with a list of those that do", async () => {
    const { root } = frozenFolder()
    expect(await open(root, "2.0.0")).toBe(
      "rules/releases/2.0.0.json: there is no such release; RULES_VERSION or --rules must be one of 1.0.0"
    )
    expect(await open(rulesFolder().root, "newest")).toBe("rules/releases: nothing is released yet")
  })

  it("has the digest of its content, whatever the order of keys and the layout of its files", async () => {
    const { readText, root } = frozenFolder()
    const other = rulesFolder()
    const path = "rules/factors/volume/HIGH_ENTITY_COUNT.json"
    const turned = Object.fromEntries(Object.entries(JSON.parse(other.readText(path))).toReversed())
    other.writeText(path, JSON.stringify(turned))
    other.setVersion("rules/ruleset.json", "1.0.0")
    freezeRules(other.root)
    expect(other.readText(file)).toBe(readText(file))
    expect(read(loadRelease(root, "1.0.0")).model.digest).toMatch(/^[0-9a-f]{64}$/)
  })

  it("is the newest by version, not by spelling", async () => {
    const { readText, root, setVersion } = frozenFolder()
    for (const version of ["1.10.0", "1.9.0"]) {
      setVersion("rules/ruleset.json", version)
      freezeRules(root)
    }
    expect(await open(root, "newest")).toBe(`1.10.0 ${digestIn(readText("rules/releases/1.10.0.json"))}`)
  })
})

describe("the lock of the digests", () => {
  it("refuses a release that was edited and frozen again, although it has the digest of its content", async () => {
    const { edit, readText, root, writeText } = frozenFolder()
    const { digest: _, ...content } = JSON.parse(readText(file).replace('"floor":90', '"floor":89'))
    writeText(file, canonicalForm(withDigest(content)))
    expect(await open(root, "1.0.0")).toContain(`${file}: does not have the digest in the lock`)
    edit("rules/releases/digests.json", '"1.0.0"', '"1.0.1"')
    expect(await open(root, "1.0.0")).toContain(`${file}: is not in the lock`)
  })

  it("keeps an older release from becoming the newest when the newest one is lost", async () => {
    const { root, setVersion } = frozenFolder()
    setVersion("rules/ruleset.json", "1.1.0")
    freezeRules(root)
    rmSync(join(root, "rules/releases/1.1.0.json"))
    expect(await open(root, "newest")).toBe(
      "rules/releases/1.1.0.json: was released, but its file is missing"
    )
    expect(await open(root, "1.0.0")).toMatch(/^1\.0\.0 /)
  })

  it("is required", async () => {
    const { root, writeText } = frozenFolder()
    writeText("rules/releases/digests.json", '{ "1.0.0": "82ce" }')
    expect(await open(root, "newest")).toMatch(/^rules\/releases\/digests\.json: cannot be read: /)
  })
})

describe("the shipped releases", () => {
  it.each(listReleases(packageRoot))("%s opens", async (version) => {
    expect(await open(packageRoot, version)).toMatch(new RegExp(`^${version} [0-9a-f]{64}$`))
  })
})
