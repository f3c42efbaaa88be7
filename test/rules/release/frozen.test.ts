import { Result } from "effect"
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { canonicalForm } from "../../../src/json/canonical.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { checkDigests, readDigests, withDigest } from "../../../src/rules/release/frozen.ts"
import { freezePolicies } from "../../support/freezeIn.ts"
import { rulesFolder } from "../../support/rulesFolder.ts"

/** The shipped releases. This list and the lock only ever grow: a changed line would change past answers. */
const shipped = {
  rules: {
    "1.0.0": "4b5ef739dcffef9e7268c4edef0665d82fabcdb7a29a0276efb10c18d54b27e0"
  },
  policies: {
    "starter@1.0.0": "b4beae85671681dc0b613206dfd779b3325331f2c4454bf2e90538da7480d2f4",
    "none@1.0.0": "894ad1e7c874c341d0b464362ff746744b612d9bbb7c0672a2f382092a442edc"
  }
}

describe.each(["rules", "policies"] as const)("the frozen %s", (kind) => {
  it("are complete, and none was edited after its release", () => {
    expect(checkDigests(packageRoot, kind)).toEqual([])
  })

  it("have the digests that they shipped with", () => {
    expect(Result.getOrThrow(readDigests(packageRoot, kind))).toMatchObject(shipped[kind])
  })
})

const lock = "policies/releases/digests.json"

const frozen = () => {
  const folder = rulesFolder()
  folder.setVersion("policies/starter/policy.json", "1.0.0")
  return { ...folder, file: freezePolicies(folder.root, "starter") }
}

const found = (root: string) =>
  checkDigests(root, "policies").map(({ file, message, rule }) => `${rule} ${file}: ${message}`)

describe("the lock", () => {
  it("gets one line at the top for each release, and no other line changes", () => {
    const { readText, root, setVersion } = frozen()
    const before = readText(lock).split("\n")
    setVersion("policies/starter/policy.json", "1.1.0")
    freezePolicies(root, "starter")
    const after = readText(lock).split("\n")
    expect(after.toSpliced(1, 1)).toEqual(before)
    expect(after[1]).toMatch(/^ {2}"starter@1\.1\.0": "[0-9a-f]{64}",$/)
    expect(found(root)).toEqual([])
  })

  it("reports a release that was edited, edited and frozen again, added by hand, or lost", () => {
    const { edit, file, readText, root, writeText } = frozen()
    const text = readText(file)
    edit(file, '"value":5000', '"value":5001')
    expect(found(root)).toEqual([
      `edited-release ${file}: its digest does not match its content: it was edited or damaged after it was frozen`
    ])
    const { digest: _, ...content } = JSON.parse(text.replace('"value":5000', '"value":5001'))
    writeText(file, canonicalForm(withDigest(content)))
    expect(found(root)).toEqual([
      expect.stringContaining(`edited-release ${file}: does not have the digest in the lock`)
    ])
    writeText(file, text)
    writeText("policies/releases/starter@1.0.1.json", text)
    expect(found(root)).toEqual([
      expect.stringContaining("edited-release policies/releases/starter@1.0.1.json: is not in the lock")
    ])
    rmSync(join(root, "policies/releases/starter@1.0.1.json"))
    rmSync(join(root, file))
    expect(found(root)).toEqual([
      `missing-release ${lock}: \`starter@1.0.0\` was released, but its file is missing`
    ])
    mkdirSync(join(root, file))
    expect(found(root)).toEqual([expect.stringContaining("is a folder, not a file")])
  })

  it("is reported if it is unreadable", () => {
    const { root, writeText } = frozen()
    for (const text of ["", "[]", '{ "starter@1.0.0": "short" }']) {
      writeText(lock, text)
      expect(found(root)).toEqual([
        expect.stringMatching(/^missing-release policies\/releases\/digests\.json: cannot be read: /)
      ])
    }
  })
})
