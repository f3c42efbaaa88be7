/** How names that no catalogue lists are read. */

import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { impacts } from "../../../src/scoring/reading/Act.ts"
import { splitName } from "../../../src/scoring/names/splitName.ts"
import { readByWords, vocabulary, wordsData } from "../../support/words.ts"

/** The most characters that one character of a name folds to. The longest ones left are words such as `(오전)`. */
const foldedMax = 7

const said = (name: string): string => {
  const { class: own, impact } = readByWords(name)
  return `${own} ${impact}`
}

const readings: ReadonlyArray<readonly [name: string, ...expected: ReadonlyArray<string>]> = [
  ["vector_store.query", "read low"],
  ["pods_log", "read low"],
  ["draft_gmail_message", "simulate low"],
  ["transfer_to_billing_agent", "internal low"],
  ["notion-search", "read low"],
  ["resources_create_or_update", "configure moderate", "write moderate", "write low"],
  ["create_payment_link", "write low", "write moderate"],
  ["create_gist", "write low"],
  ["payroll.run", "transact high"],
  ["workday.terminate_employee", "access high", "write high"],
  ["modbus.read_register", "read low"],
  ["calculator", "internal low"],
  ["Grep", "read low"],
  ["export_and_delete", "delete moderate"],
  ["list_and_delete_files", "delete moderate"],
  ["get_then_purge", "delete high"],
  ["noop.delete", "delete moderate"],
  ["list_transfers", "read low"],
  ["count_api_keys", "read low"],
  ["toggle_light", "actuate low"],
  // A noun that is a verb too.
  ["order_cancel", "write moderate", "transact moderate"],
  ["transfer_status", "read low"],
  ["delete_message", "delete moderate"],
  ["upload_customer_list", "export moderate", "export high"],
  // Words that only claim to be harmless.
  ["safe_delete", "delete moderate"],
  ["delete_database_test", "destroy critical"],
  ["run_in_production_test", "execute moderate", "execute high", "deploy high"],
  // How many.
  ["delete_all_contacts", "delete critical"],
  ["get_all_contacts", "read low"],
  ["batch_size_get", "read low"]
]

describe("a name", () => {
  it.each(readings)("%s is read as %s", (name, ...expected) => {
    expect(expected).toContain(said(name))
  })

  it.each([
    ["deleteFile", "delete_file"],
    ["DeleteFile", "delete-file"],
    ["createMySQLDatabase", "create_mysql_database"],
    ["deleteDBInstances", "delete_db_instances"]
  ])("%s has the words of %s", (one, other) => {
    expect(splitName(one, vocabulary.isKnown).words).toEqual(splitName(other, vocabulary.isKnown).words)
  })

  it("that is unknown is moderate, and high where a word hints at more", () => {
    expect(said("frobnicate")).toBe("unknown moderate")
    expect(said("glorb_production_all")).toBe("unknown high")
  })

  it("is read by the place of several words where it takes its object", () => {
    expect(said("assign_user_to_owner")).toBe("write low")
    expect(said("assign_user_to_owner_role")).toBe("access high")
    expect(said("restore_to_point_in_time")).toBe("configure high")
  })

  it.each([
    ["get_ehr", "regulated"],
    ["list_phi", "regulated"],
    ["get_pii", "confidential"],
    ["read_cvv", "regulated"]
  ])("%s holds what the long form of its abbreviation holds: %s", (name, holds) => {
    expect(readByWords(name).holds).toBe(holds)
  })

  it("that removes a guard weakens, and one that makes a key is about a credential", () => {
    expect(readByWords("disable_mfa").weakens).toBe(true)
    expect(readByWords("enable_mfa").weakens).toBe(false)
    expect(readByWords("rotate_api_key").credential).toBe(true)
    expect(readByWords("list_api_keys").credential).toBe(false)
  })
})

interface Example {
  readonly name: string
  readonly resource?: string
  readonly [field: string]: string | undefined
}

const examples: ReadonlyArray<Example> = JSON.parse(
  readFileSync(new URL("examples.json", import.meta.url), "utf8")
)

describe("an example of the vocabulary", () => {
  it.each(examples.filter(({ name, resource }) => resource === undefined && !/^[A-Z]+ |^mcp__/.test(name)))(
    "$name is read as it says",
    ({ name, ...expected }) => {
      expect(readByWords(name)).toMatchObject(expected)
    }
  )
})

describe("the vocabulary", () => {
  const keys = [
    ...wordsData.shared.map(({ by }) => by),
    ...[...Object.values(wordsData.verbs), ...Object.values(wordsData.phrases)].flatMap(({ by }) => by ?? [])
  ].flatMap((by) => Object.keys(by))

  it("gives meanings only for nouns, groups and kinds that exist", () => {
    const kinds = new Set([...Object.values(wordsData.objects).map(({ is }) => is), "*", "?"])
    const unknown = keys.filter(
      (key) =>
        !Object.hasOwn(wordsData.objects, key) &&
        !kinds.has(key as never) &&
        !(key.startsWith("@") && Object.hasOwn(wordsData.groups, key.slice(1)))
    )
    expect(unknown).toEqual([])
  })

  it("names every verb of its shared meanings", () => {
    const unknown = wordsData.shared.flatMap(({ verbs }) =>
      verbs.filter((verb) => wordsData.verbs[verb] === undefined && wordsData.phrases[verb] === undefined)
    )
    expect(unknown).toEqual([])
  })

  it("has no phrase with a pure verb, which is read on its own", () => {
    const mixed = Object.keys(wordsData.phrases).filter((phrase) =>
      phrase.split(" ").some((word) => wordsData.verbs[word]?.pure === true)
    )
    expect(mixed).toEqual([])
  })

  it("names nothing like a property that every object of the language has", () => {
    expect(Object.keys(wordsData.objects).filter((name) => name in {})).toEqual([])
  })
})

/** The fastest of many runs, each short enough that no other process of the machine disturbs it. */
const microseconds = (name: string): number => {
  const once = (): number => {
    const start = performance.now()
    readByWords(name)
    return (performance.now() - start) * 1_000
  }
  return Math.min(...Array.from({ length: 100 }, once))
}

describe("a hostile name", () => {
  const parts = [
    "a_",
    "aB",
    "delete_",
    "get_",
    "delete_user_",
    "create_order_and_",
    "to_",
    "all_",
    ".",
    "test_",
    "a.",
    "删",
    "*"
  ]

  it.each(parts)("of %j over and over is read fast", (part) => {
    const name = part.repeat(160).slice(0, 160)
    expect(impacts).toContain(readByWords(name).impact)
    expect(microseconds(name)).toBeLessThan(1_000)
  })

  it.each(parts)("of %j takes time in proportion to its length, also far beyond the limit", (part) => {
    // Eight times as long; a quadratic step would make it sixty-four.
    expect(microseconds(part.repeat(800))).toBeLessThan(Math.max(microseconds(part.repeat(100)), 20) * 32)
  })
})

it("no character folds to a sentence", () => {
  for (let point = 0x80; point <= 0x10ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue
    const name = String.fromCodePoint(point)
    if (name.normalize("NFKD").length <= foldedMax) continue
    expect(splitName(`a ${name} b`, vocabulary.isKnown).words).toHaveLength(3)
  }
})
