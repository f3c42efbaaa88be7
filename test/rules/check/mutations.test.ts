import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { checkPolicies, checkRules } from "../../../src/rules/check/checkFiles.ts"
import { cleanRules } from "../../support/cleanRules.ts"
import type { Mutation } from "./mutations/Mutation.ts"
import { conditionMutations } from "./mutations/conditions.ts"
import { meaningMutations } from "./mutations/meaning.ts"
import { lexiconMutations } from "./mutations/lexicon.ts"
import { jsonMutations } from "./mutations/json.ts"
import { shapeMutations } from "./mutations/shape.ts"
import { valueMutations } from "./mutations/values.ts"
import { togetherMutations } from "./mutations/together.ts"

const root = cleanRules()()

const check = (file: string) => (file.startsWith("rules/") ? checkRules(root) : checkPolicies(root))

const placeOf = (text: string, offset: number) => {
  const before = text.slice(0, offset).split("\n")
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

const readText = (file: string): string => readFileSync(join(root, file), "utf8")

const spoil = ({ file, from, name, to }: Mutation, look: () => void) => {
  const path = join(root, file)
  const clean = readText(file)
  if (!clean.includes(from)) throw new Error(`${name}: ${file} does not say ${from}`)
  writeFileSync(
    path,
    clean.replace(from, () => to)
  )
  try {
    look()
  } finally {
    writeFileSync(path, clean)
  }
}

const mutations = [
  ...jsonMutations,
  ...shapeMutations,
  ...valueMutations,
  ...conditionMutations,
  ...meaningMutations,
  ...togetherMutations,
  ...lexiconMutations
]

describe("a clean folder", () => {
  it("has no findings, and at least 80 mutations exist", () => {
    expect(checkRules(root)).toEqual({ ok: true, findings: [], files: 28 })
    expect(checkPolicies(root)).toEqual({ ok: true, findings: [], files: 8 })
    expect(mutations.length).toBeGreaterThanOrEqual(80)
  })
})

describe("one mistake is one finding, with its place, its reason and a suggestion", () => {
  it.each(mutations.map((mutation) => [mutation.name, mutation] as const))("%s", (_, mutation) => {
    const { at, file, lint, says, suggestion } = mutation
    spoil(mutation, () => {
      const { findings, ok } = check(file)
      expect(ok).toBe(false)
      expect(findings.map(({ message, rule }) => `${rule}: ${message}`)).toEqual([
        expect.stringContaining(`${lint}: `)
      ])
      const [finding] = findings
      expect(finding?.message).toContain(says)
      expect(finding?.message).not.toMatch(/\n|^[A-Z]|\.$/)
      expect(finding?.suggestion).toBe(suggestion)
      const text = readText(mutation.in ?? file)
      const place = placeOf(text, at === "" ? text.length : text.indexOf(at))
      expect(finding).toMatchObject({ file: mutation.in ?? file, ...place })
    })
  })
})
