import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { listPolicySets, listPolicyVersions } from "../../../src/rules/policies/loadPolicySet.ts"
import { readChangelog } from "../../../src/rules/release/changelog.ts"
import { listReleases } from "../../../src/rules/release/loadRelease.ts"

const text = `# Rule releases

Words that belong to no release:

- not an item of one

## 1.1.0

Some words first.

- ★ A destination that is known counts from its
  second day on.
- ★ Accepted lower: NOVEL_DESTINATION, because small payments
  to new payees are daily work.
* Words of two messages.

More words, which are no item.

## 1.0.0 (2026-11-20)
- ★ The first release.
`

describe("a changelog", () => {
  it("is read by version, with its items, their stars, and the accepted codes", () => {
    expect(readChangelog(text)).toEqual([
      {
        version: "1.1.0",
        line: 7,
        items: [
          { text: "A destination that is known counts from its second day on.", moves: true, line: 11 },
          {
            text: "Accepted lower: NOVEL_DESTINATION, because small payments to new payees are daily work.",
            moves: true,
            line: 13,
            accepted: { code: "NOVEL_DESTINATION", reason: "small payments to new payees are daily work." }
          },
          { text: "Words of two messages.", moves: false, line: 15 }
        ]
      },
      { version: "1.0.0", line: 19, items: [{ text: "The first release.", moves: true, line: 20 }] }
    ])
  })

  it("is read the same with Windows line ends, and an empty text has no entries", () => {
    expect(readChangelog(text.replaceAll("\n", "\r\n"))).toEqual(readChangelog(text))
    expect(readChangelog("")).toEqual([])
  })

  it.each([
    ["Accepted lower: `lexicon.verbs`, because it is.", "lexicon.verbs"],
    ["Accepted lower: ruleset.gates.0.floor, because it is.", "ruleset.gates.0.floor"],
    ["Accepted lower: new-payees-are-called-back, because it is.", "new-payees-are-called-back"],
    ["Accepted lower: NOVEL_DESTINATION", undefined],
    ["Accepted lower: NOVEL_DESTINATION, because", undefined]
  ])("accepts a code only with a reason: %s", (item, code) => {
    const [entry] = readChangelog(`## 1.0.0\n- ★ ${item}\n`)
    expect(entry?.items[0]?.accepted?.code).toBe(code)
  })
})

describe("the shipped changelogs", () => {
  const logs = [
    { file: "rules/CHANGELOG.md", versions: listReleases(packageRoot) },
    ...listPolicySets(packageRoot).map((set) => ({
      file: `policies/${set}/CHANGELOG.md`,
      versions: listPolicyVersions(packageRoot, set)
    }))
  ]
  it.each(logs)("$file has an entry for every frozen version", ({ file, versions }) => {
    const entries = readChangelog(readFileSync(join(packageRoot, file), "utf8"))
    const told = entries.filter(({ items }) => items.length > 0).map(({ version }) => version)
    expect(told).toEqual(expect.arrayContaining([...versions]))
  })
})
