/** Prepares the catalogues of all providers for look-ups: each name leads to what every provider that lists it means. */

import {
  type Catalogue,
  type CatalogueEntry,
  keyOfText,
  type Listing,
  type Named,
  type Provider,
  type Providers,
  type NamedService
} from "../../scoring/reading/Catalogue.ts"

export interface ProviderData {
  /** What stands before a name and is no part of it: `github`, `gh`. Lower case, and no word of the language. */
  readonly prefixes: ReadonlyArray<string>
  /** What callers write as target_system or call a server of tools: `drive`, `teams`. The prefixes count as well. */
  readonly systems?: ReadonlyArray<string>
  /** The names of one word that are clear where no provider is named: `Grep`. */
  readonly alone?: ReadonlyArray<string>
  /** All names, or these, say something only where the provider is named: a `delete_page` of Facebook's is a whole business. */
  readonly onlyWhenNamed?: boolean | ReadonlyArray<string>
  /** Target systems that are one service of the provider, and the first part of the names of that service: `aurora` → `rds`. */
  readonly services?: Readonly<Record<string, string>>
  /** The files of the products of a suite. Where the suite is named, their names count after its own. */
  readonly includes?: ReadonlyArray<string>
  /** The tools act on machines or accounts elsewhere. */
  readonly hosted?: true
  readonly actions: Readonly<Record<string, CatalogueEntry>>
}

const none: Named = { own: [], parts: [] }

const union = (a: Providers, b: Providers): Providers => [...new Set([...a, ...b])]

const name = (map: Map<string, Named>, key: string, provider: string, parts: Providers): void => {
  const known = map.get(key) ?? none
  map.set(key, { own: union(known.own, [provider]), parts: union(known.parts, parts) })
}

const namesOf = (names: ProviderData["onlyWhenNamed"] = false): Provider["onlyWhenNamed"] =>
  typeof names === "boolean" ? names : new Set(names)

export const prepareCatalogue = (providers: Readonly<Record<string, ProviderData>>): Catalogue => {
  const byPrefix = new Map<string, Named>()
  const bySystem = new Map<string, Named>()
  const services = new Map<string, NamedService>()
  const names = new Map<string, Listing>()
  let prefixWordsMax = 1
  // Sorted, so that the order in which files were loaded has no effect.
  for (const [file, data] of Object.entries(providers).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const parts = data.includes ?? []
    for (const prefix of data.prefixes) {
      prefixWordsMax = Math.max(prefixWordsMax, prefix.split(/[^a-z0-9]+/).length)
      name(byPrefix, keyOfText(prefix), file, parts)
    }
    for (const system of [...data.prefixes, ...(data.systems ?? [])]) {
      name(bySystem, keyOfText(system), file, parts)
    }
    for (const [system, part] of Object.entries(data.services ?? {}))
      services.set(keyOfText(system), { provider: file, part: keyOfText(part) })
    const provider = {
      name: file,
      alone: new Set(data.alone),
      onlyWhenNamed: namesOf(data.onlyWhenNamed),
      hosted: data.hosted === true
    }
    const { actions } = data
    for (const spelled in actions) {
      const entry = actions[spelled]
      if (entry === undefined) continue
      const key = keyOfText(spelled)
      names.set(key, { provider, spelled, entry, next: names.get(key) })
    }
  }
  return { services, byPrefix, bySystem, names, prefixWordsMax }
}
