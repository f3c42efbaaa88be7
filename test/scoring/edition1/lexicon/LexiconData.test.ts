/** What holds of the lexicon's files, so that an entry cannot quietly contradict another. */

import { describe, expect, it } from "vitest"
import { normalize } from "../../../../src/scoring/edition1/lexicon/normalize.ts"
import { lexicon, lexiconData } from "../../../support/lexicon.ts"

const { providers, verbs, words } = lexiconData
const entries = Object.entries(providers).flatMap(([provider, { actions, alone, prefixes }]) =>
  Object.entries(actions).map(([name, action]) => ({ provider, prefixes, alone, name, action }))
)
const spellings = Object.entries(verbs.verbs).flatMap(([verb, { forms }]) => [verb, ...(forms ?? [])])
const read = (actionType: string) => normalize({ actionType }, lexicon)

describe("the lexicon", () => {
  it("knows several hundred verbs and thousands of provider-native names", () => {
    expect(Object.keys(verbs.verbs).length).toBeGreaterThan(500)
    expect(entries.length).toBeGreaterThan(3_000)
  })

  it("gives every native name its own meaning, behind its prefix and, where it may, without", () => {
    const lost = entries.flatMap(({ action, alone, name, prefixes }) => {
      const [prefix] = prefixes
      const given = [...(prefix === undefined ? [] : [`${prefix}.${name}`]), ...(alone ? [name] : [])]
      return given.filter((spelled) => {
        const { class: actionClass, extent, type } = read(spelled)
        return type !== action.type || actionClass !== action.class || extent !== (action.extent ?? extent)
      })
    })
    expect(lost).toEqual([])
  })

  it("gives one meaning to a canonical type, whoever names it", () => {
    const meanings = new Map<string, Set<string>>()
    for (const { action, alone, name, prefixes } of entries) {
      const { class: actionClass, extent } = read(alone ? name : `${prefixes[0]}.${name}`)
      const known = meanings.get(action.type) ?? new Set()
      meanings.set(
        action.type,
        known.add(`${actionClass} ${extent}`).add(`${read(action.type).class} ${read(action.type).extent}`)
      )
    }
    expect([...meanings].filter(([, said]) => said.size > 1)).toEqual([])
  })

  it("ends every canonical type in a verb that it knows, unless the name is known to say nothing", () => {
    const last = (type: string): string => type.slice(type.indexOf(".") + 1)
    const telling = entries.filter(({ action }) => action.class !== "unknown")
    expect(telling.filter(({ action }) => verbs.verbs[last(action.type)] === undefined)).toEqual([])
  })

  it("spells every verb once", () => {
    expect(spellings.filter((spelling, at) => spellings.indexOf(spelling) !== at)).toEqual([])
  })

  it("lets a phrase only raise the class of its verb", () => {
    const order = Object.entries(verbs.phrases).filter(([phrase, { class: raised }]) => {
      const head = phrase.split(" ")[0] ?? ""
      const { alsoExports, class: meant } = read(phrase.replaceAll(" ", "_"))
      const said = meant === raised || (raised === "export" && alsoExports)
      return !said || verbs.verbs[head] === undefined
    })
    expect(order).toEqual([])
  })

  it("raises by nouns, never by a verb that would be left out beside a riskier one", () => {
    const strong = Object.keys(words.raising).filter((noun) => verbs.verbs[noun] && !verbs.verbs[noun].noun)
    expect(strong).toEqual([])
  })

  it("has a verb in every compound, and no compound that a provider's name could break", () => {
    const prefixes = new Set(Object.values(providers).flatMap((provider) => provider.prefixes))
    const idle = words.compounds.filter((pair) => !pair.split(" ").some((word) => spellings.includes(word)))
    expect(idle).toEqual([])
    expect(words.compounds.filter((pair) => pair.split(" ").some((word) => prefixes.has(word)))).toEqual([])
  })

  it("joins neighbours into words that it knows", () => {
    const known = new Set([...spellings, ...Object.keys(words.raising), ...words.admins, ...words.dataStores])
    expect(Object.values(words.joins).filter((joined) => !known.has(joined))).toEqual([])
  })

  it("gives a prefix to one provider only", () => {
    const prefixes = Object.values(providers).flatMap((provider) => provider.prefixes)
    expect(prefixes.filter((prefix, at) => prefixes.indexOf(prefix) !== at)).toEqual([])
  })
})
