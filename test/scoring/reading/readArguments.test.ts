/** Reads what the arguments of a call say about it. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { prepareSignals } from "../../../src/rules/lexicon/readLexicon.ts"
import { readArguments } from "../../../src/scoring/reading/readArguments.ts"
import { withSignals } from "../../../src/scoring/reading/signals.ts"
import { splitName } from "../../../src/scoring/names/splitName.ts"
import { theorem } from "../../support/theorem.ts"
import { readByWords, signals, vocabulary } from "../../support/words.ts"

const prepared = prepareSignals(signals)

const idsOf = (targetResource: string): ReadonlyArray<string> =>
  readArguments({ targetResource }, vocabulary, prepared).signals.map(({ id }) => id)

const read = (name: string, targetResource: string): string => {
  const args = readArguments({ targetResource }, vocabulary, prepared)
  const { class: own, impact } = withSignals(readByWords(name), args.signals)
  return `${own} ${impact}`
}

describe("an argument", () => {
  it.each([
    ["apply_run", "run-123 is_destroy=true", "destroy critical"],
    ["update_bucket_acl", "reports acl=public-read", "access high"],
    ["edit_file", ".github/workflows/deploy.yml", "write high"],
    ["delete_records", "*", "delete high"],
    ["delete_records", "cust-1", "delete moderate"],
    ["delete_label", "*", "delete low"],
    ["update_listing", "SKU 4 price=14.90", "write moderate"],
    ["read_file", "/app/.env", "read moderate"],
    ["read_file", "/app/.env.example", "read low"],
    ["apply_manifest", "web dry_run=true", "deploy moderate"]
  ])("%s of %s is read as %s", (name, resource, expected) => {
    expect(read(name, resource)).toBe(expected)
  })

  it.each([
    ["a text inside a longer word", "main.tfoot"],
    ["a star between letters", "a*b.pdf"],
    ["an ordinary path", "src/index.ts"],
    ["an ordinary name", "customer 42"]
  ])("that is %s says nothing", (_, resource) => {
    expect(idsOf(resource)).toEqual([])
  })

  it("that lowers counts only where none raises", () => {
    expect(read("update_bucket_acl", "reports dry_run=true acl=public-read")).toBe("access high")
  })
})

describe("every signal", () => {
  it.each(signals.map((signal) => [signal.id, signal] as const))(
    "%s does something, and says why",
    (_, signal) => {
      const { class: own, anywhere, extent, holds, impact, lowers, why } = signal
      expect([own, anywhere, extent, holds, impact, lowers].some((effect) => effect !== undefined)).toBe(true)
      expect(why.length).toBeGreaterThan(10)
      const wildcards = signal.wildcard === true ? 1 : 0
      expect(wildcards + (signal.words?.length ?? 0) + (signal.text?.length ?? 0)).toBeGreaterThan(0)
    }
  )
})

/** A parameter, as one pattern. It reads each word of a long text as many times as the word has letters. */
const parameter = /([A-Za-z][\w.-]{0,40})["']?\s?[=:]\s?["']?([A-Za-z][\w.:-]{1,60})/g
const signsOfParameters = fc.array(
  fc.constantFrom(
    ..."=:\"' .-_1a\n".split(""),
    "action",
    "operation=wipe",
    "a".repeat(40),
    "action: drop",
    "::"
  ),
  { maxLength: 24 }
)

theorem(
  "the parameters that name a verb are those of one pattern for all of a text",
  signsOfParameters,
  (signs) => {
    const targetResource = signs.join("")
    const wordsOf = (text: string) => splitName(text, vocabulary.isKnown).words
    const expected = [...targetResource.matchAll(parameter)]
      .map(([, key = "", value = ""]) => [wordsOf(key), wordsOf(value)] as const)
      .filter(
        ([key]) =>
          vocabulary.sets.actionKeys.has(key.join("")) || vocabulary.sets.actionKeys.has(key.at(-1) ?? "")
      )
      .slice(0, 4)
      .map(([, value]) => value)
    const { verbs } = readArguments({ targetResource }, vocabulary, prepared)
    return JSON.stringify(verbs.map(({ words }) => words)) === JSON.stringify(expected)
  }
)
