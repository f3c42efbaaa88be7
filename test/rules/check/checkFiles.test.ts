import { Effect, Exit } from "effect"
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { RulesRefused } from "../../../src/rules/Finding.ts"
import { checkPolicies, checkRules } from "../../../src/rules/check/checkFiles.ts"
import { ruleReleasesAt } from "../../../src/rules/ruleReleases.ts"
import { policySetsAt } from "../../../src/rules/policies/policyRegistry.ts"
import { PolicySets, RuleReleases } from "../../../src/rules/servedRules.ts"
import { cleanRules } from "../../support/cleanRules.ts"

const another = cleanRules()

const factor = "rules/factors/volume/HIGH_ENTITY_COUNT.json"
const policy = "policies/house/exports-ask-legal.json"

const readBytes = (root: string, file: string) => readFileSync(join(root, file))
const write = (root: string, file: string, content: string | Uint8Array) => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), content)
}
const edit = (root: string, file: string, change: (bytes: Buffer) => string | Uint8Array) =>
  write(root, file, change(readBytes(root, file)))
const copy = (root: string, from: string, to: string) => {
  mkdirSync(dirname(join(root, to)), { recursive: true })
  cpSync(join(root, from), join(root, to))
}
const move = (root: string, from: string, to: string) => {
  copy(root, from, to)
  rmSync(join(root, from))
}
const grow = (root: string, file: string, bytes: number) => truncateSync(join(root, file), bytes)

const described = (root: string, under: "rules" | "policies") =>
  (under === "rules" ? checkRules(root) : checkPolicies(root)).findings.map(
    ({ column, file, line, message, rule }) => `${file}:${line}:${column} ${rule}: ${message}`
  )

type Spoil = (root: string) => void

const spoilt: ReadonlyArray<readonly [name: string, spoil: Spoil, findings: ReadonlyArray<string>]> = [
  [
    "a byte order mark",
    (root) => edit(root, factor, (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])),
    [`${factor}:1:1 unreadable-file: starts with a byte order mark: save it as UTF-8 without one`]
  ],
  [
    "a byte of Latin-1",
    (root) =>
      edit(root, factor, (bytes) =>
        Buffer.concat([bytes.subarray(0, bytes.indexOf("once")), Buffer.from([0xe9]), bytes.subarray(250)])
      ),
    [`${factor}:6:39 unreadable-file: is not UTF-8: save it as UTF-8 text`]
  ],
  [
    "UTF-16",
    (root) => edit(root, factor, (bytes) => Buffer.from(bytes.toString(), "utf16le")),
    [`${factor}:1:2 unreadable-file: contains a NUL, as UTF-16 does: save it as UTF-8 text`]
  ],
  [
    "ten megabytes",
    (root) => grow(root, factor, 10_000_000),
    [`${factor}:1:1 unreadable-file: is larger than 1,048,576 bytes (10,000,000)`]
  ],
  ["nothing", (root) => write(root, factor, ""), [`${factor}:1:1 not-json: the file is empty`]],
  [
    "a list",
    (root) => edit(root, factor, (bytes) => `[${bytes.toString()}]`),
    [`${factor}:1:1 wrong-type: the document must be an object: \`{\` … \`}\``]
  ],
  [
    "a text",
    (root) => write(root, factor, `"rules"`),
    [`${factor}:1:1 wrong-type: the document must be an object: \`{\` … \`}\``]
  ],
  [
    "a million brackets",
    (root) => write(root, factor, `{\n"rules": ${"[".repeat(1_000_000)}`),
    [`${factor}:2:41 unreadable-file: is nested too deep for a rule file`]
  ],
  [
    "no ruleset",
    (root) => rmSync(join(root, "rules/ruleset.json")),
    ["rules/ruleset.json:1:1 unreadable-file: there is no such file"]
  ],
  [
    "no verbs",
    (root) => rmSync(join(root, "rules/lexicon/words/verbs.json")),
    ["rules/lexicon/words/verbs.json:1:1 unreadable-file: there is no such file"]
  ],
  [
    "no commands",
    (root) => rmSync(join(root, "rules/lexicon/commands.json")),
    ["rules/lexicon/commands.json:1:1 unreadable-file: there is no such file"]
  ],
  [
    "a word list that nothing reads",
    (root) => copy(root, "rules/lexicon/words/words.json", "rules/lexicon/words/extents.json"),
    ["rules/lexicon/words/extents.json:1:1 misplaced-file: nothing reads a file with this name in this place"]
  ],
  [
    "a folder for a file",
    (root) => {
      rmSync(join(root, "rules/currencies.json"))
      mkdirSync(join(root, "rules/currencies.json"))
    },
    ["rules/currencies.json:1:1 unreadable-file: is a folder, not a file"]
  ],
  [
    "a misspelt ruleset",
    (root) => copy(root, "rules/ruleset.json", "rules/rulset.json"),
    [
      "rules/rulset.json:1:1 misplaced-file: nothing reads a file with this name in this place, did you mean `rules/ruleset.json`?"
    ]
  ],
  [
    "a folder that nothing reads",
    (root) => copy(root, factor, "rules/drafts/HIGH_ENTITY_COUNT.json"),
    [
      "rules/drafts/HIGH_ENTITY_COUNT.json:1:1 misplaced-file: nothing reads a file with this name in this place"
    ]
  ],
  [
    "no cases",
    (root) => rmSync(join(root, factor.replace(".json", ".cases.json"))),
    [`${factor}:1:1 no-cases: there are no cases next to it: write ${factor.replace(".json", ".cases.json")}`]
  ],
  [
    "cases of nothing",
    (root) =>
      copy(
        root,
        factor.replace(".json", ".cases.json"),
        "rules/factors/volume/HIGH_ENTITY_COUNTS.cases.json"
      ),
    [
      "rules/factors/volume/HIGH_ENTITY_COUNTS.cases.json:1:1 misplaced-file: the file of these cases is missing, did you mean `rules/factors/volume/HIGH_ENTITY_COUNT.cases.json`?"
    ]
  ],
  [
    "one factor in two folders",
    (root) => {
      copy(root, factor, "rules/factors/action/HIGH_ENTITY_COUNT.json")
      edit(root, "rules/factors/action/HIGH_ENTITY_COUNT.json", (bytes) =>
        bytes.toString().replace('"volume"', '"action"').replaceAll('"name": "HIGH', '"name": "OTHER')
      )
      const cases = factor.replace(".json", ".cases.json")
      copy(root, cases, cases.replace("volume", "action"))
    },
    [
      `${factor}:3:11 duplicate-code: \`HIGH_ENTITY_COUNT\` already has a file: rules/factors/action/HIGH_ENTITY_COUNT.json`
    ]
  ],
  [
    "a factor in another folder",
    (root) => {
      const cases = factor.replace(".json", ".cases.json")
      move(root, factor, factor.replace("volume", "data"))
      move(root, cases, cases.replace("volume", "data"))
    },
    ["rules/factors/data/HIGH_ENTITY_COUNT.json:4:15 misnamed-file: `volume` is in a folder named `data`"]
  ],
  [
    "a renamed factor",
    (root) => {
      move(root, factor, factor.replace("HIGH", "BIG"))
      move(root, factor.replace(".json", ".cases.json"), "rules/factors/volume/BIG_ENTITY_COUNT.cases.json")
    },
    [
      "rules/factors/volume/BIG_ENTITY_COUNT.json:3:11 misnamed-file: `HIGH_ENTITY_COUNT` is in a file named `BIG_ENTITY_COUNT`"
    ]
  ],
  [
    "a policy set without its head",
    (root) => rmSync(join(root, "policies/house/policy.json")),
    ["policies/house/policy.json:1:1 unreadable-file: there is no such file"]
  ],
  [
    "a policy of Latin-1",
    (root) =>
      edit(root, policy, (bytes) =>
        Buffer.from(bytes.toString().replace("looked", "l\u00F6\u00F6ked"), "latin1")
      ),
    [`${policy}:5:48 unreadable-file: is not UTF-8: save it as UTF-8 text`]
  ],
  [
    "a renamed policy set",
    (root) => renameSync(join(root, "policies/house"), join(root, "policies/home")),
    ["policies/home/policy.json:3:11 misnamed-file: `house` is in a folder named `home`"]
  ]
]

describe("a file that is broken as a whole", () => {
  it.each(spoilt)("%s is one finding", (_, spoil, expected) => {
    const root = another()
    spoil(root)
    const under = expected[0]?.startsWith("policies") === true ? "policies" : "rules"
    expect(described(root, under)).toEqual(expected)
  })

  it.each(spoilt)("%s is no defect when the files are opened", async (_, spoil) => {
    const root = another()
    spoil(root)
    const exit = await RuleReleases.use((releases) => releases.open("draft")).pipe(
      Effect.provide(ruleReleasesAt(root)),
      Effect.catch((error) => (error instanceof RulesRefused ? Effect.void : Effect.die(error))),
      Effect.runPromiseExit
    )
    expect(Exit.isSuccess(exit)).toBe(true)
    const sets = await PolicySets.use(({ get }) => Effect.succeed(get("house"))).pipe(
      Effect.provide(policySetsAt(root)),
      Effect.runPromise
    )
    expect(sets.policySet.name).toBe("house")
  })
})

describe("a check", () => {
  it("reports entries that nothing reads: links, also circular ones, and folders with the names of files", () => {
    const root = another()
    const below = (name: string) => join(root, "rules/factors/volume", name)
    symlinkSync("HIGH_ENTITY_COUNT.json", below("LINK.json"))
    symlinkSync(".", below("loop"))
    mkdirSync(below("FOLDER.json"))
    const unread = "unreadable-file: is not a regular file, and links are not followed: it is ignored"
    expect(described(root, "rules")).toEqual(
      ["FOLDER.json", "LINK.json", "loop"].map((name) => `rules/factors/volume/${name}:1:1 ${unread}`)
    )
  })

  it("reports that there are no factors", () => {
    const root = another()
    rmSync(join(root, "rules/factors"), { recursive: true })
    expect(described(root, "rules")).toEqual(["rules/factors:1:1 unreadable-file: there are no factors"])
  })

  it("reports the first hundred of many thousand problems of one file in a short time", () => {
    const root = another()
    const keys = Array.from({ length: 40_000 }, (_, i) => `"k${i}": 1`)
    write(root, "rules/factors/volume/MANY.json", `{${keys.join(",")}}`)
    write(root, "rules/factors/volume/SAME.json", `{${keys.map(() => '"k": 1').join(",")}}`)
    expect(described(root, "rules").length).toBeLessThan(250)
  }, 15_000)

  it("reports the problems of all files at once, in reading order", () => {
    const root = another()
    write(root, "rules/lexicon/providers/stripe.json", "{")
    edit(root, factor, (bytes) =>
      bytes
        .toString()
        .replace('"lifecycle"', '"lifecyle"')
        .replace('"entities_affected"', '"entities"')
        .replace('"high" }', '"hihg" }')
    )
    rmSync(join(root, "rules/recommendations.json"))
    expect(described(root, "rules").map((line) => line.split(": ")[0])).toEqual([
      `${factor}:5:3 unknown-key`,
      `${factor}:15:27 unknown-fact`,
      `${factor}:24:71 unknown-code`,
      "rules/lexicon/providers/stripe.json:1:2 not-json",
      "rules/recommendations.json:1:1 unreadable-file"
    ])
  })

  it("reports on the given paths only, and checks all files", () => {
    const root = another()
    write(root, "rules/lexicon/providers/stripe.json", "{")
    edit(root, factor, (bytes) => bytes.toString().replace('"VERIFY_SCOPE"', '"VERIFY"'))
    expect(checkRules(root, ["rules/factors/volume"])).toMatchObject({
      ok: false,
      files: 2,
      findings: [{ file: factor, rule: "unknown-code" }]
    })
    expect(checkRules(root, ["rules/typologies", "rules/currencies.json"])).toEqual({
      ok: true,
      files: 3,
      findings: []
    })
  })
})
