/** Laws for the reading of every name. */

import { actionClasses } from "../../../src/domain/Action.ts"
import fc from "fast-check"
import { expect, it } from "vitest"
import { extents, impacts, riskOf } from "../../../src/scoring/reading/Act.ts"
import {
  anyName,
  plainVerb,
  nameOf,
  nameWord,
  nameWords,
  pureVerb,
  toolName
} from "../../support/arbitrary/names.ts"
import { theorem } from "../../support/theorem.ts"
import { readByWords, vocabulary, wordsData } from "../../support/words.ts"

const impactRank = (name: string): number => impacts.indexOf(readByWords(name).impact)
const facts = (name: string): string => JSON.stringify(readByWords(name))

theorem("every name has a reading", anyName, (name) => {
  const reading = readByWords(name)
  return (
    actionClasses.includes(reading.class) &&
    impacts.includes(reading.impact) &&
    extents.includes(reading.extent) &&
    /^[a-z0-9_]+\.[a-z0-9_]+$/.test(reading.type)
  )
})

theorem("the type of a reading reads as itself", anyName, (name) => {
  const once = readByWords(name)
  const twice = readByWords(once.type)
  // The type names the main act; the reading also covers the other acts.
  return (
    twice.type === once.type &&
    twice.class === once.class &&
    impacts.indexOf(twice.impact) <= impacts.indexOf(once.impact) &&
    extents.indexOf(twice.extent) <= extents.indexOf(once.extent)
  )
})

theorem(
  "one more pure verb anywhere never lowers, nor does one that is a part of its own in front or at the end",
  fc.tuple(nameWords, pureVerb, fc.nat({ max: 6 })),
  ([words, verb, at]) => {
    const name = nameOf(words)
    const more = nameOf(words.toSpliced(Math.min(at, words.length), 0, ["_", verb]))
    return [more, `${verb}.${name}`, `${name}.${verb}`].every((one) => impactRank(one) >= impactRank(name))
  }
)

theorem(
  "one more pure verb between any two words of a name never lowers, also inside a longer noun or a phrase",
  fc.tuple(toolName, pureVerb, fc.nat({ max: 20 })),
  ([name, verb, place]) => {
    const pieces = name.split("_")
    const more = pieces.toSpliced(Math.min(place, pieces.length), 0, verb).join("_")
    return impactRank(more) >= impactRank(name)
  }
)

/** `multifactor_mount_authentication`, of which the verb `mount` takes away `multifactor authentication`. */
it("a verb inside a longer noun takes nothing away from the others", () => {
  const name = "multifactor_mount_authentication_atlassian"
  const before = impactRank(name)
  for (const [verb, { pure }] of Object.entries(wordsData.verbs)) {
    if (pure !== true) continue
    for (const place of [0, 1, 2, 3, 4]) {
      expect(impactRank(name.split("_").toSpliced(place, 0, verb).join("_"))).toBeGreaterThanOrEqual(before)
    }
  }
})

const plainWords = fc.array(nameWord, { minLength: 1, maxLength: 6 }).map((words) => words.join("_"))

theorem("case and the sign between words do not matter", plainWords, (name) => {
  const expected = facts(name)
  const titled = name.replaceAll(/(?<=^|_)[a-z]/g, (letter) => letter.toUpperCase())
  return [name.toUpperCase(), titled, name.replaceAll("_", "-"), name.replaceAll("_", " "), `${name}_`].every(
    (spelling) => facts(spelling) === expected
  )
})

const testWords = fc.constantFrom("test", "tmp", "mock", "sandbox", "demo", "fake_test", "tests")
const graveKinds: ReadonlySet<string> = new Set(["container", "guard", "credential", "right", "danger"])
const graveWord = fc.constantFrom(
  ...wordsData.words.production,
  ...Object.entries(wordsData.objects).flatMap(([name, { is }]) =>
    graveKinds.has(is) && !name.includes(" ") && vocabulary.words.get(name)?.verb === undefined ? [name] : []
  )
)

theorem(
  "a word that calls it a test never lowers what names something grave",
  fc.tuple(nameWords, graveWord, fc.nat({ max: 6 }), testWords, fc.nat({ max: 7 })),
  ([words, grave, at, test, place]) => {
    const name = words.toSpliced(Math.min(at, words.length), 0, ["_", grave])
    const more = name.toSpliced(Math.min(place, name.length), 0, ["_", test])
    return impactRank(nameOf(more)) >= impactRank(nameOf(name))
  }
)

it("a test word that only a second reading would leave out is left out by the first", () => {
  const { type } = readByWords("break_glass_control_test_report")
  expect(readByWords(type).type).toBe(type)
})

const thing = fc.constantFrom(
  ...Object.keys(wordsData.objects).filter(
    (name) => !name.includes(" ") && vocabulary.words.get(name)?.verb === undefined
  )
)

theorem(
  "one more act behind a conjunction never lowers",
  fc.tuple(plainVerb, thing, plainVerb),
  ([first, object, verb]) => {
    const [name, more] = [readByWords(`${first}_${object}`), readByWords(`${first}_${object}_and_${verb}`)]
    return riskOf(more) >= riskOf(name) && extents.indexOf(more.extent) >= extents.indexOf(name.extent)
  }
)
