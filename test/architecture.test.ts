/** Tests the source lines of `src` against docs/architecture.md. */

import { describe, expect, it } from "vitest"
import * as rules from "./architecture/rules.ts"
import { smallFiles } from "./architecture/smallFiles.ts"
import { type SourceFile, sourceFile, sourceTree } from "./architecture/SourceFile.ts"
import * as tree from "./architecture/treeRules.ts"
import wordListLedger from "./architecture/wordListLedger.json" with { type: "json" }
import { grownLists, shrunkLists, wordListsIn } from "./architecture/wordListsInCode.ts"

const files = sourceTree("src")
const findings = (rule: rules.ArchitectureRule) => files.flatMap(rule)

describe("the source", () => {
  it("exists", () => {
    expect(files.length).toBeGreaterThan(50)
  })

  it("imports one way: main → cli, server → assessment, webhooks → storage, rules → scoring → domain", () => {
    expect(findings(rules.arrowsPointOneWay)).toEqual([])
  })

  it("has pages of the console that take plain views: they import neither rules nor scoring nor storage", () => {
    expect(findings(rules.pagesTakePlainViews)).toEqual([])
  })

  it("imports nothing of its own from outside src", () => {
    expect(findings(rules.importsStayInSource)).toEqual([])
  })

  it("has a core, scoring and domain, that imports no runtime, no node: module and no database", () => {
    expect(findings(rules.theCoreImportsNothingImpure)).toEqual([])
  })

  it("has a core that reads no clock, no randomness and no locale", () => {
    expect(findings(rules.theCoreReadsNoClockAndNoChance)).toEqual([])
  })

  it("has a core that keeps no state between calls", () => {
    expect(findings(rules.theCoreKeepsNothingBetweenCalls)).toEqual([])
  })

  it("imports json-rules-engine in src/rules/language/reference.ts alone", () => {
    expect(findings(rules.onlyTheReferenceKnowsTheRulesEngine)).toEqual([])
  })

  it("reads the environment in src/config.ts alone", () => {
    expect(findings(rules.onlyConfigReadsTheEnvironment)).toEqual([])
  })

  it("has no numbers of the risk model in src/scoring", () => {
    expect(findings(rules.scoringHoldsNoNumbers)).toEqual([])
  })

  it("holds no list of words in src/scoring that the ledger does not know, and the ledger only shrinks", () => {
    const lists = Object.assign({}, ...files.filter(({ room }) => room === "scoring").map(wordListsIn))
    expect(grownLists(lists, wordListLedger)).toEqual([])
    expect(shrunkLists(lists, wordListLedger)).toEqual([])
  })

  it("has no file over 400 lines", () => {
    const lengths = files.map(({ lines }) => lines.length - 1).toSorted((a, b) => a - b)
    const total = lengths.reduce((sum, length) => sum + length, 0)
    console.info(`${files.length} files, ${total} lines, median ${lengths[lengths.length >> 1]}`)
    expect(findings(rules.filesAreReadable)).toEqual([])
  })

  it("has no files that import each other, not even for a type", () => {
    expect(tree.noFilesImportEachOther(files)).toEqual([])
  })

  it("has no file x.ts next to a folder x", () => {
    expect(tree.noFileIsNamedLikeAFolderBesideIt(files)).toEqual([])
  })

  it("has no folder with more than 20 loose files", () => {
    expect(tree.foldersAreSurveyable(files)).toEqual([])
  })

  it("exports no name twice", () => {
    expect(tree.noNameIsExportedTwice(files)).toEqual([])
  })

  it.each([
    ["one assessed request", "src/server/handlers/actions.ts", 139],
    ["one release, from its files to its score", "src/rules/release/loadRelease.ts", 60],
    ["rules diff", "src/cli/rules/diff.ts", 185],
    ["one webhook", "src/webhooks/deliver.ts", 27],
    ["the page of an assessment", "src/console/pages/assessmentPage.ts", 28],
    ["one condition, from its file to its closure", "src/rules/language/compile.ts", 8]
  ])("needs few files to follow %s", (_, entry, filesMax) => {
    const reach = tree.reachOf(files, entry)
    console.info(`${entry} reaches ${reach.size} files`)
    expect(reach.size).toBeLessThanOrEqual(filesMax)
  })

  it("loads no library into an agent's process but those that are listed", () => {
    expect(tree.lightEntriesStayLight(tree.lightEntries)(files)).toEqual([])
  })

  it("keeps a file under 80 lines with a single importer only for a listed reason", () => {
    expect(tree.smallFilesServeSeveral(smallFiles)(files)).toEqual([])
  })

  it("gives every folder and file a specific name", () => {
    expect(findings(rules.namesSaySomething)).toEqual([])
  })

  it("starts every file with one sentence that says what it is", () => {
    expect(findings(rules.filesSayWhatTheyAre)).toEqual([])
  })

  it("claims no authority: the result is an opinion", () => {
    expect(findings(rules.opinionsClaimNoAuthority)).toEqual([])
  })

  it("gives a span, an error and a service one name each", () => {
    // The other rooms are not renamed yet.
    const rest = ["assessment", "rules", "storage"]
    expect(files.filter(({ room }) => !rest.includes(room)).flatMap(rules.namesAgree)).toEqual([])
  })

  it("has no barrels", () => {
    expect(findings(rules.thereAreNoBarrels)).toEqual([])
  })

  it("leaves no notes for later and no banners", () => {
    expect(findings(rules.nothingIsLeftForLater)).toEqual([])
  })
})

describe("each rule names the file and the line that break it", () => {
  const broken: ReadonlyArray<
    readonly [rules.ArchitectureRule, path: string, text: string, finding: string]
  > = [
    [
      rules.arrowsPointOneWay,
      "src/scoring/score.ts",
      'import { x } from "../storage/Sql.ts"',
      "src/scoring/score.ts:1 scoring must not import storage"
    ],
    [
      rules.arrowsPointOneWay,
      "src/storage/sql/pool.ts",
      'import {\n  x\n} from "../../api/Failures.ts"',
      "src/storage/sql/pool.ts:3 storage must not import api"
    ],
    [
      rules.namesAgree,
      "src/server/x.ts",
      'const open = Effect.fn("Streams.close")(function* () {})',
      "src/server/x.ts:1 the span close is not named like its function"
    ],
    [
      rules.namesAgree,
      "src/server/x.ts",
      'class Refused extends Schema.TaggedError<Refused>()("Rejected", {}) {}',
      "src/server/x.ts:1 the error Refused has the tag Rejected"
    ],
    [
      rules.namesAgree,
      "src/server/x.ts",
      'const Client = Context.Reference("action-risk/server/Caller", {})',
      "src/server/x.ts:1 Client has the key Caller"
    ],
    [
      rules.pagesTakePlainViews,
      "src/console/parts/x.ts",
      'import type { x } from "../../rules/Finding.ts"',
      "src/console/parts/x.ts:1 a page must not import src/rules/Finding.ts"
    ],
    [
      rules.arrowsPointOneWay,
      "src/attic/old.ts",
      "",
      "src/attic/old.ts:1 lies in a room that the architecture does not know: attic"
    ],
    [
      rules.importsStayInSource,
      "src/cli/x.ts",
      'const x = import("../../test/x.ts")',
      "src/cli/x.ts:1 reaches outside src: test/x.ts"
    ],
    [
      rules.theCoreImportsNothingImpure,
      "src/domain/x.ts",
      'import { Effect } from "effect"',
      "src/domain/x.ts:1 domain must stay pure and must not import effect"
    ],
    [
      rules.theCoreReadsNoClockAndNoChance,
      "src/scoring/x.ts",
      "// Date.now() in a comment is no clock\nconst now = Date.now()",
      "src/scoring/x.ts:2 scoring must stay pure: Date.now"
    ],
    [
      rules.theCoreKeepsNothingBetweenCalls,
      "src/scoring/x.ts",
      "const known = new WeakMap<Currency, Rate>()",
      "src/scoring/x.ts:1 scoring must keep nothing between calls: const known = new WeakMap<Currency, Rate>()"
    ],
    [
      rules.onlyTheReferenceKnowsTheRulesEngine,
      "src/rules/language/compile.ts",
      'import { Engine } from "json-rules-engine"',
      "src/rules/language/compile.ts:1 json-rules-engine belongs to src/rules/language/reference.ts alone"
    ],
    [
      rules.onlyConfigReadsTheEnvironment,
      "src/server/x.ts",
      "const port = process.env.PORT",
      "src/server/x.ts:1 reads the environment; a variable belongs to src/config.ts"
    ],
    [
      rules.scoringHoldsNoNumbers,
      "src/scoring/x.ts",
      "const floor = 7_000",
      "src/scoring/x.ts:1 7_000 belongs into a rule release"
    ],
    [
      rules.filesAreReadable,
      "src/api/x.ts",
      "\n".repeat(rules.longestFile + 1),
      `src/api/x.ts:401 is longer than 400 lines: 401`
    ],
    [
      rules.namesSaySomething,
      "src/api/utils/x.ts",
      "",
      "src/api/utils/x.ts:1 is named utils, which says nothing about what is in it"
    ],
    [
      rules.filesSayWhatTheyAre,
      "src/api/x.ts",
      "export const x = 1",
      "src/api/x.ts:1 must start with one line /** A sentence that says what the file is. */"
    ],
    [
      rules.opinionsClaimNoAuthority,
      "src/api/x.ts",
      'const note = "a decision in a string"\nconst finalDecision = 1',
      "src/api/x.ts:2 finalDecision claims an authority; the result is an opinion"
    ],
    [
      rules.thereAreNoBarrels,
      "src/api/x.ts",
      'export * from "./y.ts"',
      "src/api/x.ts:1 exports again what another file exports"
    ],
    [
      rules.nothingIsLeftForLater,
      "src/api/x.ts",
      `// ${"TODO"} later`,
      `src/api/x.ts:1 ${"TODO"} does not belong into the source`
    ]
  ]

  it.each(broken)("%o finds what is wrong in %s", (rule, path, text, finding) => {
    expect(rule(sourceFile(path, text))).toEqual([finding])
  })
})

describe("each rule of the tree names the files that break it", () => {
  const file = (path: string, text = ""): SourceFile => sourceFile(path, text)
  const small = "export const x = 1\n"

  const broken: ReadonlyArray<
    readonly [rule: string, tree.TreeRule, ReadonlyArray<SourceFile>, finding: string]
  > = [
    [
      "a cycle",
      tree.noFilesImportEachOther,
      [
        file("src/api/a.ts", 'import { b } from "./b.ts"'),
        file("src/api/b.ts", 'import type { C } from "./c.ts"'),
        file("src/api/c.ts", 'import type { A } from "./a.ts"')
      ],
      "src/api/a.ts ↔ src/api/b.ts ↔ src/api/c.ts"
    ],
    [
      "a twin",
      tree.noFileIsNamedLikeAFolderBesideIt,
      [file("src/api/a.ts"), file("src/api/a/b.ts")],
      "src/api/a.ts has a folder of its name beside it"
    ],
    [
      "a full folder",
      tree.foldersAreSurveyable,
      Array.from({ length: 21 }, (_, n) => file(`src/api/f${n}.ts`)),
      "src/api holds 21 files; at most 20 are allowed"
    ],
    [
      "a homonym",
      tree.noNameIsExportedTwice,
      [file("src/api/a.ts", "export interface Place {"), file("src/cli/b.ts", "export type Place = 1")],
      "Place is exported by src/api/a.ts and src/cli/b.ts"
    ],
    [
      "a library that an agent would load",
      tree.lightEntriesStayLight({ "src/client/a.ts": ["node:fs"] }),
      [
        file("src/client/a.ts", 'import { x } from "node:fs"\nimport { y } from "./b.ts"'),
        file("src/client/b.ts", 'import type { A } from "effect"\nimport { z } from "effect"')
      ],
      "src/client/b.ts:2 makes src/client/a.ts load effect"
    ],
    [
      "a small file of one importer",
      tree.smallFilesServeSeveral({}),
      [file("src/api/a.ts", 'import { x } from "./b.ts"'), file("src/api/b.ts", small)],
      "src/api/b.ts belongs into its only importer, src/api/a.ts"
    ],
    [
      "a reason without its file",
      tree.smallFilesServeSeveral({ "src/api/b.ts": "an entry point" }),
      [file("src/api/a.ts")],
      "src/api/b.ts is listed as a small file, and is none"
    ]
  ]

  it.each(broken)("%s", (_, rule, files, finding) => {
    expect(rule(files)).toEqual([finding])
  })
})

describe("a list of words in the code is found", () => {
  const words = "push pull fetch merge rebase reset clean"
  const texts = words
    .split(" ")
    .map((word) => `"${word}"`)
    .join(", ")
  const inCode = (text: string) =>
    wordListsIn({ path: "src/scoring/x.ts", lines: text.split("\n") })["src/scoring/x.ts verbs"]

  it.each([
    ["an array", `const verbs = [${texts}]`],
    ["a set", `export const verbs: ReadonlySet<string> = new Set([${texts}])`],
    ["a split text", `const verbs = new Set("${words}".split(" "))`],
    ["a pattern", `const verbs = /^(?:${words.replaceAll(" ", "|")})$/i`],
    [
      "a table of texts",
      `const verbs = { ${words
        .split(" ")
        .map((word) => `${word}: "yes"`)
        .join(", ")} }`
    ],
    ["a list inside of a function", `const verbs = () => {\n  const inner = [${texts}]\n  return inner\n}`]
  ])("%s", (_, text) => {
    expect(inCode(text)).toBe(7)
  })

  it.each([
    ["six words are no list", `const verbs = [${texts.replace(', "clean"', "")}]`],
    [
      "a list that declares a type",
      `const verbs = [${texts}] as const\nexport type Verb = (typeof verbs)[number]`
    ],
    ["a list over a type", `const verbs: ReadonlySet<Verb> = new Set<Verb>([${texts}])`]
  ])("%s", (_, text) => {
    expect(inCode(text)).toBeUndefined()
  })

  it("a longer list than the ledger holds is named, and so is a shorter one", () => {
    expect(grownLists({ a: 9 }, { a: 8 })).toEqual(["a: 9 words, which belong to rules/lexicon"])
    expect(shrunkLists({ a: 7 }, { a: 8, b: 7 })).toEqual([
      "a: 7 words now, so the ledger shrinks",
      "b: 0 words now, so the ledger shrinks"
    ])
  })
})
