/** Destinations that imitate an established one. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isLookalike as isLookalikeBy, prepareLookalikes } from "../../../src/scoring/names/lookalike.ts"
import { tries } from "../../support/depth.ts"
import { placeKey } from "../../../src/scoring/names/placeKey.ts"

/** Without counters, unless a test is about them. */
const isLookalike = (key: string, established: string, counterDigitsMax = 0): boolean =>
  isLookalikeBy(key, established, counterDigitsMax)

const lookalikeOfAny = (established: ReadonlyArray<string>, counterDigitsMax = 0) => {
  const preparing = prepareLookalikes(established, counterDigitsMax)
  for (;;) {
    const step = preparing.next()
    if (step.done === true) return step.value
  }
}

const key = fc
  .string({ unit: "grapheme-ascii", minLength: 1, maxLength: 240 })
  .map((text) => text.toLowerCase())
const character = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz0123456789.-_@/")

describe("a destination imitates an established one", () => {
  it.each([
    ["a letter more", "paypall.com"],
    ["a letter less", "papal.com"],
    ["another letter", "paypol.com"],
    ["a digit for a letter", "paypa1.com"],
    ["two letters swapped", "payapl.com"],
    ["several Cyrillic letters", "раураl.com"],
    ["an invisible space", "pay\u200bpal.com"],
    ["accents", "páypál.com"]
  ])("by %s", (_, destination) => {
    expect(isLookalike(placeKey(destination, new Set()), "paypal.com")).toBe(true)
  })

  it.each([
    ["rnodernbank.corn", "modernbank.com"],
    ["vvorldvvide.net", "worldwide.net"],
    ["g00g1e.com", "google.com"]
  ])("by being drawn alike: %s for %s", (destination, established) => {
    expect(isLookalike(destination, established)).toBe(true)
  })

  it.each([
    ["acme.com", "example.com"],
    ["alice@example.com", "bob@example.com"],
    ["payapl.org", "paypal.com"],
    ["abcd", "badc"]
  ])("but not by being two edits away: %s and %s", (destination, established) => {
    expect(isLookalike(destination, established)).toBe(false)
  })

  describe("but not where it differs in a counter", () => {
    const counterDigitsMax = 3
    const warns = (key: string, established: string): boolean => {
      const direct = isLookalike(key, established, counterDigitsMax)
      expect(lookalikeOfAny([established], counterDigitsMax)(key)).toBe(direct)
      return direct
    }

    it.each([
      ["cust-1", "cust-0"],
      ["cust-10", "cust-1"],
      ["supplier-104", "supplier-105"],
      ["customer 7", "customer 8"],
      ["#team2", "#team1"]
    ])("%s next to %s", (key, established) => {
      expect(warns(key, established)).toBe(false)
      expect(isLookalike(key, established)).toBe(true)
    })

    it.each([
      ["acme-l", "acme-1"],
      ["acme-01", "acme-1"],
      ["supplier-1042", "supplier-1041"],
      ["acme1.example", "acme2.example"],
      ["pay1@acme.example", "pay2@acme.example"],
      ["acme.example/pay1", "acme.example/pay2"],
      ["12345678", "12345679"],
      ["de89370400440532013000", "de89370400440532013001"],
      ["account-12345678", "account-12345679"],
      ["acrne-1", "acme-1"]
    ])("which does not count in %s next to %s", (key, established) => {
      expect(warns(key, established)).toBe(true)
    })

    it("nor in its case", () => {
      expect(warns("hooks.example/AbC", "hooks.example/abc")).toBe(false)
    })
  })

  it("by any one insertion, deletion or substitution", () => {
    fc.assert(
      fc.property(key, character, fc.nat(), (established, by, where) => {
        const at = where % established.length
        const inserted = established.slice(0, at) + by + established.slice(at)
        const deleted = established.slice(0, at) + established.slice(at + 1)
        const replaced = established.slice(0, at) + by + established.slice(at + 1)
        expect(isLookalike(inserted, established)).toBe(true)
        expect(isLookalike(deleted, established)).toBe(true)
        expect(isLookalike(replaced, established)).toBe(replaced !== established)
      })
    )
  })

  it("never itself", () => {
    fc.assert(
      fc.property(key, (established) => {
        expect(isLookalike(established, established)).toBe(false)
      })
    )
  })

  it("one of many exactly when it imitates any of them, itself among them or not", () => {
    const unit = fc.constantFrom("r", "n", "m", "0", "o", "1", "l", "а", "\u200b", "\u{1f600}", "\u{1f601}")
    const near = fc.string({ unit, maxLength: 6 })
    fc.assert(
      fc.property(near, fc.uniqueArray(near, { maxLength: 20 }), fc.boolean(), (key, some, knowsItself) => {
        const others = some.filter((other) => other !== key)
        const established = knowsItself ? [...others, key] : others
        expect(lookalikeOfAny(established)(key)).toBe(others.some((other) => isLookalike(key, other)))
      }),
      { numRuns: tries(5_000) }
    )
  })

  it("one of many long ones exactly when it imitates any of them, with halves of code points among them", () => {
    const unit = fc.constantFrom(
      "z",
      "z",
      "z",
      "a",
      "rn",
      "m",
      "й",
      "\u{1f600}",
      "\u{1f601}",
      "\ud83d",
      "\ude00"
    )
    const long = fc.array(unit, { minLength: 20, maxLength: 300 })
    const edits = fc.array(fc.tuple(fc.constantFrom("in", "out", "swap", "other"), fc.nat(), unit), {
      maxLength: 3
    })
    const edited = (
      points: ReadonlyArray<string>,
      changes: ReadonlyArray<readonly [string, number, string]>
    ) => {
      const text = [...points.join("")]
      for (const [change, where, put] of changes) {
        const at = where % text.length
        if (change === "in") text.splice(at, 0, put)
        else if (change === "out") text.splice(at, 1)
        else if (change === "other") text[at] = put
        else text.splice(at, 2, ...text.slice(at, at + 2).toReversed())
      }
      return text.join("")
    }
    fc.assert(
      fc.property(long, fc.array(edits, { minLength: 1, maxLength: 8 }), edits, (like, some, changes) => {
        const established = [...new Set(some.map((one) => edited(like, one)))]
        const asked = edited(like, changes)
        expect(lookalikeOfAny(established)(asked)).toBe(
          established.some((other) => isLookalike(asked, other))
        )
      }),
      { numRuns: tries(1_000) }
    )
  })

  it("one of thousands, however many are nearer in length", () => {
    const many = Array.from({ length: 20_000 }, (_, i) => `files-${10_000 + i}.partner.example/in`)
    const isImitation = lookalikeOfAny([...many, "modernbank.com/settlement-in-02"])
    expect(isImitation("rnodernbank.corn/settlernent-in-02")).toBe(true)
    expect(isImitation("modernbank.com/another-account-1")).toBe(false)
  })

  it.each([
    [
      "ordinary",
      100,
      (i: number) => `files-${10_000 + i}.partner${i % 89}.example/in`,
      "files-1000.partnre0.exampel/in"
    ],
    [
      "long and nearly equal",
      3,
      (i: number) => `${"z".repeat(110)}${100_000 + i}${"z".repeat(110)}`,
      "z".repeat(226)
    ]
  ])("one of thousands of %s ones %d times as fast as comparing with each", (_, faster, nameOf, asked) => {
    const many = Array.from({ length: 5_000 }, (__, i) => nameOf(i))
    const isImitation = lookalikeOfAny(many)
    const msOf = (isFound: () => boolean) => {
      const times = Array.from({ length: 9 }, () => {
        const beganMs = performance.now()
        expect(isFound()).toBe(false)
        return performance.now() - beganMs
      })
      return Math.min(...times)
    }
    const each = msOf(() => many.some((one) => isLookalike(asked, one)))
    const indexed = msOf(() => isImitation(asked))
    console.info(`${indexed.toFixed(3)} ms instead of ${each.toFixed(2)} ms`)
    expect(indexed).toBeLessThan(each / faster)
  })

  it("exactly when it is imitated", () => {
    const near = fc.string({ unit: fc.constantFrom("r", "n", "m", "v", "w", "1", "l", "а"), maxLength: 6 })
    fc.assert(
      fc.property(near, near, (one, other) => {
        expect(isLookalike(one, other)).toBe(isLookalike(other, one))
      }),
      { numRuns: tries(2_000) }
    )
  })
})
