/** What holds of every action type, whatever its letters. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { actionTypeMax } from "../../../../src/limits.ts"
import { edition1Classes } from "../../../../src/scoring/edition1/NormalizedAction.ts"
import { classRank, unknownRank } from "../../../../src/scoring/edition1/lexicon/Vocabulary.ts"
import { makeWordList } from "../../../../src/scoring/edition1/lexicon/findVerbs.ts"
import { findNative, normalize } from "../../../../src/scoring/edition1/lexicon/normalize.ts"
import { readName } from "../../../../src/scoring/edition1/lexicon/readName.ts"
import { tokenize } from "../../../../src/scoring/edition1/lexicon/tokenize.ts"
import { lexicon, lexiconData } from "../../../support/lexicon.ts"

const read = (actionType: string) => normalize({ actionType }, lexicon)
const rank = (actionType: string): number => edition1Classes.indexOf(read(actionType).class)

const { providers, verbs, words } = lexiconData
const nativeNames = Object.values(providers).flatMap(({ actions, prefixes }) =>
  Object.keys(actions).flatMap((name) => [name, ...prefixes.map((prefix) => `${prefix}.${name}`)])
)
const verbNames = Object.entries(verbs.verbs).flatMap(([verb, { forms }]) => [verb, ...(forms ?? [])])
const phraseWords = Object.keys(verbs.phrases).flatMap((phrase) => phrase.split(" "))
const pairWords = [...words.compounds, ...Object.keys(words.joins)].flatMap((pair) => pair.split(" "))
const nouns = ["user", "users", "table", "invoice", "zebra", "data", "status", "x", "quux", "boxes"]

const word = fc.oneof(
  fc.constantFrom(...verbNames),
  fc.constantFrom(...phraseWords),
  fc.constantFrom(...pairWords),
  fc.constantFrom(...Object.keys(words.raising), ...words.bulk, ...words.stopWords, ...words.conjunctions),
  fc.constantFrom(...Object.values(providers).flatMap(({ prefixes }) => prefixes), ...words.wrappers),
  fc.constantFrom(...nouns, "other", "unclassified", "some", "*")
)
const separator = fc.constantFrom("_", ".", "-", " ", ":", "/", "__", " - ", ".-")

/** Names that people could write, dense in words that mean something. */
const wordy = fc
  .array(fc.tuple(word, separator), { minLength: 1, maxLength: 7 })
  .map((parts) => parts.map(([name, by], at) => (at === 0 ? name : by + name)).join(""))
const camel = fc
  .array(word, { minLength: 1, maxLength: 6 })
  .map((parts) => parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join(""))
/** Up to the limit, so that canonical forms have to be shortened. */
const long = fc
  .array(word, { minLength: 20, maxLength: 60 })
  .map((parts) => parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join(""))
  .map((name) => name.slice(0, actionTypeMax))
const anyUnicode = fc.string({ unit: "binary", maxLength: actionTypeMax })
const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: actionTypeMax })
  .map((units) => String.fromCharCode(...units))

const actionType = fc.oneof(
  { weight: 6, arbitrary: wordy },
  { weight: 3, arbitrary: camel },
  { weight: 2, arbitrary: fc.constantFrom(...nativeNames) },
  { weight: 1, arbitrary: long },
  { weight: 1, arbitrary: anyUnicode },
  { weight: 1, arbitrary: anyUnits }
)

const check = <Inputs>(property: fc.IProperty<Inputs>, numRuns: number): void => {
  fc.assert(property, { numRuns })
}

describe("every action type", () => {
  it("has a canonical type of lower snake case that is short enough, and one of the classes", () => {
    check(
      fc.property(actionType, (name) => {
        const { class: actionClass, type } = read(name)
        expect(type).toMatch(/^[a-z0-9_]+\.[a-z0-9_]+$/)
        expect(type.length).toBeLessThanOrEqual(actionTypeMax)
        expect(edition1Classes).toContain(actionClass)
      }),
      5_000
    )
  })

  it("normalizes to a type that normalizes to itself, with the same class and extent", () => {
    check(
      fc.property(actionType, (name) => {
        const { class: actionClass, extent, type } = read(name)
        expect({ name, ...read(type) }).toMatchObject({ name, type, class: actionClass, extent })
      }),
      30_000
    )
  })

  it("is called unclassified exactly when its class is unknown", () => {
    check(
      fc.property(actionType, (name) => {
        const { class: actionClass, type } = read(name)
        expect(type.endsWith(".unclassified")).toBe(actionClass === "unknown")
      }),
      5_000
    )
  })

  it("reads the same in upper case", () => {
    check(
      fc.property(wordy, (name) => {
        expect(read(name.toUpperCase())).toEqual(read(name))
      }),
      5_000
    )
  })
})

describe("a name in no provider's list", () => {
  const { vocabulary } = lexicon
  const verb = fc.constantFrom(...Object.keys(verbs.verbs))
  const filler = fc.constantFrom("zebra", "quux", "gizmo")
  const verbRank = (name: string): number => edition1Classes.indexOf(verbs.verbs[name]?.class ?? "unknown")
  const wordsRank = (name: string): number =>
    edition1Classes.indexOf(readName(tokenize(name, vocabulary), vocabulary).class)
  const hasCompound = (name: string): boolean =>
    makeWordList(tokenize(name, vocabulary), vocabulary).covered.includes(true)

  it("is never less risky than any verb among its words", () => {
    check(
      fc.property(fc.array(fc.oneof(verb, filler), { minLength: 1, maxLength: 5 }), (parts) => {
        // A noun between them keeps neighbours from being a compound.
        const riskiest = Math.min(...parts.map(verbRank))
        expect(wordsRank(parts.join("_gizmo_"))).toBeLessThanOrEqual(riskiest)
      }),
      10_000
    )
  })

  /** Two words that are one word as neighbours, with others between them: `log copy out` logs out once `copy` is its verb. */
  const keepsJoinApart = (name: string): boolean => {
    const { known, words: written } = makeWordList(tokenize(name, vocabulary), vocabulary)
    return known.some((word, at) => written.slice(at + 1).some((later) => word?.joins?.has(later) === true))
  }

  it("never gets less risky by one more verb", () => {
    check(
      fc.property(wordy, verb, (name, verb) => {
        // `blog_post` posts, but `blog_post and read` reads: a compound hides a verb only where there is another.
        fc.pre(!hasCompound(name))
        // Such a name can get less risky: the two tests below have an example.
        fc.pre(!keepsJoinApart(`${name} and ${verb}`))
        expect(wordsRank(`${name} and ${verb}`)).toBeLessThanOrEqual(
          Math.min(wordsRank(name), verbRank(verb))
        )
      }),
      10_000
    )
  })

  const joinKeptApart = "multifactor_mount_authentication_atlassian"

  it("is read by the one word that two words are once the verb between them is taken out", () => {
    expect(keepsJoinApart(joinKeptApart)).toBe(true)
    expect(read(joinKeptApart)).toMatchObject({ type: "mfa_atlassian.mount", class: "access" })
  })

  it.fails("never gets less risky by `accept`, which takes the place of that verb (fails: release 1.1.0 reads it so and must replay; the second edition of the model mends it)", () => {
    expect(wordsRank(`${joinKeptApart} and accept`)).toBeLessThanOrEqual(wordsRank(joinKeptApart))
  })

  it("never becomes less risky by leading to the type of a known action", () => {
    check(
      fc.property(fc.oneof(wordy, camel), (name) => {
        fc.pre(findNative(tokenize(name, vocabulary), lexicon) === undefined && wordsRank(name) < unknownRank)
        // `please submit` leads to a name that is known to say nothing, which weighs more than writing does.
        const known = rank(name) === unknownRank ? classRank("write") : rank(name)
        expect(known).toBeLessThanOrEqual(wordsRank(name))
      }),
      10_000
    )
  })
})
