import { Result } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { findingLine, type Read } from "../../../src/rules/Finding.ts"
import { isCommandFile, readCommandFiles } from "../../../src/rules/lexicon/commandFiles.ts"
import { RulesetFile } from "../../../src/rules/files/RulesetFile.ts"
import { decodeFile } from "../../../src/rules/files/decodeFile.ts"
import { ProviderFile, readProviders } from "../../../src/rules/files/providerFiles.ts"
import { packageRoot, readRuleTree, type RuleFiles } from "../../../src/rules/files/readTree.ts"
import { releaseDocument, releaseFiles } from "../../../src/rules/files/releaseDocument.ts"
import { readLexiconData } from "../../../src/rules/lexicon/readLexicon.ts"
import { ImpactsFile, SignalsFile, VerbsFile, WordListsFile } from "../../../src/rules/files/wordFiles.ts"
import { isRecord } from "../../../src/json/json.ts"
import type { Numbers } from "../../../src/scoring/Numbers.ts"
import { prepareCatalogue } from "../../../src/rules/files/providerFiles.ts"

const lines = (read: Read<unknown>): ReadonlyArray<string> =>
  Result.isFailure(read) ? read.failure.map(findingLine) : []

const source = (json: unknown, name = "x", folder = "providers") => ({
  file: `rules/lexicon/${folder}/${name}.json`,
  name,
  folder,
  json
})

let files: RuleFiles
const sourcesIn = (folder: string) => files.lexicon.filter((file) => file.folder === folder)

beforeAll(() => {
  files = Result.getOrThrow(readRuleTree(packageRoot))
})

describe("the tree of rule files", () => {
  it("keeps the folders of its lexicon in a release", () => {
    const document = releaseDocument(files, "2.0.0", "2026-11-22T00:00:00Z")
    const json = { ...document, digest: "0".repeat(64), ruleset: { version: "2.0.0" } }
    const frozen = Result.getOrThrow(releaseFiles("rules/releases/2.0.0.json", "2.0.0", json)).files.lexicon
    const places = (of: RuleFiles["lexicon"]) =>
      of
        .map(({ folder, name }) => (folder === "lexicon" || folder === "" ? name : `${folder}/${name}`))
        .toSorted()
    expect(places(frozen)).toEqual(places(files.lexicon))
    expect(frozen.find(({ folder, name }) => folder === "providers" && name === "github")?.file).toBe(
      "rules/releases/2.0.0.json (providers/github)"
    )
  })

  it("reports a file that nothing reads", () => {
    expect(lines(readLexiconData([source({}, "extents", "words")]))).toEqual([
      "rules/lexicon/words/extents.json: nothing reads a file with this name in this place"
    ])
  })
})

/** A copy with other values at the ends of paths such as `classes.read.egress`. */
const changed = (json: unknown, values: Readonly<Record<string, unknown>>): unknown => {
  const copy: unknown = structuredClone(json)
  for (const [path, value] of Object.entries(values)) {
    const keys = path.split(".")
    const last = keys.pop() ?? ""
    const holder = keys.reduce<unknown>(
      (at, key) => (isRecord(at) || Array.isArray(at) ? Reflect.get(at, key) : at),
      copy
    )
    if (typeof holder === "object" && holder !== null) Reflect.set(holder, last, value)
  }
  return copy
}

describe("the numbers of the ruleset", () => {
  const read = (values: Readonly<Record<string, unknown>>) =>
    decodeFile(RulesetFile, { ...files.ruleset, json: changed(files.ruleset.json, values) })

  it("are readable, and are what the score asks for", () => {
    const numbers: Numbers = Result.getOrThrow(read({}))
    expect(numbers.levels).toBeDefined()
  })

  it.each([
    [
      "an impact that weighs less than a lower one",
      { "classes.write.weight_bp.high": 1 },
      "classes.write.weight_bp: expected figures that never decrease from `low` to `critical`"
    ],
    [
      "a wider extent with fewer things",
      { "extents.bulk.entities": 0 },
      "extents: expected figures that never decrease from `single` to `everything`"
    ],
    [
      "a laptop that counts more than staging",
      { "environment.development.factor_bp": 9_999 },
      "environment: expected figures that never decrease from `development` to `production`"
    ],
    [
      "a class that counts more in a sandbox than in staging",
      { "classes.execute.factor_bp": { sandbox: 10_000 } },
      "classes.execute.factor_bp: falls on the way to production, with the environment's own figures where it has none"
    ],
    [
      "a reference that is easier to undo than the floor of its class",
      {
        "classes.destroy.reversibility_floor": "irreversible",
        "classes.destroy.references.reversibility.low": "mostly_reversible"
      },
      "classes.destroy.references.reversibility.low: is easier than `irreversible`, the floor of the class"
    ],
    [
      "a harmless class that sends out",
      { "classes.read.egress": true },
      "classes.read.egress: a class that is harmless sends nothing out"
    ],
    [
      "cautious bounds that are narrower than the harmless ones",
      { "plausible.harmless.times": 10_000 },
      "plausible: expected bounds of `harmless` within those of `cautious`"
    ],
    [
      "a weakened protection that counts less than other acts",
      { "weakened_factor_bp.development": 0, "weakened_factor_bp.sandbox": 0 },
      "weakened_factor_bp.development: is below `factor_bp` of the environment: weakening a protection would count less than other acts"
    ],
    [
      "an anchor that falls",
      { "anchors.usd.1": [20_000_000, 0] },
      "anchors.usd: expected anchors that increase in both columns"
    ],
    ["an unknown class", { "classes.sends": {} }, "classes.sends: unknown key `sends`"]
  ])("are refused with %s", (_, values, message) => {
    expect(lines(read(values)).join("\n")).toContain(`rules/ruleset.json: ${message}`)
  })
})

describe("the catalogues", () => {
  it("are readable, and none names another that is not there", () => {
    const providers = Result.getOrThrow(readProviders(sourcesIn("providers")))
    expect(Object.keys(providers).length).toBeGreaterThan(300)
    expect(prepareCatalogue(providers).names.size).toBeGreaterThan(25_000)
  })

  it("are what their schema reads in them", () => {
    const sources = sourcesIn("providers")
    const bySchema = sources.map((one) => [one.name, Result.getOrThrow(decodeFile(ProviderFile, one))])
    expect(Result.getOrThrow(readProviders(sources))).toEqual(Object.fromEntries(bySchema))
  })

  const provider = (parts: object) => ({ prefixes: ["acme"], actions: { a_b: { class: "read" } }, ...parts })

  it.each([
    [{ prefixes: ["Acme"] }, 'prefixes[0]: expected a name in lower case, not `"Acme"`'],
    [{ alone: ["ab"] }, "alone[0]: `ab` is not among the actions of this file"],
    [{ alone: ["a_b"] }, "alone[0]: `a_b` has several words, so it is clear without being listed here"],
    [{ only_when_named: ["b"] }, "only_when_named[0]: `b` is not among the actions of this file"],
    [
      { actions: { a_b: { class: "read" }, AB: { class: "read" } } },
      "actions.AB: is another spelling of `a_b`: one entry covers both"
    ],
    [
      { actions: { "GET /v1/a/{id}": { class: "read" }, "GET /v2/a": { class: "read" } } },
      "actions.GET /v2/a: is another spelling of `GET /v1/a/{id}`: one entry covers both"
    ],
    [{ actions: { "a_*": { class: "read" } } }, "actions.a_*: contains `*`, but names have no wildcards"],
    [{ actions: { a: { class: "reads" } } }, "actions.a.class: unknown name `reads`, did you mean `read`?"],
    [{ actions: { a: {} } }, "actions.a.class: `class` is missing"],
    [{ actions: { " b": { class: "read" } } }, "actions. b: "],
    [
      { actions: { a: { class: "read", type: "A" } } },
      "actions.a.type: expected `<object>.<verb>` in lower case, such as `pull_request.merge`"
    ],
    [{ actions: { a: { class: "read", holdss: "public" } } }, "unknown key `holdss`, did you mean `holds`?"],
    [{ includes: ["githb"] }, "includes[0]: there is no file `githb`, did you mean `github`?"],
    [{ includes: ["suite"] }, "includes[0]: `suite` is a suite itself: include its parts"]
  ])("are refused with %j", (parts, message) => {
    const github = source(provider({ prefixes: ["github"] }), "github")
    const suite = source(provider({ prefixes: ["suite"], includes: ["github"] }), "suite")
    expect(lines(readProviders([source(provider(parts)), github, suite])).join("\n")).toContain(message)
  })
})

describe("the vocabulary of commands", () => {
  const read = (file: string, values: Readonly<Record<string, unknown>>) =>
    lines(
      readCommandFiles(
        files.lexicon
          .filter(isCommandFile)
          .map((one) =>
            one.file === `rules/lexicon/${file}.json` ? { ...one, json: changed(one.json, values) } : one
          )
      )
    )

  it("is readable", () => {
    expect(read("commands", {})).toEqual([])
  })

  it.each([
    [
      "an unknown class",
      "commands",
      { "acts.own_code": "code.run executes high" },
      "acts.own_code: unknown class `executes`, expected one of `internal`, "
    ],
    [
      "an unknown word",
      "commands",
      { "acts.own_code": "code.run execute hih" },
      "acts.own_code: unknown word `hih`, expected one of `low`, "
    ],
    [
      "a missing impact",
      "programs/git",
      { "forms.0": ["", "file.delete delete"] },
      "forms[0][1]: `delete` needs an impact: `low`, `moderate`, `high`, `critical`"
    ],
    [
      "a second entry for a program",
      "programs/rm",
      { names: "git rm" },
      "names: `git` already has an entry in rules/lexicon/programs/git.json"
    ],
    [
      "a tool of a program without an entry",
      "tools",
      { "programs.0.1": "kubectll" },
      "programs[0][1]: no program is named `kubectll`, did you mean `kubectl`?"
    ]
  ])("is refused with %s", (_, file, values, message) => {
    expect(read(file, values).join("\n")).toContain(message)
  })
})

describe("the words", () => {
  it.each([
    [
      VerbsFile,
      {
        groups: {},
        shared: [],
        verbs: { drop: { class: "delete", by: { "@store": { impact: "high" } } } },
        phrases: {}
      },
      "verbs.drop.by.@store: there is no group `store`"
    ],
    [
      VerbsFile,
      { groups: {}, shared: [{ verbs: ["dorp"], by: {} }], verbs: {}, phrases: {} },
      "shared[0].verbs[0]: there is no verb `dorp`"
    ],
    [
      VerbsFile,
      { groups: {}, shared: [], verbs: {}, phrases: { "turn off": { class: "configure", as: "disable" } } },
      "phrases.turn off.as: there is no verb `disable`"
    ],
    [
      VerbsFile,
      { groups: {}, shared: [], verbs: { drop: {} }, phrases: {} },
      "verbs.drop.class: `class` is missing"
    ],
    [ImpactsFile, { classes: {}, holds: {} }, "classes.internal: `internal` is missing"],
    [WordListsFile, { stopWords: [] }, "unknown key `stopWords`, did you mean `stop_words`?"],
    [
      SignalsFile,
      {
        signals: [
          { id: "a", words: [["x"]], in: [], why: "W" },
          { id: "a", words: [["y"]], in: [], why: "W" }
        ]
      },
      "signals[1].id: `a` is the id of another signal"
    ],
    [
      SignalsFile,
      { signals: [{ id: "a", in: [], why: "W" }] },
      "signals[0]: expected `words`, `text` or `wildcard`"
    ],
    [SignalsFile, { signals: [{ id: "a", words: [["x"]], in: [] }] }, "signals[0].why: `why` is missing"]
  ])("are refused: %#", (schema, json, message) => {
    expect(lines(decodeFile(schema, source(json, "x", "words"))).join("\n")).toContain(message)
  })
})
